"""SQL of a row's key: from the message key in each of its forms to one canonical text."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from dbt_debezium_spark.decode import (
    Column,
    Config,
    decode_exact_text,
    decode_recorded,
    encoding_of,
    names_of,
    prepare,
)
from dbt_debezium_spark.staging.images import column_member, has_column
from dbt_debezium_spark.text.sql_text import exact_json, text_literal

_NO_MEMBERS = "cast(null as map<string,string>)"
_INTEGERS = ("int", "bigint")
# What Connect prints of a value, where JSON has the same.
_PRINTED = {
    "int8": "-?[0-9]+",
    "int16": "-?[0-9]+",
    "int32": "-?[0-9]+",
    "int64": "-?[0-9]+",
    "boolean": "true|false",
    "string": ".*",
}


def canonical_key(
    config: Config,
    members: str,
    key: Sequence[Column],
    record: str | None = None,
    known_names: str | None = None,
) -> str:
    """Return SQL: a row's key as canonical JSON (`_cdc_key`), NULL for members that name no row.

    Members are decoded and printed in the model's order, so that neither a connector upgrade nor
    another converter doubles the rows. A key with other members, of a time before DDL changed it
    (spec §6.2), is printed sorted, if all of them are columns.

    Args:
        config: configuration of the source.
        members: SQL: the key as a map of texts.
        key: columns of the key in force; without any, no record names a row.
        record: SQL: see `decode.prepare`.
        known_names: SQL: an array of the names that columns can have; None if any name is one.

    Raises:
        CompilationError: a column's Connect type is unknown.
    """
    if not key:
        return "cast(null as string)"
    texts = [column_member(members, column) for column in key]
    values = [
        _printed_value(config, column, text, record)
        for column, text in zip(key, texts, strict=True)
    ]
    has_size = f"size({members}) = {len(key)}"
    names = f"map_keys({members})"
    decoded = " and ".join(f"({value}) is not null" for value in values)
    named = " and ".join(f"({has_column(members, column)})" for column in key)
    undecodable = " or ".join(
        f"{text} is not null and ({value}) is null"
        for text, value in zip(texts, values, strict=True)
    )
    branches = [
        f"when {members} is null then null",
        f"when {has_size} and {decoded} then {_json_of(config, key, values)}",
        f"when size({members}) = 0 or size(array_distinct({names})) < size({members}) then null",
        f"when {has_size} and {named} and ({undecodable}) then null",
    ]
    if known_names:
        branches.append(f"when size(array_except({names}, {known_names})) > 0 then null")
    sorted_members = f"to_json(map_from_entries(array_sort(map_entries({members}))))"
    return f"case {' '.join(branches)} else {sorted_members} end"


def complete_key(maps: Sequence[str], key: Sequence[Column]) -> str:
    """Return SQL: the key in force from the first map that has all its members, else NULL.

    Args:
        maps: SQL of the maps in which the columns may be.
        key: columns of the key in force.
    """
    branches = []
    for members in maps:
        texts = [column_member(members, column) for column in key]
        pairs = [
            f"{text_literal(names_of(column)[0])}, {text}"
            for column, text in zip(key, texts, strict=True)
        ]
        conditions = " and ".join(f"{text} is not null" for text in texts)
        branches.append(f"when {conditions} then map({', '.join(pairs)})")
    return f"case {' '.join(branches)} end"


def struct_text_members(text: str, key: Sequence[Column]) -> str:
    """Return SQL: the members of a key that a string converter wrote: `Struct{id=1,name=x}`.

    That is what Connect prints of a struct, without null members and without escapes. NULL where
    they are not certain: a text may contain the name of the next member, and decimals, bytes and
    Connect's dates are not printed as JSON has them.
    """
    if not key or not all(_printed_pattern(column) for column in key):
        return _NO_MEMBERS
    pattern = _struct_pattern(key)
    names = [names_of(column)[0] for column in key]
    conditions = [f"{text} rlike {pattern}"] + [
        f"size(split({text}, {text_literal(',' + re.escape(name) + '=')})) = 2"
        for name in names[1:]
    ]
    pairs = [
        f"{text_literal(name)}, regexp_extract({text}, {pattern}, {number})"
        for number, name in enumerate(names, 1)
    ]
    return f"case when {' and '.join(conditions)} then map({', '.join(pairs)}) end"


def is_struct_text(text: str, key: Sequence[Column]) -> str:
    """Return a SQL condition: a key is such a text with these columns in their order."""
    return f"coalesce({text} rlike {_struct_pattern(key)}, false)"


def _struct_pattern(key: Sequence[Column]) -> str:
    groups = [
        f"{re.escape(names_of(column)[0])}=({_printed_pattern(column) or '.*'})" for column in key
    ]
    return text_literal(f"(?s)^Struct\\{{{','.join(groups)}\\}}$")


def _printed_pattern(column: Column) -> str | None:
    """Return a pattern of what Connect prints of a column; None where JSON differs."""
    if (column.get("semantic") or "").startswith("org.apache.kafka.connect.data."):
        return None
    return _PRINTED.get(column.get("type", ""))


def _printed_value(config: Config, column: Column, text: str, record: str | None) -> str:
    prepared = prepare(config, column, text, record)
    exact_text = encoding_of(config, column).get("exact_text")
    if exact_text == "always":
        return decode_exact_text(config, column, prepared)
    value = decode_recorded(config, column, text, prepared, "_key_layout", record)
    if exact_text:
        return f"coalesce({decode_exact_text(config, column, prepared)}, cast({value} as string))"
    return value


def _json_of(config: Config, key: Sequence[Column], values: Sequence[str]) -> str:
    named = list(zip((column["name"] for column in key), values, strict=True))
    if all(encoding_of(config, column)["spark_type"] in _INTEGERS for column in key):
        # integers need no JSON writer; the text is the same
        parts = [f"{text_literal(json.dumps(name) + ':')}, {value}" for name, value in named]
        members = ", ',', ".join(parts)
        return f"concat('{{', {members}, '}}')"
    members = ", ".join(f"{text_literal(name)}, {value}" for name, value in named)
    return exact_json(f"named_struct({members})")
