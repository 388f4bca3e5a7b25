"""Lines of Aiven's CSV: fields without names, separated by commas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.config.sink_layouts import BASE64, FIELDS
from dbt_debezium_spark.landing.record_line import MAX_CONTENT_CHARACTERS
from dbt_debezium_spark.landing.schemas import HEADERS_TYPE, RECORD, REJECTED
from dbt_debezium_spark.landing.text_lines import BLANK, oversized_reason

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_PART = r"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"
_BASE64 = rf"^{_PART}$"
_HEADERS = rf"^(?:{_PART}:{_PART};)+$"
_OFFSET = r"^[0-9]{1,18}$"
_EPOCH_MS = r"^[0-9]{1,15}$"


def csv_lines(text: DataFrame, max_line_bytes: int, *, fields: Sequence[str]) -> DataFrame:
    """Return every line with its text as `value`; see `LineForm.decide`."""
    is_blank = F.trim("value", F.lit(" \t\r")) == ""
    state = F.when(F.col("value").isNull(), F.lit(REJECTED))
    if len(fields) > 1:
        # An empty line is a tombstone if the value is the only field.
        state = state.when(is_blank, F.lit(BLANK))
    decided = text.withColumn("state", state.otherwise(F.lit(RECORD)))
    return decided.select(
        "path",
        "block",
        "seq",
        "bytes",
        "state",
        F.rtrim("value", F.lit("\r")).alias("value"),
        F.when(F.col("state") == REJECTED, oversized_reason(max_line_bytes)).alias("reason"),
        F.col("beginning").alias("content"),
        F.lit(None).cast("binary").alias("line"),
    )


def csv_fields(rows: DataFrame, fields: Sequence[str], encoding: str) -> DataFrame:
    """Replace the text of lines by their fields; key and value become bytes.

    Args:
        rows: rows whose `value` is the text of the line; others have a reason.
        fields: names of the fields in their order.
        encoding: of the value; the key is always in base64.
    """
    is_plain = encoding != BASE64
    split = rows.withColumn("text", F.col("value")).withColumn(
        "parts", F.split(F.col("value"), ",", -1)
    )
    extra = F.size("parts") - len(fields)
    texts = split.withColumn("extra", extra).select(
        *rows.columns,
        "text",
        F.size("parts").alias("size"),
        (F.col("extra") >= 0 if is_plain else F.col("extra") == 0).alias("has_fields"),
        *[F.nullif(_text(name, fields), F.lit("")).alias(f"{name}_text") for name in FIELDS],
    )
    checked = texts.withColumn("reason", _reason(fields, is_plain=is_plain))
    is_good = F.col("reason").isNull()
    value = F.col("value_text")
    decoded = {
        "key": F.unbase64("key_text"),
        "value": value.cast("binary") if is_plain else F.unbase64(value),
        "offset": F.col("offset_text").try_cast("bigint"),
        "timestamp": _timestamp(),
        "headers": _headers(),
    }
    line = F.substring("text", 1, MAX_CONTENT_CHARACTERS)
    kept = [name for name in rows.columns if name not in (*decoded, "content")]
    return checked.select(
        *kept,
        *[F.when(is_good, column).alias(name) for name, column in decoded.items()],
        F.when(~is_good, F.coalesce("content", line)).alias("content"),
    )


def _text(name: str, fields: Sequence[str]) -> Column:
    """Return the text of a field of `parts`; only the value can contain commas."""
    if name not in fields:
        return F.lit(None).cast("string")
    at, value_at = fields.index(name), fields.index("value")
    if at == value_at:
        return F.array_join(F.slice("parts", F.lit(at + 1), F.greatest("extra", F.lit(0)) + 1), ",")
    # Fields behind the value are counted from the end of the line.
    number = at + 1 if at < value_at else at - len(fields)
    return F.try_element_at("parts", F.lit(number))


def _reason(fields: Sequence[str], *, is_plain: bool) -> Column:
    size = F.col("size").cast("string")
    expected = F.lit(f" fields, not {len(fields)} ({', '.join(fields)}: `input.fields`)")
    is_value = F.lit(is_plain) | F.rlike("value_text", F.lit(_BASE64))
    return (
        F.when(F.col("reason").isNotNull(), F.col("reason"))
        .when(F.expr("not is_valid_utf8(text)"), F.lit("malformed_line: not UTF-8"))
        .when(
            ~F.coalesce("has_fields", F.lit(False)),
            F.concat(F.lit("malformed_line: "), size, expected),
        )
        .when(~F.rlike("key_text", F.lit(_BASE64)), F.lit("bad_value: key: not base64"))
        .when(~is_value, F.lit("bad_value: value: not base64 (`input.value_encoding`)"))
        .when(~F.rlike("offset_text", F.lit(_OFFSET)), _wrong("offset"))
        .when(F.col("timestamp_text").isNotNull() & _timestamp().isNull(), _wrong("timestamp"))
        .when(~F.rlike("headers_text", F.lit(_HEADERS)), _wrong("headers"))
    )


def _wrong(name: str) -> Column:
    return F.concat(F.lit(f"bad_value: {name}: "), F.substring(f"{name}_text", 1, 100))


def _timestamp() -> Column:
    text = F.col("timestamp_text")
    return F.when(
        F.rlike(text, F.lit(_EPOCH_MS)), F.timestamp_millis(text.try_cast("bigint"))
    ).when(F.rlike(text, F.lit(r"^[0-9]{4}-")), text.try_cast("timestamp"))


def _headers() -> Column:
    """Return the headers of a text `key:value;key:value;`, all parts in base64."""
    pairs = F.transform(
        F.split(F.rtrim("headers_text", F.lit(";")), ";"), lambda pair: F.split(pair, ":")
    )
    return F.transform(
        pairs,
        lambda pair: F.struct(
            F.unbase64(pair[0]).cast("string").alias("key"),
            F.unbase64(pair[1]).cast("string").alias("value"),
        ),
    ).cast(HEADERS_TYPE)
