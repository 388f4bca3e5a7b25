"""A table or view of the team's own, filled by somebody else, as a source's input."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.values import as_mapping, as_text, refuse_unknown, text

# Kafka's columns, as Spark's Kafka source names them: design of the raw table.
COLUMNS = ("topic", "partition", "offset", "timestamp", "timestampType", "key", "value", "headers")


def _columns(value: Any) -> dict[str, str]:
    columns = as_mapping(value or {})
    refuse_unknown(columns, COLUMNS)
    return {name: as_text(column, f"kafka_{name}", f".{name}") for name, column in columns.items()}


class TableInput(Block):
    """What Spark can read under a name; `columns` says which of its columns is which of Kafka's."""

    type: Literal["table"] = "table"
    relation: Annotated[str, text("bronze.kafka_records")]
    columns: Annotated[dict[str, str], BeforeValidator(_columns)] = {}

    def check(self, where: str, project_dir: str) -> None:
        """Do nothing: whether Spark knows the relation is seen when it is read."""
