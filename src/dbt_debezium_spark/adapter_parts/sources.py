"""Sources as they are configured, and what models and schema-change records declare of tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from dbt.adapters.base.meta import available
from dbt_common.exceptions import CompilationError, DbtRuntimeError

from dbt_debezium_spark.adapter_parts.part import AdapterPart
from dbt_debezium_spark.record_schema import schema_problem
from dbt_debezium_spark.session import is_remote, session_for
from dbt_debezium_spark.settings import missing_for_format, unusable_format
from dbt_debezium_spark.spark_versions import FORMATS
from dbt_debezium_spark.staging_call import observability_call, records_read, staging_call
from dbt_debezium_spark.table_columns import table_columns
from dbt_debezium_spark.table_ends import table_end
from dbt_debezium_spark.type_change import type_change


def load_source(name: str, sources: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the validated configuration of one source, with every default filled in.

    Args:
        name: name of the source.
        sources: value of the var `debezium_sources`.

    Raises:
        CompilationError: the configuration is wrong; the text names the value and the remedy.
    """
    from dbt_debezium_spark import config
    from dbt_debezium_spark.config.sink_layouts import KEY_SWITCHES
    from dbt_debezium_spark.placeholder import placeholder_forms

    try:
        source = config.describe_source(name, sources or {})
        forms = placeholder_forms(source["unavailable_value_placeholder"])
    except ValueError as error:
        raise CompilationError(str(error)) from error
    derived: dict[str, Any] = {"unavailable_value_forms": forms}
    key_switch = KEY_SWITCHES.get(source["input"].get("layout", ""))
    if key_switch is not None:
        derived["key_switch"] = key_switch
    return {**source, **derived}


@contextmanager
def _as_compilation_error() -> Iterator[None]:
    """Raise configuration errors as dbt's, so that dbt names the model or hook beside them."""
    from dbt_debezium_spark.config import ConfigError

    try:
        yield
    except ConfigError as error:
        raise CompilationError(str(error)) from error


class SourceCalls(AdapterPart):
    """Methods about the configuration of sources; none of them runs SQL."""

    @available.parse(load_source)
    def debezium_source(self, name: str, sources: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the validated configuration of one source: see `load_source`.

        The same function runs while dbt parses, so a wrong configuration fails before any SQL.
        """
        return load_source(name, sources)

    @available
    def debezium_project_dir(self) -> str:
        """Return the absolute folder of the project, to which input paths are relative."""
        return str(self.config.project_root)

    @available.parse(lambda name, sources: None)
    def debezium_check_input(self, name: str, sources: Mapping[str, Any] | None) -> None:
        """Check that a source's input exists.

        Raises:
            CompilationError: the path is missing or cannot be read.
        """
        with _as_compilation_error():
            from dbt_debezium_spark import config

            config.check_input(config.load_source(name, sources), self.debezium_project_dir())

    @available.parse(lambda formats: None)
    def debezium_check_formats(self, formats: Iterable[str]) -> None:
        """Check that the Spark of this process has table formats; a server says so itself.

        Raises:
            DbtRuntimeError: one is missing.
        """
        if not self._debezium_in_own_session or is_remote():
            return
        settings = dict(session_for(self._debezium_settings).conf.getAll)
        for file_format in set(formats) & set(FORMATS):
            missing = missing_for_format(settings, file_format)
            if missing:
                raise DbtRuntimeError(
                    unusable_format(self.config.target_name, file_format, missing)
                )

    @available
    def debezium_heartbeat_topic(self, source: Mapping[str, Any]) -> str:
        """Return the topic of a source's heartbeats: see `config.lateness`."""
        from dbt_debezium_spark.config.lateness import heartbeat_topic

        return heartbeat_topic(source)

    @available
    def debezium_utc_text(self, moment: Any) -> str:
        """Return a moment, such as the var `debezium_as_of`, in UTC: see `config.timestamps`.

        Raises:
            CompilationError: the value is no timestamp with a time zone.
        """
        from pydantic_core import PydanticCustomError

        from dbt_debezium_spark.config.timestamps import utc_text

        try:
            return utc_text(moment)
        except PydanticCustomError as error:
            parts = error.context or {}
            raise CompilationError(
                f"debezium_spark: the var `debezium_as_of`{parts['what']}. {parts['remedy']}."
            ) from error

    @available
    def debezium_type_change(self, old: str, new: str) -> str:
        """Return what happens to stored values when a column changes type: see `type_change`."""
        return type_change(old, new)

    @available
    def debezium_schema_problem(self, side: str, schema: str) -> str | None:
        """Return why no converter writes an embedded schema: see `record_schema`."""
        return schema_problem(side, schema)

    @available
    def debezium_table_end(self, definition: str, connector: str, table: str) -> str | None:
        """Return the truncate that a schema-change record stands for: see `table_ends`."""
        return table_end(definition, connector, table)

    @available
    def debezium_staging_call(
        self, code: str, variable: Callable[..., Any]
    ) -> dict[str, Any] | None:
        """Return what a staging model declares of its table: see `staging_call`."""
        return staging_call(code, variable)

    @available
    def debezium_records_read(
        self, code: str, variable: Callable[..., Any]
    ) -> dict[str, Any] | None:
        """Return which records a staging model reads: see `records_read`."""
        return records_read(code, variable)

    @available
    def debezium_table_columns(
        self, nodes: Mapping[str, Any], model: str, variable: Callable[..., Any]
    ) -> list[str] | None:
        """Return the names of the columns of a model: see `table_columns`."""
        return table_columns(nodes, model, variable, load_source)

    @available
    def debezium_observability_call(
        self, code: str, variable: Callable[..., Any]
    ) -> dict[str, Any] | None:
        """Return what an observability model reads: see `observability_call`."""
        return observability_call(code, variable)
