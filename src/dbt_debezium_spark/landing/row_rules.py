r"""Rules for rows with Kafka's columns, as SQL: what is a record, and why a row is none.

Both ways of landing use these texts: `record_rows` in frames, `sql_landing` in statements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dbt_debezium_spark.landing.record_values import (
    JSON_BEGINS,
    LONE_SURROGATE,
    LONG_MAX,
    WHOLE_ESCAPES,
)
from dbt_debezium_spark.landing.schemas import HEADERS_TYPE
from dbt_debezium_spark.sql_text import quoted_name, text_literal

REQUIRED = ("topic", "partition", "offset", "value")
_ALIASES = {"timestamp": ("timestamp", "ts"), "timestampType": ("timestampType", "timestamp_type")}
_INTEGRAL = {"tinyint", "smallint", "int", "bigint"}
_INT_MAX = 2**31 - 1
_MAX_MILLISECONDS = LONG_MAX // 1000
_OPENING, _CLOSING = "<(", ">)"


def typed_columns(types: Mapping[str, str]) -> dict[str, str]:
    """Return the columns from which `REASON` tells records, each with its SQL.

    Args:
        types: type of each column of the rows, as Spark writes it. Key and value are text or bytes.
    """
    by_name = {name.lower(): name for name in types}

    def column(name: str) -> tuple[str, str | None]:
        for spelling in _ALIASES.get(name, (name,)):
            found = by_name.get(spelling.lower())
            if found is not None:
                return quoted_name(found), types[found]
        return "null", None

    timestamp, timestamp_type = column("timestamp")
    if timestamp_type in _INTEGRAL:
        # Kafka writes -1 for a record without a timestamp.
        timestamp = f"nullif({timestamp}, -1)"
    kind_of_timestamp = f"try_cast({column('timestampType')[0]} as bigint)"
    return {
        # A cast keeps bytes as they are, valid text or not.
        **{name: f"cast({column(name)[0]} as string)" for name in ("topic", "key", "value")},
        "partition": f"try_cast({column('partition')[0]} as bigint)",
        "offset": f"try_cast({column('offset')[0]} as bigint)",
        "timestamp": _timestamp(timestamp, timestamp_type),
        "has_timestamp": f"{timestamp} is not null",
        "timestampType": f"try_cast({kind_of_timestamp} as int)",
        "has_timestamp_type": f"{kind_of_timestamp} is not null",
        "headers": _headers(*column("headers")),
    }


def missing_columns(names: Sequence[str]) -> list[str]:
    """Return the required columns that rows lack."""
    present = {name.lower() for name in names}
    return [name for name in REQUIRED if name not in present]


def content(names: Sequence[str]) -> str:
    """Return the SQL of a row as JSON, with bytes in base64."""
    return f"to_json(struct({', '.join(map(quoted_name, names))}))"


def _timestamp(value: str, kind: str | None) -> str:
    if kind in (None, "timestamp"):
        return f"cast({value} as timestamp)"
    if kind == "timestamp_ntz":
        # A timestamp without a zone is in UTC, as everywhere in these records.
        return f"try_cast(concat(cast({value} as string), 'Z') as timestamp)"
    if kind in _INTEGRAL:
        # Spark raises an exception for values out of range, which would end the run.
        return (
            f"case when {value} between {-_MAX_MILLISECONDS} and {_MAX_MILLISECONDS}"
            f" then timestamp_millis(cast({value} as bigint)) end"
        )
    return f"try_cast(cast({value} as string) as timestamp)"


def _headers(value: str, kind: str | None) -> str:
    """Return an array of (key, value) structs or a map as headers; null for other types."""
    if kind is not None and kind.startswith("map<"):
        value = f"map_entries({value})"
    elif kind is None or not _is_list_of_pairs(kind):
        value = "null"
    return f"cast({value} as {HEADERS_TYPE})"


def _is_list_of_pairs(kind: str) -> bool:
    members = kind.removeprefix("array<struct<")
    if members == kind:
        return False
    depth = commas = 0
    for letter in members.removesuffix(">>"):
        depth += (letter in _OPENING) - (letter in _CLOSING)
        commas += letter == "," and depth == 0
    return commas == 1


def _half_pair(name: str) -> str:
    """Return the first half of a surrogate pair in JSON: see `record_values.WHOLE_ESCAPES`.

    Most texts escape no character at all, so that is asked first.
    """
    whole, lone = text_literal(WHOLE_ESCAPES), text_literal(LONE_SURROGATE)
    may_have = (
        rf"contains({name}, '\\u') and (contains({name}, '\\ud') or contains({name}, '\\uD'))"
    )
    return (
        f"case when {may_have} and rlike({name}, {text_literal(JSON_BEGINS)})"
        f" then regexp_extract(regexp_replace({name}, {whole}, ' '), {lone}, 0) end"
    )


def _half_pair_rule(name: str) -> str:
    return (
        f"when {_half_pair(name)} != ''"
        f" then concat('bad_value: {name}: half of a surrogate pair: ', {_half_pair(name)})"
    )


_TEXT_RULES = f"""\
when not is_valid_utf8(key) then 'bad_value: key: not UTF-8'
    when not is_valid_utf8(value) then 'bad_value: value: not UTF-8'
    {_half_pair_rule("key")}
    {_half_pair_rule("value")}"""

# Why the texts `key` and `value` are no record's; null if they may be.
TEXT_REASON = f"""\
case
    {_TEXT_RULES}
end"""

# Why a row with the columns of `typed_columns` is no record; null for a record. `decode_error` is
# null, or why its bytes could not be decoded.
REASON = f"""\
case
    when decode_error is not null then decode_error
    when topic is null then 'missing_column: topic'
    when topic = '' then 'bad_value: topic: empty'
    when not is_valid_utf8(topic) then 'bad_value: topic: not UTF-8'
    when `partition` is null then 'missing_column: partition'
    when `offset` is null then 'missing_column: offset'
    when not (`partition` between 0 and {_INT_MAX})
        then concat('bad_value: partition: ', cast(`partition` as string))
    when `offset` < 0 then concat('bad_value: offset: ', cast(`offset` as string))
    when has_timestamp and `timestamp` is null then 'bad_value: timestamp'
    when has_timestamp_type and timestampType is null then 'bad_value: timestampType'
    {_TEXT_RULES}
end"""
