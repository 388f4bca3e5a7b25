"""A table or view that somebody else fills, as a source's input."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator

from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.values import as_mapping, as_text, refuse_unknown, text

# Kafka's columns, with the names of Spark's Kafka source and the raw table.
COLUMNS = ("topic", "partition", "offset", "timestamp", "timestampType", "key", "value", "headers")


def _columns(value: Any) -> dict[str, str]:
    columns = as_mapping(value or {})
    refuse_unknown(columns, COLUMNS)
    return {name: as_text(column, f"kafka_{name}", f".{name}") for name, column in columns.items()}


class TableInput(Block):
    """A relation of Spark; `columns` maps Kafka's columns to those of the relation."""

    type: Literal["table"] = "table"
    relation: Annotated[str, text("bronze.kafka_records")]
    columns: Annotated[dict[str, str], BeforeValidator(_columns)] = {}

    def check(self, where: str, project_dir: str) -> None:
        """Do nothing: landing finds out whether the relation exists."""
