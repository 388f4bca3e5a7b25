"""What records of the schema-change topic say of tables (spec §9.2, §9.3)."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.generator.invalid_definitions import invalid_definition_messages
from tests.support.evidence_rows import Evidence, change, column, statement


def tables(*rows: Any, **options: Any) -> list[tuple[Any, ...]]:
    found = Evidence(*rows, **options).tables()
    return [
        (table.name.schema_name, table.name.table_name, len(table.versions), table.ended_by)
        for table in found
    ]


@pytest.mark.parametrize(
    ("identifier", "expected"),
    [
        ('"db"."dbo"."my.table"', ("dbo", "my.table")),
        ('"db"."dbo"."a""b"', ("dbo", 'a"b')),
        ('"inventory"."customers"', ("inventory", "customers")),
        ("db.dbo.bare", ("dbo", "bare")),
    ],
)
def test_the_parts_of_an_id_are_quoted(identifier: str, expected: tuple[str, str]) -> None:
    row = statement(change("CREATE", ["id"], id=identifier))

    assert tables(row, connector="mysql") == [(*expected, 1, None)]


@pytest.mark.parametrize("snapshot", ["true", "last", True])
def test_the_statements_before_a_snapshot_drop_nothing(snapshot: Any) -> None:
    preamble = statement(change("DROP"), at=2, source_snapshot=snapshot)

    assert tables(statement(change("CREATE", ["id"]), at=1), preamble) == [("dbo", "t", 1, None)]


def test_of_one_record_the_last_change_counts() -> None:
    replaced = statement(change("DROP"), change("CREATE", ["id"]))

    assert tables(replaced, connector="mysql") == [("dbo", "t", 1, None)]


@pytest.mark.parametrize(
    "wrong",
    [
        change("CREATE", ["id", column("", 2)]),
        change("CREATE", ["id", column("a", 2, typeName=None)]),
        change("CREATE", ["id", "id"]),
        change("CREATE", ["id", 5]),  # type: ignore[list-item]
        change("CREATE", ["id"], id=""),
        change("CREATE", ["id"], id=None),
        change("CREATE"),
        change("TRUNCATE", ["id"]),
        "text",
    ],
    ids=repr,
)
def test_a_change_that_no_connector_writes_is_left_alone_and_reported(wrong: Any) -> None:
    good = statement(change("CREATE", ["id"]), at=1)
    bad = statement(wrong, change("ALTER", ["id", "a"]), at=2)

    assert tables(good, bad) == [("dbo", "t", 2, None)]
    rows = [f'{{"event_id":"p:0:2","table_changes":{_quoted(bad["table_changes"])}}}']
    ((kind, text),) = [
        (one["kind"], one["message"]) for one in invalid_definition_messages("s", rows)
    ]
    assert kind == "warning"
    assert text.startswith("source 's': record p:0:2 of the schema-change topic has a definition")


def test_several_records_are_counted() -> None:
    rows = [f'{{"event_id":"p:0:{at}","table_changes":"[{{}}]"}}' for at in range(3)]

    ((message),) = invalid_definition_messages("s", rows)
    assert "record p:0:0 of the schema-change topic (and 2 more) has" in message["message"]
    assert invalid_definition_messages("s", ['{"event_id":"p:0:1"}']) == []


@pytest.mark.parametrize("changes", [None, "null", "[]", "5", '"x"'])
def test_a_record_without_changes_defines_nothing(changes: str | None) -> None:
    row = statement()

    assert tables(row | {"table_changes": changes}) == []


def test_postgresql_has_no_such_topic() -> None:
    assert tables(statement(change("CREATE", ["id"])), connector="postgresql") == []


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
