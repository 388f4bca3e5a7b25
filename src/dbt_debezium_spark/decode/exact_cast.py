"""SQL that takes a value decoded by one encoding into the Spark type of another."""

from __future__ import annotations

from dbt_debezium_spark.decode.columns import Column, Config, Encoding
from dbt_debezium_spark.decode.decimals import decode_decimal, decode_decimal_number
from dbt_debezium_spark.decode.decoder import decode
from dbt_debezium_spark.decode.encoding import encoding_of
from dbt_debezium_spark.decode.let import let
from dbt_debezium_spark.decode.prepare import prepare
from dbt_debezium_spark.decode.whole_number import whole_number

_NUMBERS = frozenset(("int", "bigint", "float", "double", "decimal"))
_MOMENTS = frozenset(("date", "timestamp_ntz", "timestamp"))
# What is read from a text as Spark reads it.
_FROM_TEXT = frozenset(("int", "bigint", "float", "date", "timestamp_ntz", "timestamp", "boolean"))


def exact_cast(config: Config, own: Column, wanted: Column, value: str, text: str) -> str:
    """Return SQL: a value in the Spark type of another encoding.

    NULL where it does not fit exactly. Only DOUBLE takes what it can: whoever asks for it has
    agreed to its digits.

    Args:
        config: of the source.
        own: the column as the record has it.
        wanted: the column as the model has it.
        value: SQL: the value, decoded by its own encoding.
        text: SQL: the value's JSON text.

    Raises:
        CompilationError: a type is none of Connect's.
    """
    spark_type, into = (encoding_of(config, one)["spark_type"] for one in (own, wanted))
    if spark_type == into:
        return value
    if into == "string":
        return _as_text(config, own, spark_type, value, text)
    if spark_type == "string" and into == "binary":
        return _as_bytes(config, text)
    if into == "double" and not spark_type.startswith(("array", "map", "struct")):
        return f"try_cast({value} as double)"
    if spark_type == "string" and into.startswith("decimal"):
        scale = whole_number(into[:-1].split(",")[1])
        return decode_decimal_number(
            {"kind": "decimal", "spark_type": into, "scale": scale}, f"({value})"
        )
    if spark_type == "string" and into in _FROM_TEXT:
        return f"try_cast({value} as {into})"
    if {spark_type, into} == {"boolean", "int"}:
        return f"cast({value} as {into})"
    if _is_convertible(spark_type, into):
        taken = f"try_cast(v as {into})"
        return let("v", value, f"case when {taken} = v then {taken} end")
    return f"cast(null as {into})"


def _as_text(config: Config, own: Column, spark_type: str, value: str, text: str) -> str:
    if spark_type == "binary":
        # as the connector would write the bytes now
        match config["binary_handling_mode"]:
            case "hex":
                return f"lower(hex({value}))"
            case "base64-url-safe":
                return f"translate(base64({value}), '+/', '-_')"
        return f"base64({value})"
    encoding = encoding_of(config, own)
    if encoding["kind"] == "decimal" and not encoding.get("cut"):
        # Spark prints small decimals with an exponent
        as_text: Encoding = {**encoding, "spark_type": "string"}
        return let("p", prepare(config, own, text), decode_decimal(as_text, "p"))
    return f"cast({value} as string)"


def _as_bytes(config: Config, text: str) -> str:
    """Return SQL: a text that once stood for bytes; in which form, only the configuration says."""
    mode = config["binary_handling_mode"]
    if mode == "bytes":
        return "cast(null as binary)"
    return decode(config, {"type": "string", "parameters": {"binary.handling.mode": mode}}, text)


def _is_convertible(spark_type: str, into: str) -> bool:
    kinds = {spark_type.split("(")[0], into.split("(")[0]}
    return kinds <= _NUMBERS or kinds <= _MOMENTS
