"""The encoding of a Connect Decimal, and the Spark type for all of its values."""

from __future__ import annotations

from collections.abc import Mapping

from dbt_debezium_spark.decode.columns import Encoding
from dbt_debezium_spark.decode.whole_number import whole_number

# Maximal number of digits of Spark's DECIMAL.
MAX_DIGITS = 38


def decimal_encoding(parameters: Mapping[str, str]) -> Encoding:
    """Return the encoding of base64 of the big-endian two's complement value (spec §11.3).

    Precision and scale decide the Spark type: DECIMAL if every value fits, else the exact number as
    text. A missing precision is 38 (PostgreSQL's money has none).

    PostgreSQL sends a declared negative scale in 11 bits: `numeric(5,-2)` arrives with scale 2046
    (spec §16). No declared scale is above 1000, so the scale identifies such a column, and its
    values, `cut` at the decimal point, fit in DECIMAL(7,0).

    Args:
        parameters: parameters of the schema: `scale` and `connect.decimal.precision`, as texts.
    """
    scale = whole_number(parameters.get("scale", "0"))
    precision = whole_number(parameters.get("connect.decimal.precision", "38"))
    encoding: Encoding = {
        "kind": "decimal",
        "scale": scale,
        "precision": precision,
        "spark_type": "string",
    }
    declared = scale - 2048 if scale > 1000 else scale
    if declared < 0 and precision - declared <= MAX_DIGITS:
        encoding["spark_type"] = f"decimal({precision - declared},0)"
        encoding["cut"] = scale > 1000
    elif declared >= 0 and precision <= MAX_DIGITS and declared <= precision:
        encoding["spark_type"] = f"decimal({precision},{declared})"
    return encoding
