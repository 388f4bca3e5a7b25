"""What records of the schema-change topic say of tables (spec §9.2, §9.3)."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.generator.invalid_definitions import invalid_definition_messages
from tests.support.evidence_rows import Evidence, change, column, events, statement


def tables(*rows: Any, **options: Any) -> list[tuple[Any, ...]]:
    found = Evidence(*rows, **options).tables()
    return [
        (table.name.schema_name, table.name.table_name, len(table.versions), table.ended_by)
        for table in found
    ]


def test_a_create_and_an_alter_are_two_versions() -> None:
    evidence = Evidence(
        statement(change("CREATE", ["id"]), at=1), statement(change("ALTER", ["id", "a"]), at=2)
    )

    assert evidence.columns("version", "column_name", "is_current", "since_position") == [
        (1, "id", False, "p.dbo.t:0:1"),
        (2, "id", True, "p.dbo.t:0:2"),
        (2, "a", True, "p.dbo.t:0:2"),
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


def test_a_drop_ends_the_table_until_it_is_created_again() -> None:
    created, dropped = change("CREATE", ["id"]), change("DROP")
    ended = [statement(created, at=1), statement(dropped, at=2)]

    assert tables(*ended) == [("dbo", "t", 1, "dropped")]
    assert tables(*ended, statement(change("CREATE", ["id", "a"]), at=3)) == [("dbo", "t", 2, None)]
    # up to 2.3 the last definition is repeated
    assert tables(statement(created, at=1), statement(change("DROP", ["id"]), at=2)) == [
        ("dbo", "t", 1, "dropped")
    ]


@pytest.mark.parametrize("snapshot", ["true", "last", True])
def test_the_statements_before_a_snapshot_drop_nothing(snapshot: Any) -> None:
    preamble = statement(change("DROP"), at=2, source_snapshot=snapshot)

    assert tables(statement(change("CREATE", ["id"]), at=1), preamble) == [("dbo", "t", 1, None)]


def test_of_one_record_the_last_change_counts() -> None:
    replaced = statement(change("DROP"), change("CREATE", ["id"]))

    assert tables(replaced, connector="mysql") == [("dbo", "t", 1, None)]


def test_a_rename_ends_the_old_name() -> None:
    old = statement(change("CREATE", ["id"], id='"d"."S"."OLD"'), at=1)
    renamed = statement(change("ALTER", ["id"], id='"d"."S"."NEW"'), at=2, source_table="OLD,NEW")

    assert tables(old, renamed, connector="oracle") == [
        ("S", "NEW", 1, None),
        ("S", "OLD", 1, "renamed to S.NEW"),
    ]


def test_members_of_old_versions_are_missing() -> None:
    bare = {"name": "id", "typeName": "int", "optional": False}
    evidence = Evidence(statement(change("CREATE", [bare])))

    assert evidence.columns("column_name", "connect_type", "is_optional", "default_value") == [
        ("id", "int32", False, None)
    ]


def test_labels_come_with_quotes_or_without() -> None:
    labels = ["'a'", "b", "'o''neil'", "'"]
    kind = column("kind", 1, typeName="ENUM", enumValues=labels)
    evidence = Evidence(statement(change("CREATE", [kind])), connector="mysql")

    assert evidence.columns("enum_values") == [(["a", "b", "o'neil", "'"],)]


def test_a_type_that_is_no_enum_has_no_labels() -> None:
    colours = column("colours", 1, typeName="SET", enumValues=["'a'"])

    found = Evidence(statement(change("CREATE", [colours])), connector="mysql")
    assert found.columns("enum_values") == [(None,)]


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


def test_records_know_the_encoding_and_definitions_the_rest() -> None:
    kinds = [
        column("id", 2, typeName="int", optional=False, comment=" the key "),
        column("name", 1, typeName="varchar", length=9),
    ]
    evidence = Evidence(
        statement(change("CREATE", kinds, ["id"]), at=1), events(["id", "name"], at=2)
    )
    names = ("column_name", "ordinal_position", "connect_type", "is_optional", "database_type")

    assert evidence.columns(*names, "comment", "evidence") == [
        ("id", 2, "string", False, "int", "the key", "embedded_schema"),
        ("name", 1, "string", True, "varchar(9)", None, "embedded_schema"),
    ]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
