"""Namespace `text` of the door: texts as literals, names, and values of table properties."""

from __future__ import annotations

from dbt_debezium_spark.text.literals import (
    printable,
    read_argument,
)
from dbt_debezium_spark.text.names import columns_problem
from dbt_debezium_spark.text.property_text import pack, short_hash, unpack
from dbt_debezium_spark.text.sql_text import exact_json, quoted_path

__all__ = [
    "columns_problem",
    "exact_json",
    "pack",
    "printable",
    "quoted_path",
    "read_argument",
    "short_hash",
    "unpack",
]
