"""Namespace `explain` of the door: what is asked for, and what the macros found of it."""

from __future__ import annotations

from dbt_debezium_spark.explain.asked import find_table, key_asked
from dbt_debezium_spark.explain.documents import explained_document, explained_values
from dbt_debezium_spark.explain.events import chains, explained

__all__ = [
    "chains",
    "explained",
    "explained_document",
    "explained_values",
    "find_table",
    "key_asked",
]
