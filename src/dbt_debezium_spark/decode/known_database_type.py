"""Facts about a column that follow from its database type, but not from its records."""

from __future__ import annotations

import re

from dbt_debezium_spark.decode.columns import Column, Config, parameters_of
from dbt_debezium_spark.decode.connectors import connector_of
from dbt_debezium_spark.decode.encoding import encoding_of

_NUMBER = re.compile("[0-9]+")
_BYTE_TYPES = frozenset(
    (
        "binary",
        "varbinary",
        "image",
        "rowversion",
        "tinyblob",
        "blob",
        "mediumblob",
        "longblob",
        "raw",
        "bytea",
    )
)
_OWN_PARAMETERS = ("binary.handling.mode", "unsigned")


def known_database_type(config: Config, column: Column, database_type: str | None) -> Column:
    """Return a column with facts from its database type.

    The type shows that a text stands for bytes, that a 64-bit number is unsigned, and how many
    digits a time of day has. `without_known_type` removes these facts.

    Args:
        config: configuration of the source.
        column: column of a record or definition.
        database_type: type as in DDL: `varbinary(16)`, `BIGINT UNSIGNED`; None if it is unknown.
    """
    type_name = (database_type or "").lower()
    word = type_name.replace("(", " ").split(" ")[0]
    if _is_text_of_bytes(config, column, word):
        return {**column, "parameters": {"binary.handling.mode": config["binary_handling_mode"]}}
    if _is_unsigned(config, column, word, type_name):
        return {**column, "parameters": {"unsigned": "true"}}
    usual = connector_of(config).time_digits
    if (
        word == "time"
        and usual is not None
        and encoding_of(config, column)["kind"] == "time_of_day"
    ):
        sizes = _NUMBER.findall(type_name)
        return {**column, "digits": int(sizes[-1]) if sizes else usual}
    return column


def without_known_type(column: Column) -> Column:
    """Return a column without facts from its database type."""
    parameters = {
        name: value for name, value in parameters_of(column).items() if name not in _OWN_PARAMETERS
    }
    return {**column, "parameters": parameters}


def _is_text_of_bytes(config: Config, column: Column, word: str) -> bool:
    if column.get("type") != "string" or config["binary_handling_mode"] == "bytes":
        return False
    if config["connector"] == "sqlserver" and word == "timestamp":
        return True
    return not column.get("semantic") and word in _BYTE_TYPES


def _is_unsigned(config: Config, column: Column, word: str, type_name: str) -> bool:
    return (
        column.get("type") == "int64"
        and not column.get("semantic")
        and word in ("bigint", "serial", "int8")
        and connector_of(config).has_unsigned
        and (word == "serial" or "unsigned" in type_name or "zerofill" in type_name)
    )
