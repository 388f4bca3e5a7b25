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
    point,
    seen,
    statement,
)

COLUMNS = {"columns": [{"name": "id", "type": "int32", "optional": False}]}


def keys(*rows: Any, **options: Any) -> dict[str, int]:
    found = Evidence(*rows, **options).columns("column_name", "key_position", current=True)
    return {name: place for name, place in found if place is not None}


def test_versions_are_numbered_by_the_first_sighting() -> None:
    rows = [events(["b"], at=2), events(["a"], at=1), events(["c"], at=3)]

    assert Evidence(*rows).columns("version", "column_name") == [(1, "a"), (2, "b"), (3, "c")]


def test_the_order_of_rows_decides_nothing() -> None:
    rows = [events(["b"], at=2), events(["a"], at=1), statement(change("CREATE", ["a"]), at=3)]
    everything = ("version", "column_name", "is_current", "since_position", "topics")

    assert Evidence(*rows).columns(*everything) == Evidence(*rows[::-1]).columns(*everything)


def test_records_outrank_definitions_and_those_the_configuration() -> None:
    tables = {"dbo.t": COLUMNS}
    defined = statement(change("CREATE", ["a"]))

    def evidence(*rows: Any) -> Any:
        return Evidence(*rows, tables=tables).columns("evidence", "column_name")

    assert evidence(defined, events(["b"])) == [("embedded_schema", "b")]
    assert evidence(defined) == [("schema_change_topic", "a")]
    assert evidence() == evidence(events(None)) == [("configuration", "id")]


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


def test_the_configured_key_goes_before_the_record_key_and_that_before_the_primary_key() -> None:
    defined = statement(change("CREATE", ["a", "b"], ["b"]))
    row = events(["a", "b"], key_schema=key_schema("a"))

    assert keys(defined) == {"b": 1}
    assert keys(defined, row) == {"a": 1}
    assert keys(defined, row, tables={"dbo.t": {"key": ["b", "a"]}}) == {"b": 1, "a": 2}


def test_a_record_key_without_a_schema_counts_too() -> None:
    assert keys(events(["a", "b"], key_fields=["b", "b"])) == {"b": 1}


def test_the_last_record_key_is_the_key() -> None:
    rows = [
        events(["a", "b"], at=at, key_schema=key_schema(name)) for at, name in ((2, "b"), (1, "a"))
    ]

    assert keys(*rows) == {"b": 1}


@pytest.mark.parametrize("fields", [["if"], [], [None]])
def test_a_key_that_shares_no_column_with_its_row_is_none_of_the_table(fields: list[Any]) -> None:
    good = events(["a"], at=1, key_schema=key_schema("a"))

    assert keys(good, events(["a", "b"], at=2, key_fields=fields)) == {"a": 1}
    assert keys(good, events(["a", "b"], at=2, key_schema=key_schema("if"))) == {"a": 1}


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


def test_a_schema_that_no_converter_writes_is_no_evidence() -> None:
    good, bad = events(["a"], at=1), events([node("a", "stving")], at=2)
    bad_key = events(["b"], at=3, key_schema=key_schema("b").replace("string", "stving"))

    assert Evidence(good, bad, bad_key).columns("column_name") == [("a",)]


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


@pytest.mark.parametrize("signal", ["dbo.t", "testDB.dbo.t"])
def test_the_table_of_signals_is_left_out(signal: str) -> None:
    others = [events(["a"]), events(["a"], at=2, source_table="u", source_db=None)]

    assert Evidence(*others, signal_data_collection=signal).columns("table_name") == [("u",)]


def test_an_included_table_is_a_part_of_the_whole() -> None:
    tables = {"dbo.t": {"includes": [{"table": "t_*"}]}}
    parts = [events(["a"], at=1), events(["a", "b"], at=2, source_table="t_2024")]
    dropped = statement(change("DROP", id='"testDB"."dbo"."t_2024"'), at=3)
    (table,) = Evidence(*parts, dropped, tables=tables).tables()

    assert (table.name.table_name, len(table.versions), table.ended_by) == ("t", 2, None)


def test_a_column_that_changes_lack_for_a_while_was_gone() -> None:
    def streamed(names: list[str], *ats: int) -> dict[str, Any]:
        low, high = f"{ats[0]:05d}", f"{ats[-1]:05d}"
        points = [point(at) for at in ats]
        return events(names, ats[0], points=points, lowest_streamed=low, highest_streamed=high)

    gone = [streamed(["id", "v"], 1, 4), streamed(["id"], 2)]
    names = ("column_name", "gone_until")
    assert Evidence(*gone).columns(*names, current=True) == [("id", None), ("v", "00002")]
    # added once, and dropped once
    assert Evidence(streamed(["id"], 1), streamed(["id", "v"], 2)).columns(
        *names, current=True
    ) == [
        ("id", None),
        ("v", None),
    ]
    # positions that start anew order nothing
    epochs = [{"from": "2023-11-14T22:13:20Z"}]
    assert ("v", "00002") not in Evidence(*gone, epochs=epochs).columns(*names)


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
