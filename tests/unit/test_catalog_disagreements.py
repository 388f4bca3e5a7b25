"""Where records, schema-change topic and configuration disagree about a table."""

from __future__ import annotations

from typing import Any

from tests.support.evidence_rows import (
    Evidence,
    change,
    column,
    events,
    key_schema,
    node,
    statement,
)

SAID = ("column_name", "matter", "chosen", "chosen_from", "other", "other_from")


def disagreements(*rows: Any, **options: Any) -> list[tuple[Any, ...]]:
    return Evidence(*rows, **options).disagreements(*SAID)


def defined(*columns: Any, key: tuple[str, ...] = (), at: int = 1) -> Any:
    return statement(change("CREATE", columns, key), at=at)


def test_a_definition_may_let_nulls_be_that_records_do_not() -> None:
    loose = events([node("a", optional=False)], at=2)
    assert disagreements(defined("a"), loose) == [
        ("a", "nullability", "null allowed", "schema_change_topic", "not null", "embedded_schema")
    ]


def test_the_configuration_is_compared_with_definitions_and_not_with_itself() -> None:
    columns = [{"name": "a", "type": "int32"}, {"name": "gone", "type": "string"}]
    of_columns, of_key = {"dbo.t": {"columns": columns}}, {"dbo.t": {"key": ["b"]}}
    sides = ("schema_change_topic", "configuration")

    found = disagreements(defined("a"), tables=of_columns)
    assert [(*one[:2], one[3], one[5]) for one in found] == [
        ("a", "encoding", *sides), ("gone", "presence", *sides),
    ]  # fmt: skip
    assert disagreements(tables=of_columns) == []
    assert disagreements(defined("a", "b", key=("a",)), tables=of_key) == [
        (None, "key", "b", "configuration", "a", "schema_change_topic")
    ]


def test_what_is_no_disagreement() -> None:
    keyed = events(["a", "b"], at=2, key_schema=key_schema("b", "a"))
    unknown = column("a", 1, typeName="geometry")

    assert disagreements(defined("a", "b", key=("a", "b")), keyed) == []
    assert disagreements(defined(unknown), events(["a"], at=2)) == []
