"""Namespace `verify` of the door: how columns are compared with rows of the source."""

from __future__ import annotations

from dbt_debezium_spark.verify.columns import (
    compared_columns,
    compared_texts,
    key_there,
    unreadable,
)
from dbt_debezium_spark.verify.reading import database
from dbt_debezium_spark.verify.text import comparison

__all__ = [
    "compared_columns",
    "compared_texts",
    "comparison",
    "database",
    "key_there",
    "unreadable",
]
