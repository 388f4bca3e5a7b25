"""A raw table that SQL alone fills, and one that the Python model fills from the same input."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from dbt_debezium_spark import config
from dbt_debezium_spark.landing.schemas import LEDGER_COLUMNS, RAW_COLUMNS, REJECTED_COLUMNS
from dbt_debezium_spark.landing.sql_table import Landed, SqlLanding
from dbt_debezium_spark.landing.statements import Statements
from dbt_debezium_spark.landing.tables import tables_of
from dbt_debezium_spark.text.sql_text import quoted_path
from tests.support.landing_lake import SCHEMA, Lake

# When a run took place; two runs never do so at the same time.
_OF_THE_RUN = {"_cdc_landed_at", "modified_at"}


def connection(session: SparkSession) -> Statements:
    """Return a session as a connection that knows nothing but SQL."""

    def rows(sql: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in session.sql(sql).collect()]

    return Statements(rows, rows, PySparkException)


class SqlLake(Lake):
    """A source that lands by SQL."""

    def run(self, incarnations: Sequence[str] = (), path: str | None = None) -> None:
        self.land(incarnations)

    def land(self, incarnations: Sequence[str] = ()) -> Landed:
        """One whole run of the model."""
        return self.landing(incarnations).land(f"select * from {quoted_path(self.relation)}")

    @property
    def relation(self) -> str:
        return str(self.input["relation"])

    def landing(
        self, incarnations: Sequence[str] = (), statements: Statements | None = None
    ) -> SqlLanding:
        source = {
            "connector": "postgresql",
            "topic_prefix": self.topic_prefix,
            "input": {**self.input, "landing": "sql"},
            "incarnations": list(incarnations),
            **self.options,
        }
        return SqlLanding(
            statements or connection(self.session),
            config.load_source("inventory", {"inventory": source}),
            tables_of(SCHEMA, self.name),
            rows=f"`{SCHEMA}`.`{self.name}__dbt_work_{uuid.uuid4().hex}`",
            file_format=self.file_format,
        )


def contents(lake: Lake) -> dict[str, list[str]]:
    """Return the rows of the tables of a lake, without what differs between two runs."""
    found = {}
    for suffix, columns in (
        ("", RAW_COLUMNS),
        ("__rejected", REJECTED_COLUMNS),
        ("__files", LEDGER_COLUMNS),
    ):
        names = [f"`{name}`" for name in columns if name not in _OF_THE_RUN]
        rows = lake.session.table(f"{lake.raw}{suffix}").select(*names).collect()
        found[suffix or "raw"] = sorted(map(repr, rows))
    return found
