"""Namespace `models` of the door: what the models of a project declare in their calls."""

from __future__ import annotations

from dbt_debezium_spark.staging_call import (
    is_one_call,
    observability_call,
    records_read,
    staging_call,
)
from dbt_debezium_spark.table_columns import table_columns

__all__ = ["is_one_call", "observability_call", "records_read", "staging_call", "table_columns"]
