"""The encoding of a column's values in JSON, and their Spark type (spec §11.2)."""

from __future__ import annotations

from dbt_debezium_spark.decode.columns import Column, Config, Encoding, items_of, parameters_of
from dbt_debezium_spark.decode.connectors import Connector, connector_of
from dbt_debezium_spark.decode.decimal_encoding import decimal_encoding
from dbt_debezium_spark.decode.errors import refusal
from dbt_debezium_spark.decode.semantic_types import DECIMAL, LITERAL_TYPES, SEMANTIC_TYPES


def encoding_of(config: Config, column: Column) -> Encoding:
    """Return the encoding of a column's values.

    For an unknown semantic name the literal type decides.

    Args:
        config: configuration of the source.
        column: column of the catalog or of a schema.

    Raises:
        CompilationError: the literal type is unknown.
    """
    semantic = column.get("semantic")
    if semantic == DECIMAL:
        return decimal_encoding(parameters_of(column))
    if semantic in SEMANTIC_TYPES:
        return _semantic_encoding(SEMANTIC_TYPES[semantic], connector_of(config))
    return _literal_encoding(config, column)


def spark_type_of(config: Config, column: Column) -> str:
    """Return the Spark type of a column's decoded values."""
    return encoding_of(config, column)["spark_type"]


def _semantic_encoding(known: Encoding, connector: Connector) -> Encoding:
    """Return the encoding of a semantic type, with properties of the connector."""
    encoding = known.copy()
    if encoding["kind"] == "zoned_timestamp" and connector.has_exact_zones:
        encoding["exact_text"] = "always"
    elif encoding["spark_type"] == "date" and connector.has_infinite_times:
        encoding["exact_text"] = "beyond"
    elif encoding["kind"] == "iso_timestamp" and connector.has_exact_zones:
        # only these have more than six digits
        encoding["exact_text"] = "beyond"
    elif encoding["kind"] == "epoch" and encoding["unit"] == 9:
        # SQL Server counts in steps of 100 ns, so an overflow can be corrected. PostgreSQL's
        # infinities are the lowest and highest number of 64 bits.
        encoding["wraps"] = connector.counts_100_ns
        encoding["infinite"] = connector.has_infinite_times
    return encoding


def _literal_encoding(config: Config, column: Column) -> Encoding:
    literal = column.get("type")
    parameters = parameters_of(column)
    if literal == "array":
        items = spark_type_of(config, items_of(column))
        return {"kind": "array", "spark_type": f"array<{items}>"}
    if literal == "string" and parameters.get("binary.handling.mode"):
        return {"kind": parameters["binary.handling.mode"], "spark_type": "binary"}
    if literal == "int64" and parameters.get("unsigned") == "true":
        return {"kind": "unsigned", "spark_type": "decimal(20,0)"}
    if literal in LITERAL_TYPES:
        return LITERAL_TYPES[literal].copy()
    raise refusal(
        "encoding",
        f"column '{column.get('name')}' has the unknown Connect type '{literal}'",
        f"Use one of {', '.join(LITERAL_TYPES)} (spec of the Connect schema: type).",
    )
