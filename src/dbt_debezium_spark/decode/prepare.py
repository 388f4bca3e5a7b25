"""SQL of the first step of decoding, which staging computes in a separate projection."""

from __future__ import annotations

from dbt_debezium_spark.decode.columns import Column, Config
from dbt_debezium_spark.decode.encoding import encoding_of
from dbt_debezium_spark.decode.nested import distinct_members
from dbt_debezium_spark.decode.prepare_decimal import prepare_decimal
from dbt_debezium_spark.decode.scalars import decode_base64


def prepare(config: Config, column: Column, text: str, record: str | None = None) -> str:
    """Return SQL: the expensive part of decoding a value's text (base64, JSON, a number).

    `decode` uses the result several times. In a separate projection Spark computes it once.

    Args:
        config: configuration of the source.
        column: column of the value.
        text: SQL: the value's JSON text.
        record: SQL: the JSON text that contains the value, if available. It distinguishes a decimal
            that has only digits from base64 text that consists of digits.

    Raises:
        CompilationError: the column's Connect type is unknown.
    """
    match encoding_of(config, column)["kind"]:
        case "decimal":
            return prepare_decimal(config, column, text, record)
        case "bits":
            return decode_base64(text)
        case "epoch" | "time_of_day" | "unsigned":
            return f"try_cast({text} as bigint)"
        case "days":
            return f"try_cast({text} as int)"
        case "variable_scale_decimal":
            return f"from_json({text}, 'struct<scale:int,value:string>')"
        case "struct":
            return distinct_members(text)
        case "sparse_vector":
            return f"from_json({text}, 'struct<dimensions:string,vector:array<array<string>>>')"
        case "array" | "vector":
            return f"from_json({text}, 'array<string>')"
    return text
