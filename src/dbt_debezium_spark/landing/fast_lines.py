"""Read lines with Spark's own expressions, which is fast and possible for nearly every line.

A line for which the result could differ from that of `record_line` is left unread, with the state
`line`, for `exact_lines`. Such lines are broken, have uncommon spellings, or have a key or value
that is a JSON object (Spark writes its numbers again, 1.10 becomes 1.1).
"""

from __future__ import annotations

import operator
import uuid
from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.config.inputs import MAX_LINE_BYTES
from dbt_debezium_spark.landing.record_values import INT_MAX
from dbt_debezium_spark.landing.row_rules import may_have_surrogate_escapes
from dbt_debezium_spark.landing.schemas import HEADERS_TYPE, RECORD, REJECTED
from dbt_debezium_spark.landing.text_lines import (
    BLANK,
    LINE,
    oversized_reason,
    text_lines,
)

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


_MEMBERS = ", ".join(
    f"`{name}` {kind}"
    for name, kind in {
        "topic": "string",
        "partition": "bigint",
        "offset": "bigint",
        "timestamp": "string",
        "ts": "string",
        "timestampType": "string",
        "tstype": "string",
        "key": "string",
        "value": "string",
        "payload": "string",
        "headers": "string",
        "key_error": "string",
        "payload_error": "string",
    }.items()
)
# Spark reads the first JSON value of a text and ignores the rest, so the second of two records on
# one line would be lost. Inside a frame, text after the record breaks the parse, makes a second
# item, or hides the end mark, which is random.
_FRAME_SCHEMA = f"line array<struct<{_MEMBERS}>>, end string, broken string"
JSON_OPTIONS = {
    "columnNameOfCorruptRecord": "broken",
    "allowSingleQuotes": "false",
    "allowNonNumericNumbers": "false",
}
# Inside a JSON string a quote has a backslash before it, so these patterns match only members. Each
# begins with the text that Java looks for: one pattern with alternatives takes three times as long.
_NOT_TEXT = [rf'"{name}"\s*+:\s*+[^"n\s]' for name in ("topic", "key", "value", "payload")]
_NULL_VALUE = r'"(?:value|payload)"\s*+:\s*+null'
# Members in another spelling, which count if the usual one is missing. A brace or comma is before
# each member, so that Java passes over the quotes inside texts.
_OTHER_SPELLING = (
    r'[{,]\s*+"'
    r'(?!(?:timestamp|timestampType|ts|tstype|key|value|payload|headers|key_error|payload_error)")'
    r"(?i:timestamp|timestamp_?type|ts|tstype|key|value|payload|headers|key_error|payload_error)"
    r'"\s*+:'
)
SURROGATE_ESCAPE = r"\\u[dD][89a-fA-F]"
# Spark accepts more than this: a time without a date, as one of today, and names of zones.
_WRITTEN_TIMESTAMP = (
    r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})?$"
)
_TIMESTAMP_TYPES = {"0": 0, "1": 1, "-1": -1, "create": 0, "logappend": 1}
_TIMESTAMP_TYPES |= {"CreateTime": 0, "LogAppendTime": 1, "NoTimestampType": -1, "unknown": -1}
# Longer numbers of milliseconds do not fit in Spark's timestamps.
_MAX_EPOCH_MS_DIGITS = 15


