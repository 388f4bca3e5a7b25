"""Versions of tables: which evidence decides, how they are numbered, and what their key is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from dbt_common.exceptions import CompilationError

from tests.support.evidence_rows import (
    Evidence,
    change,
    events,
    key_schema,
    node,
    seen,
    statement,
)

COLUMNS = {"columns": [{"name": "id", "type": "int32", "optional": False}]}


def keys(*rows: Any, **options: Any) -> dict[str, int]:
    found = Evidence(*rows, **options).columns("column_name", "key_position", current=True)
    return {name: place for name, place in found if place is not None}


def test_a_configured_table_has_no_position() -> None:
    evidence = Evidence(tables={"dbo.t": {**COLUMNS, "key": ["id"]}})
    names = ("version", "is_current", "since_position", "last_position", "topic", "key_position")

    assert evidence.columns(*names) == [(1, True, None, None, "p.dbo.t", 1)]


@pytest.mark.parametrize("name", ["dbo.t", "testDB.dbo.t"])
def test_a_configured_table_is_the_found_one_of_its_name(name: str) -> None:
    if name.count(".") > 1:
        evidence = Evidence(events(None))
        evidence.config["tables"] = {name: COLUMNS}
    else:
        evidence = Evidence(events(None), tables={name: COLUMNS})

    assert evidence.columns("database_name", "topics") == [("testDB", ["p.dbo.t"])]


def test_the_last_record_key_is_the_key() -> None:
    rows = [
        events(["a", "b"], at=at, key_schema=key_schema(name)) for at, name in ((2, "b"), (1, "a"))
    ]

    assert keys(*rows) == {"b": 1}


@pytest.mark.parametrize("names", [("a", "shard"), ("shard", "site")])
def test_members_of_the_key_that_rows_lack_are_the_last_columns(names: tuple[str, ...]) -> None:
    row = events(["a"], key_schema=key_schema(*names))
    added = [name for name in names if name != "a"]

    assert Evidence(row).columns("column_name", "ordinal_position", "is_key") == [
        ("a", 1, "a" in names),
        *((name, place, True) for place, name in enumerate(added, start=2)),
    ]


def test_a_member_of_the_key_that_the_configured_key_lacks_has_no_place() -> None:
    row = events(["a"], key_schema=key_schema("a", "shard"))
    configured = Evidence(row, tables={"dbo.t": {"key": ["a"]}})

    assert configured.columns("column_name", "ordinal_position") == [("a", 1), ("shard", None)]


def test_a_key_outside_of_rows_without_a_schema_counts_if_its_members_are_known() -> None:
    row = events(None, key_fields=["k"], value_fields=["a"])
    known = [{"name": name, "type": "string"} for name in ("k", "a")]

    assert keys(row, tables={"dbo.t": {"columns": known}}) == {"k": 1}
    assert keys(row, tables={"dbo.t": {"columns": known[1:]}}) == {}
    assert keys(row, statement(change("CREATE", ["k", "a"], ["a"]))) == {"k": 1}


def test_a_struct_in_a_key_is_no_column() -> None:
    nested = json.loads(key_schema("k"))
    nested["fields"][0] |= {"type": "struct", "fields": [node("id")]}

    assert keys(events(["a"], key_schema=json.dumps(nested))) == {}


@pytest.mark.parametrize(
    ("version", "topic"),
    [("3.6.1.Final", "p.testDB.dbo.t"), ("1.9.7.Final", "p.dbo.t"), (None, "p.testDB.dbo.t")],
)
def test_where_sql_server_would_write(version: str | None, topic: str) -> None:
    assert Evidence(statement(change("CREATE", ["id"]), source_version=version)).columns(
        "topic"
    ) == [(topic,)]


def test_what_no_topic_may_be_named_becomes_an_underscore() -> None:
    row = statement(change("CREATE", ["id"], id='"d"."S"."my table ключ"'))

    assert Evidence(row, connector="oracle").columns("topic") == [("p.S.my_table_____",)]


def test_a_record_that_does_not_name_its_database_is_of_the_one_that_others_name() -> None:
    rows = [events(["a"], at=1, source_db=None, topic="x"), events(["a"], at=2)]

    assert Evidence(*rows).columns("database_name", "topics") == [("testDB", ["p.dbo.t", "x"])]


def test_databases_of_one_topic_are_kept_apart() -> None:
    rows = [events(["a"], source_db="one"), events(["a"], at=2, source_db="two")]

    assert Evidence(*rows).columns("database_name") == [("one",), ("two",)]


def test_the_topic_names_a_table_whose_source_block_does_not() -> None:
    row = events(["a"], topic="p.db.s.x", source_db=None, source_schema=None, source_table=None)

    assert Evidence(row).columns("database_name", "schema_name", "table_name") == [("db", "s", "x")]


def test_mysql_has_databases_in_the_place_of_schemas() -> None:
    row = events(["a"], source_db="shop", source_schema=None)

    assert Evidence(row, connector="mysql").columns("database_name", "schema_name") == [
        ("shop", "shop")
    ]


def test_an_included_table_is_a_part_of_the_whole() -> None:
    tables = {"dbo.t": {"includes": [{"table": "t_*"}]}}
    parts = [events(["a"], at=1), events(["a", "b"], at=2, source_table="t_2024")]
    dropped = statement(change("DROP", id='"testDB"."dbo"."t_2024"'), at=3)
    (table,) = Evidence(*parts, dropped, tables=tables).tables()

    assert (table.name.table_name, len(table.versions), table.ended_by) == ("t", 2, None)


def test_a_version_has_its_own_definition_else_one_of_the_same_columns_else_the_last() -> None:
    own = statement(change("CREATE", ["a"]), at=1)
    last = statement(change("ALTER", ["a", "b"]), at=5)
    (table,) = Evidence(own, last, events(["b", "a"], at=6), events(["c"], at=7)).tables()

    described = [table.definition_of(version) for version in table.versions]
    names = [[column.name for column in one or ()] for one in described]
    assert names == [["a", "b"], ["a", "b"]]
    (table,) = Evidence(own, last).tables()
    assert [len(table.definition_of(version) or ()) for version in table.versions] == [1, 2]


def test_a_configured_database_type_that_is_not_known_is_refused_with_the_column() -> None:
    tables = {"public.t": {"columns": [{"name": "c", "database_type": "cube"}]}}

    with pytest.raises(CompilationError, match="'c' has the database_type 'cube'"):
        Evidence(connector="postgresql", tables=tables).tables()


def test_a_configured_database_type_is_a_node_of_a_schema() -> None:
    columns = [
        {"name": "price", "database_type": "numeric(10,2)", "optional": False},
        {"name": "tags", "database_type": "hstore[]"},
    ]
    evidence = Evidence(
        connector="postgresql",
        tables={"public.t": {"columns": columns}},
        hstore_handling_mode="map",
    )

    assert evidence.columns("schema_json") == [
        (
            '{"type":"bytes","optional":false,"field":"price",'
            '"name":"org.apache.kafka.connect.data.Decimal",'
            '"parameters":{"scale":"2","connect.decimal.precision":"10"}}',
        ),
        ('{"type":"array","optional":true,"field":"tags","items":{"type":"map","optional":true}}',),
    ]


def test_a_record_without_a_time_is_the_first() -> None:
    bare = {"topic": "p.dbo.t", "partition": 0, "offset": 9}
    rows = [events(["b"], first_seen=bare), events(["a"], first_seen=seen(1))]

    assert Evidence(*rows).columns("version", "column_name") == [(1, "b"), (2, "a")]
