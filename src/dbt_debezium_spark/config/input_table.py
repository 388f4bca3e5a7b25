"""A table or view of the team's own, filled by somebody else, as a source's input."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dbt_debezium_spark.config.errors import expect_known, expect_mapping, expect_text

KEYS = ("type", "relation", "columns")
# Kafka's columns, as Spark's Kafka source names them: design of the raw table.
COLUMNS = ("topic", "partition", "offset", "timestamp", "timestampType", "key", "value", "headers")


@dataclass(frozen=True)
class TableInput:
    """What Spark can read under a name; `columns` says which of its columns is which of Kafka's."""

    relation: str
    columns: Mapping[str, str]
    type: ClassVar[str] = "table"

    def to_dict(self) -> dict[str, Any]:
        """Return the input in the form it is configured in."""
        return {"type": self.type, "relation": self.relation, "columns": dict(self.columns)}

    def check(self, where: str, project_dir: str) -> None:
        """Do nothing: whether Spark knows the relation is seen when it is read."""


def read_table_input(options: Mapping[str, Any], where: str) -> TableInput:
    """Return the configured table.

    Raises:
        ConfigError: an unknown option or column, or no relation.
    """
    expect_known(options, KEYS, where)
    columns = expect_mapping(options.get("columns") or {}, f"{where}.columns")
    expect_known(columns, COLUMNS, f"{where}.columns")
    return TableInput(
        relation=expect_text(options.get("relation"), f"{where}.relation", "bronze.kafka_records"),
        columns={
            name: expect_text(column, f"{where}.columns.{name}", f"kafka_{name}")
            for name, column in columns.items()
        },
    )
