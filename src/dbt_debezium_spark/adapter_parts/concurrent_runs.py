"""Runs at a time: what a user reads if another wrote a table first. See `overlap`."""

from __future__ import annotations

from typing import Any

from dbt.adapters.contracts.connection import AdapterResponse
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.adapter_parts.part import AdapterPart
from dbt_debezium_spark.spark.overlap import refusal, written_table


class ConcurrentRuns(AdapterPart):
    """An adapter whose refused commits name the other run."""

    def execute(self, sql: str, *args: Any, **kwargs: Any) -> tuple[AdapterResponse, Any]:
        """Execute a statement; a write that another run overtook ends with one sentence.

        Raises:
            DbtRuntimeError: the statement failed.
        """
        try:
            return super().execute(sql, *args, **kwargs)
        except DbtRuntimeError as error:
            table = written_table(sql, error)
            if table is None:
                raise
            raise self._debezium_refusal(table) from error

    def _debezium_refusal(self, table: str) -> DbtRuntimeError:
        """Return the error of a run whose write to a table another one overtook."""
        return DbtRuntimeError(refusal(self._debezium_rows, table))
