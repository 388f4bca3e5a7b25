"""Namespace `models` of the door: what a project's models declare, and how tables differ."""

from __future__ import annotations

from dbt_debezium_spark.catalog.drift import collections_added, rebuild_command, table_changes
from dbt_debezium_spark.generator.staging_call import (
    is_one_call,
    observability_call,
    records_read,
    staging_call,
)
from dbt_debezium_spark.generator.table_columns import table_columns

__all__ = [
    "collections_added",
    "is_one_call",
    "observability_call",
    "rebuild_command",
    "records_read",
    "staging_call",
    "table_changes",
    "table_columns",
]
