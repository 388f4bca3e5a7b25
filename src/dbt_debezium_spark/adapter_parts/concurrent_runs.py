"""Runs at a time: what a user reads if another wrote a table first, and tables of one run alone.

See `overlap`.
"""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from dbt.adapters.base.meta import available
from dbt.adapters.contracts.connection import AdapterResponse
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.adapter_parts.part import AdapterPart
from dbt_debezium_spark.overlap import overlap_text, refusal, written_table

_WORK = "__dbt_work_"
_STAMP = "%Y%m%d%H%M%S"
# No run of a model takes longer: a work table of that age is one of a killed run.
_ABANDONED_AFTER = timedelta(days=2)


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
            raise self.__refusal(table) from error

    @available.parse(lambda relation: "")
    def debezium_overlap_text(self, relation: Any) -> str:
        """Return the sentence for a run whose write to a table was refused."""
        return overlap_text(str(relation))

    @available.parse(lambda relation: None)
    def debezium_refuse(self, relation: Any) -> None:
        """Raise the error of a run whose write to a table another one overtook.

        Raises:
            DbtRuntimeError: always.
        """
        raise self.__refusal(str(relation))

    @available.parse(lambda relation: relation)
    def debezium_work_table(self, relation: Any) -> Any:
        """Return a name for a table that one run of a model writes, reads and drops.

        Those of killed runs are dropped when they are old: a younger one may be of a run that
        works at the same time.

        Args:
            relation: the model's own table.
        """
        now = datetime.now(UTC)
        beginning = f"{relation.identifier}{_WORK}"
        oldest = f"{beginning}{now - _ABANDONED_AFTER:{_STAMP}}"
        for other in self.list_relations(relation.database, relation.schema):
            if other.identifier.startswith(beginning) and other.identifier < oldest:
                self.drop_relation(other.quote(schema=True, identifier=True))
        name = f"{beginning}{now:{_STAMP}}_{uuid.uuid4().hex[:6]}"
        table = relation.incorporate(path={"identifier": name}, type="table")
        return table.quote(schema=True, identifier=True)

    def __refusal(self, table: str) -> DbtRuntimeError:
        return DbtRuntimeError(refusal(self.__rows, table))

    def __rows(self, sql: str) -> list[tuple[Any, ...]]:
        _, table = super().execute(sql, fetch=True)
        return [tuple(row) for row in table.rows]
