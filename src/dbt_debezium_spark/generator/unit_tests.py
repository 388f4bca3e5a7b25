"""dbt unit tests of a table's state and current model.

They say what the models promise, with rows of this table's columns and types: a deleted row stays
deleted, whatever a connector repeats; a live one shows what its last event said; `cur_` shows the
live ones only. The state of a table without a key has none: counting its rows takes longer than all
else here (docs/decisions.md); nor has that of a collection, a Python model.

dbt writes what it is given here into SQL and Jinja, and renders it twice: a table with a column
whose name is not plain (`is_plain`) has no unit tests.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from dbt_debezium_spark.literals import is_plain, yaml_name, yaml_text

_FIXED = {
    "int": ("1", "2"),
    "bigint": ("1", "2"),
    "float": ("1", "2"),
    "double": ("1", "2"),
    "string": ("one", "two"),
    "boolean": ("false", "true"),
    "date": ("2026-01-01", "2026-01-02"),
    "timestamp": ("2026-01-01", "2026-01-02"),
    "timestamp_ntz": ("2026-01-01", "2026-01-02"),
}
_STATE_SELECTS = [
    "_cdc_key",
    "_cdc_op",
    "_cdc_pos",
    "_cdc_pos as _cdc_stream_pos",
    "'topic' as _cdc_topic",
    "0 as _cdc_partition",
    "cast(_cdc_offset as bigint) as _cdc_offset",
    "timestamp '2026-01-01 00:00:00' as _cdc_timestamp",
    "'false' as _cdc_snapshot",
    "timestamp '2026-01-01 00:00:00' as _cdc_source_at",
    "cast(1 as bigint) as _cdc_batch_id",
    "cast(null as array<string>) as _cdc_unavailable",
    "cast(null as string) as _cdc_identity",
    "cast(null as string) as _cdc_old_key",
]
_EVENTS = [
    "('deleted', 'c', 1, '01')",
    "('deleted', 'u', 2, '02')",
    "('live', 'c', 3, '03')",
    "('deleted', 'd', 4, '04')",
    "('live', 'u', 5, '05')",
    "('deleted', 'u', 6, '02')",
    "('live', 'c', 7, '03')",
]
_CURRENT_SELECTS = [
    "_cdc_op",
    "'01' as _cdc_pos",
    "timestamp '2026-01-01 00:00:00' as _cdc_source_at",
    "_cdc_is_deleted",
]


@dataclass(frozen=True)
class UnitTest:
    """One unit test. Rows are given as a SELECT from inline rows, and expected as values.

    dbt's other formats take no structs and ask the database for the input's columns, so that the
    input would have to exist. Expected are the columns that matter, as YAML scalars.
    `overrides_rules`: the model folds in order and not by every rule.
    """

    sentence: str
    description: str
    given_of: str
    selects: Sequence[str]
    inline_rows: Sequence[str]
    alias: str
    expected: Sequence[Sequence[tuple[str, str]]]
    overrides_rules: bool = False


def unit_test(layer: str, source: str, table: Mapping[str, Any]) -> UnitTest | None:
    """Return the unit test of a table's model of one layer; none where it has none.

    Args:
        layer: `stg`, `state` or `cur`.
        source: name of the source.
        table: a table as it is described.
    """
    if not all(is_plain(column["name"]) for column in table["decoded"]):
        return None
    if layer == "cur":
        return _current_test(source, table)
    if layer == "state" and table["key"] and not table.get("is_collection"):
        return _state_test(source, table)
    return None


def _state_test(source: str, table: Mapping[str, Any]) -> UnitTest:
    live, deleted = ("live", "u", "false"), ("deleted", "d", "true")
    names = ("_cdc_key", "_cdc_op", "_cdc_is_deleted")
    return UnitTest(
        sentence="repeated_events_change_nothing",
        description=(
            "A row is created, updated and deleted, another one created and updated; then the"
            " connector repeats a change of each."
        ),
        given_of=f"stg_{source}__{table['model']}",
        selects=_STATE_SELECTS + _selects(table, "_cdc_op = 'c'"),
        inline_rows=_EVENTS,
        alias="events (_cdc_key, _cdc_op, _cdc_offset, _cdc_pos)",
        expected=[
            _expected([*zip(names, values, strict=True)], table) for values in (deleted, live)
        ],
        overrides_rules=True,
    )


def _current_test(source: str, table: Mapping[str, Any]) -> UnitTest:
    selects = _selects(table, "_cdc_is_deleted") + _CURRENT_SELECTS
    row = _expected([("_cdc_op", "u")], table)
    given_of = f"state_{source}__{table['model']}"
    if table["key"]:
        return UnitTest(
            sentence="only_live_rows_show",
            description="One row is live, another one deleted.",
            given_of=given_of,
            selects=selects,
            inline_rows=["('u', false)", "('d', true)"],
            alias="rows (_cdc_op, _cdc_is_deleted)",
            expected=[row],
        )
    return UnitTest(
        sentence="only_live_rows_show",
        description="A content is there twice, another one no more.",
        given_of=given_of,
        selects=[*selects, "cast(_cdc_count as bigint) as _cdc_count"],
        inline_rows=["('u', false, 2)", "('d', true, 0)"],
        alias="rows (_cdc_op, _cdc_is_deleted, _cdc_count)",
        expected=[row, row],
    )


def _selects(table: Mapping[str, Any], condition: str) -> list[str]:
    """Return the table's columns: first values where the condition holds, else second ones."""
    return [_select(column["name"], column["data_type"], condition) for column in table["decoded"]]


def _select(name: str, data_type: str, condition: str) -> str:
    values = example_values(data_type)
    value = f"if({condition}, '{values[0]}', '{values[1]}')" if values else "null"
    quoted = name.replace("`", "``")
    return f"cast({value} as {data_type}) as `{quoted}`"


def _expected(first: Sequence[tuple[str, str]], table: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return columns with their second values, behind others, as YAML scalars."""
    values = [
        (column["name"], found[1])
        for column in table["decoded"]
        if (found := example_values(column["data_type"])) is not None
    ]
    return [(yaml_name(name), yaml_text(value)) for name, value in [*first, *values]]


@cache
def example_values(data_type: str) -> tuple[str, str] | None:
    """Return two texts that Spark casts to different values of a type.

    None for types whose values dbt cannot compare.
    """
    if data_type.startswith("decimal("):
        precision, scale = map(int, re.findall("[0-9]+", data_type)[:2])
        return ("1", "2") if precision > scale else ("0.1", "0.2")
    return _FIXED.get(data_type)
