"""SQL that turns the prepared text of a column's value into its Spark type."""

from __future__ import annotations

from dbt_debezium_spark.decode.bits import decode_bits
from dbt_debezium_spark.decode.columns import Column, Config, items_of
from dbt_debezium_spark.decode.dates import (
    decode_days,
    decode_iso_date,
    decode_iso_time,
    decode_iso_timestamp,
    decode_zoned_timestamp,
)
from dbt_debezium_spark.decode.decimals import decode_decimal, decode_variable_scale_decimal
from dbt_debezium_spark.decode.encoding import encoding_of
from dbt_debezium_spark.decode.epoch import decode_epoch
from dbt_debezium_spark.decode.errors import refusal
from dbt_debezium_spark.decode.nested import decode_map, decode_sparse_vector, decode_struct
from dbt_debezium_spark.decode.prepare import prepare
from dbt_debezium_spark.decode.scalars import (
    decode_base64,
    decode_boolean,
    decode_hexadecimal,
    decode_number,
    decode_unsigned,
    decode_url_safe_base64,
)
from dbt_debezium_spark.decode.time_of_day import decode_time_of_day


def decode(config: Config, column: Column, prepared: str) -> str:
    """Return SQL: the value in its Spark type; NULL for no value and for an undecodable one.

    If the text is not null and the value is null, callers report an error, so no decoder may guess.
    There are only expressions, no UDFs.

    Args:
        config: configuration of the source.
        column: column of the value.
        prepared: SQL: result of `prepare` for a member of the row image from
            `from_json(…, 'map<string,string>')`: numbers and booleans as text, nested values as
            compact JSON.

    Raises:
        CompilationError: the column's Connect type or its text mode is unknown.
    """
    encoding = encoding_of(config, column)
    spark_type = encoding["spark_type"]
    match encoding["kind"]:
        case "string":
            return prepared
        case "number":
            return decode_number(spark_type, prepared, is_small=column["type"] == "int16")
        case "unsigned":
            return decode_unsigned(spark_type, prepared)
        case "boolean":
            return decode_boolean(prepared)
        case "base64":
            return decode_base64(prepared)
        case "base64-url-safe":
            return decode_url_safe_base64(prepared)
        case "hex":
            return decode_hexadecimal(prepared)
        case "decimal":
            return decode_decimal(encoding, prepared)
        case "variable_scale_decimal":
            return decode_variable_scale_decimal(prepared)
        case "bits":
            return decode_bits(column, prepared)
        case "days":
            return decode_days(prepared)
        case "iso_date":
            return decode_iso_date(prepared)
        case "time_of_day":
            return decode_time_of_day(column, encoding, prepared)
        case "iso_time":
            return decode_iso_time(prepared)
        case "epoch":
            return decode_epoch(encoding, prepared)
        case "iso_timestamp":
            return decode_iso_timestamp(prepared)
        case "zoned_timestamp":
            return decode_zoned_timestamp(prepared)
        case "struct":
            return decode_struct(spark_type, prepared)
        case "map":
            return decode_map(prepared)
        case "sparse_vector":
            return decode_sparse_vector(prepared)
        case "vector":
            items: Column = {"type": spark_type[len("array<") : -1]}
            return _decode_array(config, items, prepared)
        case "array":
            return _decode_array(config, items_of(column), prepared)
        case kind:
            raise refusal(
                "decode", f"no decoder for kind '{kind}'", "This is a defect of the package."
            )


def _decode_array(config: Config, items: Column, texts: str) -> str:
    """Return SQL: an array, whose elements are decoded by their type.

    An undecodable element makes the whole array NULL, because a NULL element would be wrong.

    Args:
        config: configuration of the source.
        items: the elements as a column.
        texts: SQL: their texts, as ARRAY<STRING>.
    """
    if encoding_of(config, items)["kind"] == "string":
        return texts
    item = decode(config, items, prepare(config, items, "item"))
    is_unread = f"item -> item is not null and ({item}) is null"
    return f"case when not exists({texts}, {is_unread}) then transform({texts}, item -> {item}) end"
