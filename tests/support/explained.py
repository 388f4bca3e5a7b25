"""A table in a lab whose rows are explained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pyspark.sql import SparkSession

from dbt_debezium_spark.explain.text import lines
from reference import KafkaRecord
from tests.support.blocks import source_options
from tests.support.lab import Lab, LabMacros
from tests.support.raw import raw_row

COLUMNS = [
    {"name": "id", "type": "int32", "optional": False},
    {"name": "v", "type": "string"},
    {"name": "w", "type": "string"},
]
TABLE = "public.plain"


class LabTable:
    """One table, from its records to explanations of its rows."""

    def __init__(
        self,
        session: SparkSession,
        records: Sequence[KafkaRecord],
        *,
        topic: str,
        connector: str = "postgresql",
        key: Sequence[str] = ("id",),
        columns: Sequence[dict[str, Any]] = COLUMNS,
        **options: Any,
    ) -> None:
        """Land, stage and fold records in a topic."""
        self._topic = topic
        self.lab = Lab(session)
        self.lab.replaced["_explain_view"] = lambda macros: lambda: self.lab.name("walk_view")
        self.sources = {"sim": source_options(connector, "p", **options)}
        self.call = {
            "topics": [topic],
            "key": [column for column in columns if column["name"] in key],
            "columns": list(columns),
        }
        self.names = [
            column["name"] for column in self.macros.decoded_columns("sim", list(columns))
        ]
        self.land(records)

    def land(self, records: Sequence[KafkaRecord], batch: int = 1, *, folds: bool = True) -> None:
        """Land and stage records, and bring the state up to date."""
        rows = [raw_row(replace(record, topic=self._topic), batch) for record in records]
        self.lab.append("raw", self.lab.rows(rows))
        self.lab.stage(self.sources, "sim", "raw", "stg", table=TABLE, **self.call)
        if not folds:
            return
        self.lab.fold(
            self.sources,
            "sim",
            "stg",
            "state",
            table=TABLE,
            key=[column["name"] for column in self.call["key"]],
            columns=self.names,
        )

    @property
    def macros(self) -> LabMacros:
        """The macros as an operation calls them."""
        return self.lab.macros(self.sources, "none")

    @property
    def model(self) -> dict[str, Any]:
        """What the macros know of the table."""
        return {
            "source": "sim",
            "table": TABLE,
            "kind": "rows" if self.call["key"] else "keyless",
            "staging": self.lab.name("stg"),
            "state": self.lab.name("state"),
            "raw": self.lab.name("raw"),
            "columns": self.names,
            "types": self.macros.column_types(self.lab.name("stg")),
            "call": self.call,
        }

    def explain(self, key: Any, as_of: str | None = None) -> dict[str, Any]:
        """Return the explanation of a row."""
        macros = self.macros
        found: dict[str, Any] = macros.explained_row(
            macros.source_config("sim"), self.model, key, as_of
        )
        return found

    def text(self, key: Any, as_of: str | None = None) -> str:
        """Return the explanation as it is printed."""
        return "\n".join(lines(self.explain(key, as_of)))
