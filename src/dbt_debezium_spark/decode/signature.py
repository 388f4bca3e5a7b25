"""What two columns must share to be read, and printed in a key, alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from dbt_debezium_spark.decode.columns import Column, Config
from dbt_debezium_spark.decode.encoding import encoding_of
from dbt_debezium_spark.decode.known_database_type import without_known_type

# of an encoding, what people read
_WORDS = ("about", "literal")


def signature(config: Config, column: Column) -> dict[str, Any]:
    """Return how a column's values are read; members are stored in table properties, and stay.

    Args:
        config: configuration of the source.
        column: a column, as models declare it.
    """
    encoding = {
        member: value
        for member, value in encoding_of(config, column).items()
        if member not in _WORDS
    }
    if encoding["kind"] == "bits":
        encoding["length"] = (column.get("parameters") or {}).get("length")
    elif encoding["kind"] == "array":
        encoding["items"] = signature(config, column.get("items") or {"type": "string"})
    return encoding


def same_encoding(config: Config, record_column: Column, model_column: Column) -> bool:
    """Return whether a record's column is read as that of a model.

    What only the database type shows (`known_database_type`) is not in a record.
    """
    return signature(config, record_column) == signature(config, without_known_type(model_column))


def column_form(config: Config, column: Column) -> dict[str, Any]:
    """Return what the stored values of a column depend on."""
    declared = cast("Mapping[str, Any]", column)
    form = {
        "encoding": signature(config, column),
        "formerly": declared.get("formerly") or [],
        "added_default": declared.get("added_default"),
    }
    if declared.get("gone_until"):
        form["gone_until"] = declared["gone_until"]
    return form


def key_form(config: Config, key: Sequence[Column]) -> list[list[Any]]:
    """Return what the text of a key (`_cdc_key`) depends on: each column's first name and form."""
    return [
        [_first_name(cast("Mapping[str, Any]", column)), key_text_form(config, column)]
        for column in key
    ]


def key_text_form(config: Config, column: Column) -> str | Mapping[str, Any]:
    """Return how a key prints a column: integers of any length alike, decimals of any precision."""
    spark_type = str(encoding_of(config, column)["spark_type"])
    if spark_type in ("int", "bigint"):
        return "integer"
    if spark_type.startswith("decimal"):
        return f"decimal {spark_type[:-1].split(',')[1]}"
    return signature(config, column)


def _first_name(column: Mapping[str, Any]) -> str:
    return str([column["name"], *(column.get("formerly") or [])][-1])