def read_lines(
    session: SparkSession,
    paths: list[str],
    max_line_bytes: int = MAX_LINE_BYTES,
    *,
    is_compressed: bool = False,
) -> DataFrame:
    """Return every line of files, as a record if that is certain.

    Args:
        session: Spark.
        paths: files, wildcard characters escaped.
        max_line_bytes: longer lines are rejected without being parsed. Lines above
            `spark_line_limit` are missing, which the size of their file shows.
        is_compressed: whether Spark decompresses the files; then no line is missing.

    Returns:
        `path`, `block`, `seq` (see `schemas.PLACE_COLUMNS`), `bytes` (length of the line without
        its newline), `state` (`record`, `blank`, `rejected` or `line`), the record's columns,
        `reason` and `content` of a rejected line, and `line`: the bytes of a line with the state
        `line`, otherwise null.
    """
    text = text_lines(session, paths, max_line_bytes, is_compressed=is_compressed)
    end_mark = uuid.uuid4().hex
    framed = F.concat(F.lit('{"line":['), F.col("value"), F.lit(f'],"end":"{end_mark}"}}'))
    parsed = text.withColumn("parsed", F.from_json(framed, _FRAME_SCHEMA, JSON_OPTIONS))
    opened = parsed.select(
        "path",
        "block",
        "seq",
        "bytes",
        F.col("value").alias("line"),
        F.element_at("parsed.line", 1).alias("r"),
        "beginning",
        F.coalesce(
            F.col("parsed.broken").isNull()
            & (F.col("parsed.end") == end_mark)
            & (F.size("parsed.line") == 1),
            F.lit(False),
        ).alias("whole"),
    )
    # Kafka writes -1 for a record without a timestamp.
    when = F.nullif(F.coalesce("r.timestamp", "r.ts"), F.lit("-1"))
    typed = opened.select(
        "path",
        "block",
        "seq",
        "bytes",
        "line",
        "beginning",
        "whole",
        "r",
        when.alias("when"),
        _timestamp(when).alias("timestamp"),
        F.coalesce("r.timestampType", "r.tstype").alias("kind"),
        _timestamp_type(F.coalesce("r.timestampType", "r.tstype")).alias("timestampType"),
        _header_objects(F.col("r.headers")).alias("header_objects"),
        _header_texts(F.col("r.headers")).alias("header_texts"),
    )
    # In a separate step, because each use of the parsed headers would parse them again.
    headers = _headers(F.col("r.headers"), F.col("header_objects"), F.col("header_texts"))
    typed = typed.withColumn("headers", headers)
    is_record = (
        F.col("whole")
        & F.expr("is_valid_utf8(line)")
        & (F.col("r.topic") != "")
        & F.col("r.partition").between(0, INT_MAX)
        & (F.col("r.offset") >= 0)
        & (F.col("timestamp").isNotNull() | F.col("when").isNull())
        & (F.col("timestampType").isNotNull() | F.col("kind").isNull())
        & (F.col("headers").isNotNull() | F.col("r.headers").isNull())
        & F.col("r.key_error").isNull()
        & F.col("r.payload_error").isNull()
        & _value_is_certain()
        & ~(_lacks_a_member() & F.rlike("line", F.lit(_OTHER_SPELLING)))
        & ~reduce(operator.or_, [F.rlike("line", F.lit(pattern)) for pattern in _NOT_TEXT])
        & ~(F.expr(may_have_surrogate_escapes("line")) & F.rlike("line", F.lit(SURROGATE_ESCAPE)))
    )
    state = (
        F.when(F.col("line").isNull(), F.lit(REJECTED))
        .when(F.coalesce(is_record, F.lit(False)), F.lit(RECORD))
        .when(F.trim("line", F.lit(" \t\r")) == "", F.lit(BLANK))
        .otherwise(F.lit(LINE))
    )
    decided = typed.select("*", state.alias("state"))
    is_read = F.col("state") == RECORD
    return decided.select(
        "path",
        "block",
        "seq",
        "bytes",
        "state",
        F.when(is_read, F.col("r.topic")).alias("topic"),
        F.when(is_read, F.col("r.partition").cast("int")).alias("partition"),
        F.when(is_read, F.col("r.offset")).alias("offset"),
        F.when(is_read, F.col("timestamp")).alias("timestamp"),
        F.when(is_read, F.col("timestampType")).alias("timestampType"),
        F.when(is_read, F.col("r.key")).alias("key"),
        F.when(is_read, F.coalesce("r.value", "r.payload")).alias("value"),
        F.when(is_read, F.col("headers")).alias("headers"),
        F.when(F.col("state") == REJECTED, oversized_reason(max_line_bytes)).alias("reason"),
        F.col("beginning").alias("content"),
        F.lit(None).cast("string").alias("content_hash"),
        F.when(F.col("state") == LINE, F.col("line").cast("binary")).alias("line"),
    )


def _value_is_certain() -> Column:
    value, payload = F.col("r.value"), F.col("r.payload")
    is_either = value.isNull() != payload.isNull()
    neither = value.isNull() & payload.isNull()
    # An explicit null is a tombstone. Without one, `record_line` checks the other members.
    return is_either | (neither & F.rlike("line", F.lit(_NULL_VALUE)))


def _lacks_a_member() -> Column:
    value = F.coalesce("r.value", "r.payload")
    return reduce(
        operator.or_,
        [F.isnull(member) for member in (value, "r.key", "when", "kind", "r.headers")],
    )


def _timestamp(text: Column) -> Column:
    whole = F.rlike(text, F.lit(rf"^-?[0-9]{{1,{_MAX_EPOCH_MS_DIGITS}}}$"))
    written = F.rlike(text, F.lit(_WRITTEN_TIMESTAMP))
    return F.when(whole, F.timestamp_millis(text.try_cast("bigint"))).when(
        written, text.try_cast("timestamp")
    )


def _timestamp_type(text: Column) -> Column:
    chosen = F.when(text == "0", F.lit(0))
    for written, number in _TIMESTAMP_TYPES.items():
        chosen = chosen.when(text == written, F.lit(number))
    return chosen.cast("int")


def _header_objects(text: Column) -> Column:
    """Return the members of each header of a list of objects."""
    # Spark wrote this text without spaces, so its first characters show the form.
    return F.when(text.startswith('[{"key":"'), F.from_json(text, "array<map<string, string>>"))


def _header_texts(text: Column) -> Column:
    """Return kcat's flat list of names and values."""
    # A comma before anything but a text or null can only be part of a text.
    only_texts = text.startswith('["') & ~F.rlike(text, F.lit(r'[\[,][^"n]'))
    return F.when(only_texts, F.from_json(text, "array<string>"))


def _headers(text: Column, objects: Column, texts: Column) -> Column:
    is_plain = F.forall(
        objects,
        lambda header: (
            (F.size(header) == 2) & header["key"].isNotNull() & F.map_contains_key(header, "value")
        ),
    )
    from_objects = F.transform(
        objects, lambda header: F.struct(header["key"].alias("key"), header["value"].alias("value"))
    )
    names = F.filter(texts, lambda _, at: at % 2 == 0)
    is_paired = (F.size(texts) % 2 == 0) & F.forall(names, lambda name: name.isNotNull())
    from_texts = F.zip_with(
        names,
        F.filter(texts, lambda _, at: at % 2 == 1),
        lambda key, value: F.struct(key.alias("key"), value.alias("value")),
    )
    return (
        F.when(text == "[]", F.array().cast(HEADERS_TYPE))
        .when(objects.isNotNull() & is_plain, from_objects)
        .when(texts.isNotNull() & is_paired, from_texts)
    )
