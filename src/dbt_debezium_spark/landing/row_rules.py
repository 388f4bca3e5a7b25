r"""Rows with Kafka's columns, of any types, as records or with the reason why they are none: SQL.

The rules are those of `record_values`. A row passes through three steps, each the columns of a
SELECT from the one before: values of the types of a record, the reason, the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from dbt_debezium_spark.landing.nested.records import PROBLEM
from dbt_debezium_spark.landing.record_values import (
    EMPTY,
    HALF_PAIR,
    HIGHEST,
    JSON_BEGINS,
    LONE_SURROGATE,
    MAX_MILLISECONDS,
    NOT_UTF8,
    REQUIRED,
    SHOWN_CHARACTERS,
    TIMESTAMP_TYPES,
    WHOLE_ESCAPES,
    bad,
    missing,
)
from dbt_debezium_spark.landing.schemas import (
    BYTES,
    CANDIDATE_COLUMNS,
    HEADERS_TYPE,
    OWN_COLUMNS,
    PLACE,
    RECORD,
    RECORD_COLUMNS,
    REJECTED,
)
from dbt_debezium_spark.text.sql_text import quoted_name, text_literal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

REQUIRED_COLUMNS = (*REQUIRED, "value")
_ALIASES = {"timestamp": ("timestamp", "ts"), "timestampType": ("timestampType", "timestamp_type")}
_INTEGRAL = {"tinyint", "smallint", "int", "bigint"}
_OPENING, _CLOSING = "<(", ">)"
# Columns of which the reason shows the text that cannot be read.
_SHOWN = ("partition", "offset", "timestamp", "timestampType")
# Why a row is none that has nothing to do with its columns.
DECODE_ERROR = "decode_error"


def missing_columns(names: Sequence[str]) -> list[str]:
    """Return the required columns that rows lack."""
    present = {name.lower() for name in names}
    return [name for name in REQUIRED_COLUMNS if name not in present]


def as_candidates(
    rows: DataFrame, *, path: str, seq: str, block: int = 0, where: str = ""
) -> DataFrame:
    """Return rows as candidates, which have the columns of `schemas.CANDIDATE_COLUMNS`.

    Args:
        rows: Kafka's columns, with key, value and headers as text or bytes. Rows from `avro_rows`
            have a `reason` if they could not be decoded.
        path: SQL: path of a row's place.
        seq: SQL: a number that is unique within a path and a block.
        block: number of the block.
        where: what each reason ends with.
    """
    types = {field.name: field.dataType.simpleString() for field in rows.schema.fields}
    for step in candidate_steps(types, path=path, seq=seq, block=block, where=where):
        rows = rows.selectExpr(*step)
    return rows


def candidate_select(rows: str, types: Mapping[str, str], *, path: str, seq: str) -> str:
    """Return the SELECT of rows as candidates: see `as_candidates`.

    Args:
        rows: SELECT of Kafka's columns.
        types: type of each column, as Spark writes it.
        path: SQL: path of a row's place.
        seq: SQL: a number that is unique within a path.
    """
    for step in candidate_steps(types, path=path, seq=seq):
        columns = ",\n    ".join(step)
        rows = f"select\n    {columns}\nfrom (\n{rows}\n)"
    return rows


def candidate_steps(
    types: Mapping[str, str], *, path: str, seq: str, block: int = 0, where: str = ""
) -> list[list[str]]:
    """Return the columns of each step, with their names."""
    decode_errors = [name for name in (PROBLEM, "reason") if name in types]
    if not _is_decoded(types) and "reason" in decode_errors:
        decode_errors.remove("reason")
    shown = f"concat(reason, {text_literal(where)})" if where else "reason"
    return [
        [
            f"{path} as path",
            f"cast({block} as bigint) as block",
            f"cast({seq} as bigint) as seq",
            *named(typed_columns(types)),
            f"{original(types)} as original",
            f"coalesce({', '.join([*decode_errors, 'cast(null as string)'])}) as {DECODE_ERROR}",
        ],
        ["*", f"{REASON} as reason"],
        [
            "path",
            "block",
            "seq",
            f"if(reason is null, '{RECORD}', '{REJECTED}') as state",
            *record_columns(),
            f"{shown} as reason",
            # Here, because a text of each row takes as long as all other steps together.
            "if(reason is null, null, to_json(original)) as content",
            f"cast(null as {CANDIDATE_COLUMNS['content_hash']}) as content_hash",
        ],
    ]


def record_columns() -> list[str]:
    """Return the columns of a record, null in a row that has a `reason`."""
    return [
        f"if(reason is null, cast({quoted_name(name)} as {kind}), null) as {quoted_name(name)}"
        for name, kind in RECORD_COLUMNS.items()
    ]


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

    columns = {name: column(name) for name in RECORD_COLUMNS}
    timestamp, timestamp_type = columns["timestamp"]
    if timestamp_type in _INTEGRAL:
        # Kafka writes -1 for a record without a timestamp.
        timestamp = f"nullif({timestamp}, -1)"
    columns["timestamp"] = timestamp, timestamp_type
    return {
        # A cast keeps bytes as they are, valid text or not.
        **{name: f"cast({columns[name][0]} as string)" for name in ("topic", "key", "value")},
        "partition": f"try_cast({columns['partition'][0]} as bigint)",
        "offset": f"try_cast({columns['offset'][0]} as bigint)",
        "timestamp": _timestamp(timestamp, timestamp_type),
        "timestampType": _timestamp_type(*columns["timestampType"]),
        "headers": _headers(*columns["headers"]),
        **given_columns({name: value for name, (value, _) in columns.items()}),
    }


def given_columns(columns: Mapping[str, str]) -> dict[str, str]:
    """Return the values as they were given, of columns of which a reason shows the text.

    Args:
        columns: SQL of partition, offset, timestamp and its type.
    """
    return {f"given_{name}": columns[name] for name in _SHOWN}


def original(names: Iterable[str]) -> str:
    """Return the SQL of a row as it was given; as JSON it is the content of a rejection."""
    kept = [name for name in names if name not in (PROBLEM, *PLACE.values())]
    members = [quoted_name(name) for name in kept]
    if _is_decoded(kept):
        members = [quoted_name(name) for name in kept if name not in OWN_COLUMNS]
        members += [f"{copy} as {name}" for name, copy in BYTES.items()]
    return f"struct({', '.join(members)})"


def _is_decoded(names: Iterable[str]) -> bool:
    return set(BYTES.values()) <= set(names)


def named(columns: Mapping[str, str]) -> list[str]:
    """Return columns as the list of a SELECT."""
    return [f"{sql} as {quoted_name(name)}" for name, sql in columns.items()]


def _timestamp(value: str, kind: str | None) -> str:
    if kind in (None, "timestamp"):
        return f"cast({value} as timestamp)"
    if kind == "timestamp_ntz":
        # A timestamp without a zone is in UTC, as everywhere in these records.
        return f"try_cast(concat(cast({value} as string), 'Z') as timestamp)"
    if kind in _INTEGRAL:
        # Spark raises an exception for values out of range, which would end the run.
        return (
            f"case when {value} between {-MAX_MILLISECONDS} and {MAX_MILLISECONDS}"
            f" then timestamp_millis(cast({value} as bigint)) end"
        )
    return f"try_cast(cast({value} as string) as timestamp)"


def _timestamp_type(value: str, kind: str | None) -> str:
    if kind in _INTEGRAL:
        known = ", ".join(map(str, sorted(set(TIMESTAMP_TYPES.values()))))
        return f"if({value} in ({known}), cast({value} as int), null)"
    numbers = " ".join(
        f"when '{written}' then {number}" for written, number in TIMESTAMP_TYPES.items()
    )
    return f"case lower(trim(cast({value} as string))) {numbers} end"


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
    return (
        f"case when {may_have_surrogate_escapes(name)}"
        f" and rlike({name}, {text_literal(JSON_BEGINS)})"
        f" then regexp_extract(regexp_replace({name}, {whole}, ' '), {lone}, 0) end"
    )


def may_have_surrogate_escapes(text: str) -> str:
    """Return the SQL of whether a JSON text may escape surrogates; most escape nothing at all."""
    return rf"(contains({text}, '\\u') and (contains({text}, '\\ud') or contains({text}, '\\uD')))"


def _when(condition: str, reason: str) -> str:
    return f"when {condition} then {text_literal(reason)}"


def _when_unread(condition: str, name: str) -> str:
    return (
        f"when {condition} then concat({text_literal(bad(name, ''))},"
        f" left(make_valid_utf8(cast(given_{name} as string)), {SHOWN_CHARACTERS}))"
    )


def _when_half_pair(side: str) -> str:
    half = _half_pair(side)
    return f"when {half} != '' then concat({text_literal(bad(side, HALF_PAIR))}, ': ', {half})"


_RULES = [
    f"when {DECODE_ERROR} is not null then {DECODE_ERROR}",
    _when("topic is null", missing("topic")),
    *[_when(f"given_{name} is null", missing(name)) for name in HIGHEST],
    _when("topic = ''", bad("topic", EMPTY)),
    _when("not is_valid_utf8(topic)", bad("topic", NOT_UTF8)),
    *[
        _when_unread(f"not coalesce(`{name}` between 0 and {highest}, false)", name)
        for name, highest in HIGHEST.items()
    ],
    *[
        _when_unread(f"given_{name} is not null and {name} is null", name)
        for name in ("timestamp", "timestampType")
    ],
    *[_when(f"not is_valid_utf8({side})", bad(side, NOT_UTF8)) for side in ("key", "value")],
    *[_when_half_pair(side) for side in ("key", "value")],
]
# Why a row with the columns of `typed_columns` is no record; null for a record.
REASON = "\n    ".join(["case", *_RULES]) + "\nend"
