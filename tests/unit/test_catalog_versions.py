"""Versions of tables, what defines them, how they stand, and where their evidence disagrees.

Their rows: test_catalog_rows.py.
"""

from __future__ import annotations

from typing import Any

import pytest
from dbt_common.exceptions import CompilationError
from hypothesis import given, settings
from hypothesis import strategies as st

from dbt_debezium_spark.catalog.log_position import Place, RecordId, latest_log_position, restarts
from dbt_debezium_spark.generator.evidence_messages import invalid_definition_messages
from tests.support.evidence_rows import (
    Evidence,
    change,
    column,
    events,
    key_schema,
    node,
    point,
    seen,
    statement,
)

CONFIG = {"name": "s", "connector": "sqlserver"}


def definition(offset: int, table_changes: str | None) -> dict[str, Any]:
    """Return a definition as a row of the macro `_recorded_schemas`."""
    first = {"at": 0, "partition": 0, "offset": offset}
    return {"topic": "p", "kind": "schema_change", "table_changes": table_changes, "first": first}


def test_a_table_that_is_configured_with_its_database_is_the_found_one() -> None:
    evidence = Evidence(events(None))
    column = {"name": "id", "type": "int32", "optional": False}
    evidence.config["tables"] = {"testDB.dbo.t": {"columns": [column]}}

    assert evidence.columns("database_name", "topics") == [("testDB", ["p.dbo.t"])]


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


# -- records of the schema-change topic (spec §9.2, §9.3) -----------------------------------------


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
    ((kind, text),) = [
        (one["kind"], one["message"])
        for one in invalid_definition_messages(CONFIG, [definition(2, bad["table_changes"])])
    ]
    assert kind == "warning"
    assert text.startswith("source 's': record p:0:2 of the schema-change topic has a definition")


def test_several_records_are_counted() -> None:
    rows = [definition(at, "[{}]") for at in range(3)]

    ((message),) = invalid_definition_messages(CONFIG, rows)
    assert "record p:0:0 of the schema-change topic (and 2 more) has" in message["message"]
    assert invalid_definition_messages(CONFIG, [definition(1, None)]) == []
    assert invalid_definition_messages({**CONFIG, "connector": "postgresql"}, rows) == []


@pytest.mark.parametrize("changes", [None, "null", "[]", "5", '"x"'])
def test_a_record_without_changes_defines_nothing(changes: str | None) -> None:
    row = statement()

    assert tables(row | {"table_changes": changes}) == []


def test_postgresql_has_no_such_topic() -> None:
    assert tables(statement(change("CREATE", ["id"])), connector="postgresql") == []


# -- disagreements --------------------------------------------------------------------------------


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


# -- places in the source's log, by hand and at random --------------------------------------------


FAST = settings(deadline=None, derandomize=True, database=None)
OLD, NEW = ["id"], ["id", "added"]


def current(*rows: Any, **options: Any) -> list[str]:
    found = Evidence(*rows, **options).columns("column_name", current=True)
    return [name for (name,) in found]


def test_a_snapshot_before_the_changes_opens_no_life() -> None:
    snapshot = point(1, restarted=seen(1))

    assert restarts([_place(snapshot), _place(point(5))]) == frozenset()


def test_a_later_epoch_may_start_lower() -> None:
    snapshot = point(6, position="00002", restarted=seen(6), epoch=1)

    assert restarts([_place(point(5)), _place(snapshot)]) == frozenset()


def test_a_record_without_a_position_stands_before_those_with_one() -> None:
    bare = point(9)
    del bare["position"]

    assert current(events(OLD, points=[bare]), events(NEW, points=[point(1)])) == NEW


PLACES = st.builds(
    Place,
    incarnation=st.integers(0, 1),
    epoch=st.integers(0, 1),
    position=st.none() | st.sampled_from(["1", "2", "3"]),
    record=st.builds(RecordId, at=st.integers(0, 9), topic=st.just("t"), partition=st.just(0),
                   offset=st.integers(0, 9)),
    restarted=st.none(),
)  # fmt: skip


@FAST
@given(st.lists(PLACES, min_size=1, max_size=6), st.data())
def test_a_repeat_of_records_changes_no_standing(places: list[Place], data: Any) -> None:
    last = max(place.record.at for place in places)
    again = data.draw(st.sampled_from(places))
    repeat = again._replace(record=again.record._replace(at=last + 1))
    first = latest_log_position(places, frozenset())
    then = latest_log_position([*places, repeat], frozenset())

    assert first[:4] == then[:4]


def _place(value: dict[str, Any]) -> Place:
    restarted = value.get("restarted")
    return Place(
        value["incarnation"],
        value["epoch"],
        value["position"],
        RecordId(**value["seen"]),
        None if restarted is None else RecordId(**restarted),
    )
