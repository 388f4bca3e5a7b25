"""How a Connect Decimal is written, and which Spark type holds all of its values."""

from __future__ import annotations

from collections.abc import Mapping

from dbt_debezium_spark.decode.columns import Encoding
from dbt_debezium_spark.decode.whole_number import whole_number

# The digits of a number that Spark's DECIMAL holds.
MOST_DIGITS = 38


def decimal_encoding(parameters: Mapping[str, str]) -> Encoding:
    """Return the encoding of base64 of the big-endian two's complement value (spec §11.3).

    A precision over 38 digits, a missing one (PostgreSQL money sends none: then 38) or a scale
    outside 0 to 38 decide the Spark type: DECIMAL where every value fits, else the exact number as
    text.

    PostgreSQL counts a declared negative scale in 11 bits: `numeric(5,-2)` arrives with scale 2046
    (spec §16). No declared scale is over 1000, so such a column is told by its scale, and its
    values, `cut` at the point, fit DECIMAL(7,0).

    Args:
        parameters: of the schema: `scale` and `connect.decimal.precision`, as texts.
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
    if declared < 0 and precision - declared <= MOST_DIGITS:
        encoding["spark_type"] = f"decimal({precision - declared},0)"
        encoding["cut"] = scale > 1000
    elif declared >= 0 and precision <= MOST_DIGITS and declared <= precision:
        encoding["spark_type"] = f"decimal({precision},{declared})"
    return encoding
