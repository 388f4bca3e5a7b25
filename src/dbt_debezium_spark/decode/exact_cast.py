"""SQL that casts a decoded value exactly to the Spark type of another encoding."""

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
# Types that Spark itself casts from text.
_FROM_TEXT = frozenset(("int", "bigint", "float", "date", "timestamp_ntz", "timestamp", "boolean"))


def exact_cast(config: Config, own: Column, wanted: Column, value: str, text: str) -> str:
    """Return SQL: a value in the Spark type of another encoding.

    The result is NULL if the value does not fit exactly. Only DOUBLE accepts a rounded value,
    because a model with this type accepts its precision.

    Args:
        config: configuration of the source.
        own: column of the record.
        wanted: column of the model.
        value: SQL: the value, decoded by the encoding of the record.
        text: SQL: the value's JSON text.

    Raises:
        CompilationError: a Connect type is unknown.
    """
    spark_type, into = (encoding_of(config, column)["spark_type"] for column in (own, wanted))
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
        cast = f"try_cast(v as {into})"
        return let("v", value, f"case when {cast} = v then {cast} end")
    return f"cast(null as {into})"


def _as_text(config: Config, own: Column, spark_type: str, value: str, text: str) -> str:
    if spark_type == "binary":
        # the text that the connector writes for the bytes now
        match config["binary_handling_mode"]:
            case "hex":
                return f"lower(hex({value}))"
            case "base64-url-safe":
                return f"translate(base64({value}), '+/', '-_')"
        return f"base64({value})"
    encoding = encoding_of(config, own)
    if encoding["kind"] == "decimal" and not encoding.get("cut"):
        # Spark writes small decimals with an exponent
        as_text: Encoding = {**encoding, "spark_type": "string"}
        return let("p", prepare(config, own, text), decode_decimal(as_text, "p"))
    return f"cast({value} as string)"


def _as_bytes(config: Config, text: str) -> str:
    """Return SQL: the bytes of a text, whose form is known only from the configuration."""
    mode = config["binary_handling_mode"]
    if mode == "bytes":
        return "cast(null as binary)"
    return decode(config, {"type": "string", "parameters": {"binary.handling.mode": mode}}, text)


def _is_convertible(spark_type: str, into: str) -> bool:
    kinds = {spark_type.split("(")[0], into.split("(")[0]}
    return kinds <= _NUMBERS or kinds <= _MOMENTS
