"""Spark adapters with the methods that this package adds: see `adapter_parts`."""

from __future__ import annotations

from functools import cache, partial
from pathlib import Path
from typing import Any, cast

from dbt.adapters.base.meta import available
from dbt.adapters.spark.relation import SparkRelation as DbtSparkRelation

from dbt_debezium_spark.adapter_parts.concurrent_runs import ConcurrentRuns
from dbt_debezium_spark.adapter_parts.locking import Locking
from dbt_debezium_spark.adapter_parts.part import AdapterPart, uses_own_session
from dbt_debezium_spark.adapter_parts.passed_tests import PassedTestCalls
from dbt_debezium_spark.adapter_parts.project_vars import configured_sources, reads_kafka
from dbt_debezium_spark.adapter_parts.python_job import SessionPythonJob
from dbt_debezium_spark.adapter_parts.relation_lists import RelationLists
from dbt_debezium_spark.adapter_parts.relations import SparkRelation
from dbt_debezium_spark.door import Door, door_while_parsing
from dbt_debezium_spark.door.run import Run
from dbt_debezium_spark.spark.connection import with_own_session
from dbt_debezium_spark.spark.defaults import FORMAT_KEY, for_a_server
from dbt_debezium_spark.spark.kafka_jars import KAFKA_KEY
from dbt_debezium_spark.spark.private_files import make_project_folders_private
from dbt_debezium_spark.spark.session import start_ahead
from dbt_debezium_spark.spark.settings import default_format, resolve_settings

_WHILE_PARSING = door_while_parsing()


class Extension(PassedTestCalls, Locking, ConcurrentRuns, RelationLists, AdapterPart):
    """What this package adds to dbt-spark's adapter, or to one that builds on it."""

    def __init__(self, config: Any, mp_context: Any) -> None:
        """Make the profile's paths absolute, then connect as the extended adapter does."""
        from dbt.flags import get_flags

        credentials = config.credentials
        sources = configured_sources(config.vars.to_dict())
        flags = get_flags()
        settings = getattr(credentials, "server_side_parameters", None) or {}
        self._debezium_format = settings.get(FORMAT_KEY)
        if uses_own_session(self.ConnectionManager, credentials):
            settings = resolve_settings(settings, config.project_root)
            if reads_kafka(sources):
                settings[KAFKA_KEY] = "true"
            credentials.server_side_parameters = settings
            start_ahead(settings, str(getattr(flags, "WHICH", None)))
        elif self._debezium_format:
            credentials.server_side_parameters = for_a_server(settings)
        if sources:
            make_project_folders_private(
                Path(config.project_root) / config.target_path,
                Path(config.project_root) / str(flags.LOG_PATH),
            )
        # A parsed project is valid for one target (`+file_format`). dbt parses again if `--target`
        # changes, but not if an environment variable in profiles.yml names another target. It does
        # compare these values.
        config.project_env_vars["target"] = config.target_name
        super().__init__(config, mp_context)
        self.__door = Door(self._debezium_tables, Run(self))

    @available.parse(lambda: _WHILE_PARSING)
    def debezium(self) -> Door:
        """Return what macros reach of this package: see `door`."""
        return self.__door

    def _debezium_format_of_target(self) -> str:
        """Return the format of tables whose models name none: see `settings.default_format`."""
        settings = self._debezium_settings
        return str(self._debezium_format or default_format(self.config.target_name, settings))

    @property
    def default_python_submission_method(self) -> str:
        """Run Python models in dbt's own session, unless the profile connects elsewhere."""
        if self._debezium_in_own_session:
            return "session"
        return str(super().default_python_submission_method)

    @property
    def python_submission_helpers(self) -> dict[str, Any]:
        """Return the extended adapter's submission methods, and `session` of dbt's own session."""
        helpers: dict[str, Any] = super().python_submission_helpers
        if not self._debezium_in_own_session:
            return helpers
        return {**helpers, "session": partial(SessionPythonJob, config=self.config)}


@cache
def extended(adapter: type[Any]) -> type[Any]:
    """Return an adapter with the methods of this package.

    Its name stays: dbt derives the adapter's type from it in messages and caches.

    Args:
        adapter: dbt-spark's adapter, or that of a plugin that depends on `spark`. What it overrides
            stays, as its methods are called by those of this package.
    """
    if issubclass(adapter, Extension):
        return adapter
    members = {
        "__doc__": adapter.__doc__,
        "__module__": __name__,
        "ConnectionManager": with_own_session(adapter.ConnectionManager),
    }
    if adapter.Relation is DbtSparkRelation:
        members["Relation"] = SparkRelation
    metaclass: Any = type(adapter)
    return cast("type[Any]", metaclass(adapter.__name__, (Extension, adapter), members))
