"""The plugin that dbt-core discovers.

It brings the dbt package into projects with Debezium sources, and extends dbt-spark's adapter and
those built on it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from dbt.plugins.manager import dbtPlugin

from dbt_debezium_spark import package_path
from dbt_debezium_spark.adapter_parts.project_vars import project_var

PACKAGE = "debezium_spark"


class DebeziumSparkPlugin(dbtPlugin):
    """Install the methods of this package: see `adapter.extended`."""

    def initialize(self) -> None:
        """Bring the dbt package, and extend the adapter if this invocation uses Spark.

        dbt calls this in every invocation of every project in the environment. So it must be
        idempotent, and must not affect projects with other adapters. dbt loads the profile first,
        so in a Spark project the adapter is already imported, but not created.
        """
        bring_package()
        if "dbt.adapters.spark" in sys.modules:
            install()


def install() -> None:
    """Extend dbt-spark's adapter, and that of each loaded plugin that depends on `spark`."""
    import dbt.adapters.spark as dbt_spark
    from dbt.adapters.factory import FACTORY

    from dbt_debezium_spark.adapter import extended

    on_spark = [
        plugin for plugin in FACTORY.plugins.values() if "spark" in (plugin.dependencies or ())
    ]
    for plugin in [dbt_spark.Plugin, *on_spark]:
        plugin.adapter = extended(plugin.adapter)


def install_when_registered() -> None:
    """Do the same as soon as an adapter is created, for programs that load no plugins of dbt."""
    from dbt.adapters.factory import FACTORY

    bring_package()

    register = FACTORY.register_adapter

    def install_and_register(*args: Any, **kwargs: Any) -> None:
        install()
        register(*args, **kwargs)

    # on the object, because its callers imported the function that calls this method
    setattr(FACTORY, "register_adapter", install_and_register)  # noqa: B010


def bring_package() -> None:
    """Make dbt load the dbt package of this distribution with each project that has sources.

    So no file of a project has a path of this machine, and both halves have the same version. A
    package of this name in the project's `dbt_packages` is used instead.
    """
    from dbt.config.runtime import RuntimeConfig

    load_projects = RuntimeConfig.load_projects
    if load_projects.__module__ == __name__:
        return

    def load_projects_and_package(
        self: RuntimeConfig, paths: Iterable[Path]
    ) -> Iterator[tuple[str, RuntimeConfig]]:
        folders = list(paths)
        is_there = self.project_name == PACKAGE or PACKAGE in [path.name for path in folders]
        if not is_there and project_var(self, "debezium_sources") is not None:
            folders.append(package_path())
        for name, project in load_projects(self, folders):
            if name == PACKAGE:
                # a clone has those of the demo
                project.model_paths = []
            yield name, project

    RuntimeConfig.load_projects = load_projects_and_package
