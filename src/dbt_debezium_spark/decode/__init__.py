"""SQL that decodes the values of columns, by the encoding of each type.

Functions here build text and run nothing. Macros call them as `adapter.debezium().decode.…`: see
`door`. "SQL" in descriptions of arguments and results means the text of an expression.
"""

from __future__ import annotations

from dbt_debezium_spark.decode.columns import Column, Config, Encoding, Layout, names_of
from dbt_debezium_spark.decode.decoder import decode
from dbt_debezium_spark.decode.encoding import encoding_of, spark_type_of
from dbt_debezium_spark.decode.exact_numbers import exact_numbers, quote_fractions
from dbt_debezium_spark.decode.exact_text import (
    DecodedColumn,
    decode_exact_text,
    decoded_columns,
    exact_text_name,
)
from dbt_debezium_spark.decode.known_database_type import known_database_type, without_known_type
from dbt_debezium_spark.decode.let import let
from dbt_debezium_spark.decode.prepare import prepare
from dbt_debezium_spark.decode.recorded import decode_recorded, decode_recorded_text
from dbt_debezium_spark.decode.semantic_types import LITERAL_TYPES, SEMANTIC_TYPES
from dbt_debezium_spark.decode.signature import (
    column_form,
    key_form,
    key_text_form,
    same_encoding,
    signature,
)
from dbt_debezium_spark.decode.unavailable_forms import unavailable_forms

__all__ = [
    "LITERAL_TYPES",
    "SEMANTIC_TYPES",
    "Column",
    "Config",
    "DecodedColumn",
    "Encoding",
    "Layout",
    "column_form",
    "decode",
    "decode_exact_text",
    "decode_recorded",
    "decode_recorded_text",
    "decoded_columns",
    "encoding_of",
    "exact_numbers",
    "exact_text_name",
    "known_database_type",
    "key_form",
    "key_text_form",
    "let",
    "names_of",
    "prepare",
    "quote_fractions",
    "same_encoding",
    "signature",
    "spark_type_of",
    "unavailable_forms",
    "without_known_type",
]
