"""The plugin that dbt-core discovers. It extends adapters: dbt-spark's, and those built on it."""

from __future__ import annotations

import sys
from typing import Any

from dbt.plugins.manager import dbtPlugin


class DebeziumSparkPlugin(dbtPlugin):
    """Install the methods of this package: see `adapter.extended`."""

    def initialize(self) -> None:
        """Extend the adapter if this invocation uses Spark.

        dbt calls this in every invocation of every project in the environment. So it must be
        idempotent, and must not affect projects with other adapters. dbt loads the profile first,
        so in a Spark project the adapter is already imported, but not created.
        """
        if "dbt.adapters.spark" in sys.modules:
            install()


def install() -> None:
    """Extend dbt-spark's adapter, and that of each loaded plugin that depends on `spark`."""
    import dbt.adapters.spark as dbt_spark
    from dbt.adapters.factory import FACTORY

    from dbt_debezium_spark.adapter import extended

    on_spark = [one for one in FACTORY.plugins.values() if "spark" in (one.dependencies or ())]
    for plugin in [dbt_spark.Plugin, *on_spark]:
        plugin.adapter = extended(plugin.adapter)


def install_when_registered() -> None:
    """Extend adapters as soon as one is created, for programs that load no plugins of dbt."""
    from dbt.adapters.factory import FACTORY

    register = FACTORY.register_adapter

    def install_and_register(*args: Any, **kwargs: Any) -> None:
        install()
        register(*args, **kwargs)

    # on the object, because its callers imported the function that calls this method
    setattr(FACTORY, "register_adapter", install_and_register)  # noqa: B010
