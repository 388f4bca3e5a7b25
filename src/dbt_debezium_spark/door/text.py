"""Namespace `text` of the door: texts as literals, names, and values of table properties."""

from __future__ import annotations

from dbt_debezium_spark.literals import (
    jinja_block,
    jinja_lines,
    jinja_text,
    printable,
    python_text,
    read_argument,
    yaml_argument,
    yaml_name,
)
from dbt_debezium_spark.names import collision, unwritable
from dbt_debezium_spark.property_text import pack, unpack
from dbt_debezium_spark.sql_text import quoted_path

__all__ = [
    "collision",
    "jinja_block",
    "jinja_lines",
    "jinja_text",
    "pack",
    "printable",
    "python_text",
    "quoted_path",
    "read_argument",
    "unpack",
    "unwritable",
    "yaml_argument",
    "yaml_name",
]
