"""Kafka's columns in a relation of Spark, whose names may differ."""

from __future__ import annotations

from collections.abc import Sequence

from dbt_debezium_spark.config import TableInput
from dbt_debezium_spark.config.input_table import COLUMNS
from dbt_debezium_spark.landing.row_rules import missing_columns


def mapped_columns(source: str, settings: TableInput, names: Sequence[str]) -> dict[str, str]:
    """Return the relation's column for each of Kafka's columns that it has.

    Args:
        source: name of the source, for messages.
        settings: the source's input.
        names: columns of the relation.

    Raises:
        ValueError: a required column or a configured one is missing.
    """
    known = {name.lower(): name for name in names}
    found = {}
    for column in COLUMNS:
        name = settings.columns.get(column, column)
        if name.lower() in known:
            found[column] = known[name.lower()]
        elif column in settings.columns:
            raise ValueError(
                f"debezium_spark: source `{source}`: `input.columns.{column}` is `{name}`,"
                f" which {settings.relation} does not have. It has: {', '.join(names)}."
            )
    missing = missing_columns(list(found))
    if missing:
        raise ValueError(
            f"debezium_spark: source `{source}`: {settings.relation} has no column"
            f" `{missing[0]}`. Map it: input.columns.{missing[0]}. It has: {', '.join(names)}."
        )
    return found


def unreadable(source: str, relation: str, error: str) -> ValueError:
    """Return the error for a relation that Spark cannot read.

    Args:
        source: name of the source.
        relation: name of the relation.
        error: text of Spark's error.
    """
    reason = next((line for line in error.splitlines() if line.strip()), "")
    return ValueError(
        f"debezium_spark: source `{source}` reads `{relation}`, which Spark cannot: {reason}"
        " Correct `input.relation`, or create it."
    )
