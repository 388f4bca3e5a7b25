"""Landing by SQL: see `landing.sql_table`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dbt.adapters.base.meta import available
from dbt.adapters.spark.connections import SparkConnectionMethod
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.adapter_parts.concurrent_runs import ConcurrentRuns
from dbt_debezium_spark.sql_text import quoted_path


class SqlLandingCalls(ConcurrentRuns):
    """Methods of raw models in SQL."""

    @available.parse(quoted_path)
    def debezium_quoted_path(self, path: str) -> str:
        """Return a name of several parts as a SQL identifier: see `quoted_path`."""
        return quoted_path(path)

    @available.parse(lambda: True)
    def debezium_runs_python(self) -> bool:
        """Return whether the connection may run Python models; a thrift server runs SQL alone."""
        method = getattr(self.config.credentials, "method", None)
        return bool(method != SparkConnectionMethod.THRIFT)

    @available.parse(lambda source, relation, select, file_format: {})
    def debezium_land(
        self, source: Mapping[str, Any], relation: Any, select: str, file_format: str
    ) -> dict[str, Any]:
        """Land the new rows of a SELECT; return the number of `records`, and a `text`.

        Args:
            source: validated configuration of the source.
            relation: the raw table.
            select: text of the raw model.
            file_format: of the raw table.

        Raises:
            DbtRuntimeError: the rows cannot be read or written; nothing has landed.
        """
        # Here, because landing imports pyspark, and dbt imports this module at every start.
        from dbt_debezium_spark.config import SourceConfig
        from dbt_debezium_spark.landing.sql_table import SqlLanding
        from dbt_debezium_spark.landing.statements import Statements
        from dbt_debezium_spark.landing.tables import tables_beside
        from dbt_debezium_spark.raw_append import OverlappingRunError

        try:
            landing = SqlLanding(
                Statements(self._debezium_landing_rows, self.execute, DbtRuntimeError),
                SourceConfig.from_dict(source),
                tables_beside(str(relation.quote(schema=True, identifier=True))),
                rows=str(self.debezium_work_table(relation)),
                file_format=file_format,
            )
            landed = landing.land(select)
        except (ValueError, OverlappingRunError) as error:
            raise DbtRuntimeError(str(error)) from error
        return {"records": landed.records, "text": landed.text}

    def _debezium_landing_rows(self, sql: str) -> list[tuple[Any, ...]]:
        _, table = self.execute(sql, fetch=True)
        return [tuple(row) for row in table.rows]
