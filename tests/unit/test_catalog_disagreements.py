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


def test_evidence_that_agrees_is_no_row() -> None:
    row = events(["id", "a"], at=2, key_schema=key_schema("id"))

    assert disagreements(defined("id", "a", key=("id",)), row) == []


def test_records_decide_about_encodings() -> None:
    price = column("a", 1, typeName="decimal", length=9, scale=2)

    assert disagreements(defined(price), events(["a"], at=2)) == [
        (
            "a",
            "encoding",
            "string",
            "embedded_schema",
            "bytes org.apache.kafka.connect.data.Decimal scale 2",
            "schema_change_topic",
        )
    ]


def test_definitions_decide_about_nulls() -> None:
    strict = column("a", 1, typeName="varchar", optional=False)
    said = ("schema_change_topic", "embedded_schema")

    assert disagreements(defined(strict), events(["a"], at=2)) == [
        ("a", "nullability", "not null", said[0], "null allowed", said[1])
    ]
    loose = events([node("a", optional=False)], at=2)
    assert disagreements(defined("a"), loose) == [
        ("a", "nullability", "null allowed", said[0], "not null", said[1])
    ]


def test_a_type_that_is_not_known_disagrees_with_nothing() -> None:
    shape = column("a", 1, typeName="geometry")

    assert disagreements(defined(shape), events(["a"], at=2)) == []


def test_columns_that_only_one_side_has() -> None:
    rows = [defined("id", "left_out"), events(["id", "routed"], at=2)]

    assert [row[:5] for row in disagreements(*rows)] == [
        ("routed", "presence", "column", "embedded_schema", "no such column"),
        ("left_out", "presence", "no such column", "embedded_schema", "column"),
    ]


def test_configured_columns_that_are_not_used() -> None:
    columns = [{"name": "a", "type": "int32"}, {"name": "gone", "type": "string"}]
    tables = {"dbo.t": {"columns": columns}}
    expected = [
        ("a", "encoding", "string", "int32"),
        ("gone", "presence", "no such column", "column"),
    ]

    for row, evidence in [
        (events(["a"]), "embedded_schema"),
        (defined("a"), "schema_change_topic"),
    ]:
        found = disagreements(row, tables=tables)
        assert [(one[0], one[1], one[2], one[4]) for one in found] == expected
        assert {(one[3], one[5]) for one in found} == {(evidence, "configuration")}
    assert disagreements(tables=tables) == []


def test_keys_that_differ() -> None:
    rows = [defined("a", "b", key=("a",)), events(["a", "b"], at=2, key_schema=key_schema("b"))]
    of_records = (None, "key", "b", "record_key", "a", "schema_change_topic")

    assert disagreements(*rows) == [of_records]
    assert disagreements(*rows, tables={"dbo.t": {"key": ["a", "b"]}}) == [
        of_records,
        (None, "key", "a, b", "configuration", "b", "record_key"),
    ]
    assert disagreements(rows[0], tables={"dbo.t": {"key": ["b"]}}) == [
        (None, "key", "b", "configuration", "a", "schema_change_topic")
    ]


def test_the_order_of_a_key_is_no_disagreement() -> None:
    row = events(["a", "b"], at=2, key_schema=key_schema("b", "a"))

    assert disagreements(defined("a", "b", key=("a", "b")), row) == []


def test_only_the_current_version_is_compared() -> None:
    old = events(["id", "gone"], at=1)

    assert disagreements(old, defined("id", at=2), events(["id"], at=3)) == []
