"""Envelopes in every form of a converter: traps 1, 3, 5, 7, 8 and 9 of the specification."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.cases.log import Log, embedded_columns, late
from tests.cases.table import Table
from tests.cases.tables import (
    NAMES,
    PG,
    PG_PAIRS,
    SQLSERVER,
    SQLSERVER_PAIRS,
    column,
    customer,
    john,
    pg_log,
)
from tests.support.examples import compact, example
from tests.support.macros import CompilerError, Macros
from tests.traps.named_columns import PG_NAMED, WITH_SCHEMA, named_key, named_row

# 1

PG_FORMS = PG.story(
    "forms",
    [
        *example("postgres_2.1.4_create_with_schema"),
        *late(example("postgres_2.1.4_update_before_null"), 1),
    ],
)
SS_FORMS = SQLSERVER.story(
    "forms",
    example(
        "sqlserver_2.1.4_create_with_schema",
        "sqlserver_2.1.4_update_payload_only",
        "common_snapshot_null_when_defaults_off",
    ),
)
EXACT = SQLSERVER.story("exact", example("sqlserver_2.1.4_exact_create_with_schema"))
SS_DELETED = SQLSERVER.story(
    "deleted",
    example("sqlserver_2.1.4_create_with_schema", "sqlserver_2.1.4_update_payload_only"),
    late(example("sqlserver_2.1.4_delete_payload_only", "sqlserver_2.1.4_tombstone"), 2),
)


def test_01_events_with_and_without_schema_mix_in_one_topic(built):
    assert built.current(PG_FORMS) == [customer(1, first_name="Anne Marie")]
    assert built.current(SS_FORMS) == [john(1005, "z@x.org")]
    assert built.current(EXACT) == [john(1005, "john.doe@example.org")]
    for story in (PG_FORMS, SS_FORMS, EXACT):
        assert [event["_cdc_errors"] for event in built.staged(story)] == [None] * len(
            built.staged(story)
        )
        assert len(built.state(story)) == 1


def test_01_a_payload_only_delete_ends_a_row_that_began_with_a_schema(built):
    assert built.current(SS_DELETED, 1) == [john(1005, "noreply@example.org")]
    assert built.current(SS_DELETED) == []
    assert [event["_cdc_op"] for event in built.staged(SS_DELETED)] == ["c", "u", "d", "tombstone"]


# 3

seeds = example("sqlserver_1.9.7_create_with_schema", "sqlserver_1.9.7_update_payload_only")
QUOTED = SQLSERVER.story(
    "quoted",
    seeds,
    [replace(seeds[1], offset=7, value=(seeds[1].value or "").replace('no":"2"', 'no":2'))],
)
PG_TRANSACTION = PG_PAIRS.story(
    "transaction", example("seq_postgres_2.1.4_transaction", topic="PostgreSQL_server.s1.a")
)
SS_TRANSACTION = SQLSERVER_PAIRS.story(
    "transaction", example("seq_sqlserver_2.1.4_transaction", topic="server1.testDB.dbo.tablea")
)


@pytest.mark.covers("support SQL Server 1.9: rows")
def test_03_quoted_numbers_are_the_same_numbers(built):
    quoted, number = [
        event["_cdc_pos"] for event in built.staged(QUOTED) if event["_cdc_op"] == "u"
    ]
    assert quoted == number == "00000027:00000ac0:0007"
    assert built.current(QUOTED) == [john(1005, "noreply@example.org")]
    assert built.replays(QUOTED) == (1, 0)


@pytest.mark.parametrize(
    ("story", "pk"), [(PG_TRANSACTION, "2"), (SS_TRANSACTION, "2")], ids=["postgresql", "sqlserver"]
)
def test_03_quoted_times_and_orders_are_read(built, story, pk):
    (event,) = built.staged(story)
    assert (
        event["_cdc_captured_at"].strftime("%Y-%m-%d %H:%M:%S.%f") == "2020-01-30 13:28:04.335000"
    )
    assert (event["_cdc_tx_total_order"], event["_cdc_tx_collection_order"]) == (1, 1)
    assert (event["pk"], event["aa"]) == (pk, "1")


# 5

schema = {
    "type": "struct",
    "fields": [
        {"field": "id", "type": "int32"},
        {"field": "nickname", "type": "string", "optional": True, "default": "none"},
    ],
}


def defaulted(number: int, nickname: str | None) -> dict[str, object]:
    after = {"id": number, "nickname": nickname}
    source = {"lsn": 10 * number, "sequence": '["1","10"]'}
    node = schema | {"field": "after", "optional": True}
    envelope = {"before": None, "after": after, "source": source, "op": "c", "ts_ms": 1}
    return {"schema": {"type": "struct", "fields": [node]}, "payload": envelope}


PG_DEFAULTS = PG.story(
    "defaults",
    pg_log()
    .add("c", {"id": 1}, value=defaulted(1, "none"))
    .add("c", {"id": 2}, value=defaulted(2, None))
    .records,
)


def test_05_a_null_is_what_the_converter_printed_and_no_default_is_put_in_its_place(built):
    assert built.values(PG_DEFAULTS, "nickname") == {1: "none", 2: None}


# 7

PG_SHARED = Table(
    "pg_shared",
    "postgresql",
    [column("id", "int32"), *NAMES],
    table="public.my table",
    shared_topic=True,
)
spaced, joined = {"table": "my table"}, {"table": "my_table"}
SHARED = PG_SHARED.story(
    "shared",
    pg_log()
    .say("c", 1, 10, "ours", source=spaced)
    .say("c", 1, 20, "theirs", source=joined)
    .say("c", 2, 30, "theirs", source=joined)
    .say("c", 3, 40, "ours", source=spaced)
    .say("d", 3, 50, source=spaced)
    .records,
)
SS_OLD_TOPIC = SQLSERVER.story("without_database", example("sqlserver_1.9.7_create_with_schema"))


def test_07_of_two_tables_in_one_topic_each_gets_its_own_rows(built):
    assert built.values(SHARED, "email") == {1: "ours"}
    assert [event["_cdc_offset"] for event in built.staged(SHARED)] == [0, 3, 4]


@pytest.mark.covers("support SQL Server 1.9: rows")
def test_07_a_topic_without_the_database_is_read_alike(built):
    assert built.current(SS_OLD_TOPIC) == [john(1005, "john.doe@example.org")]


# 8

PG_CASES = PG.story(
    "cases",
    pg_log()
    .add("c", {"id": 1}, 10, {"ID": 2, "Id": 3, "id": 1, "Email": "x", "email": "y"})
    .records,
)


def test_08_columns_are_read_by_their_exact_names_and_others_are_kept(built):
    (event,) = built.staged(PG_CASES)
    assert (event["id"], event["email"]) == (1, "y")
    assert event["_cdc_unmapped"] == {"ID": "2", "Id": "3", "Email": "x"}
    assert built.values(PG_CASES, "email") == {1: "y"}


def test_08_columns_that_only_case_tells_apart_are_refused_by_name():
    columns = [column("id", "int32"), column("ID", "int32")]
    with pytest.raises(CompilerError, match=r"'id' and 'ID', which Spark takes for one"):
        Macros().check_columns("staging", "public.t", columns)


# 9

names = Log("postgresql")
names.add("c", named_key(1), 10, named_row(1))
names.add("c", named_key(2), 20, named_row(2))
enveloped = json.loads(names.records[1].value or "")
names.records.pop()
names.raw(
    compact({"schema": WITH_SCHEMA, "payload": named_key(2)}),
    compact({"schema": WITH_SCHEMA, "payload": enveloped}),
)
names.add("c", named_key(3), 30, named_row(3)).add("d", named_key(3), 40, before=named_key(3))
NAMED = PG_NAMED.story("named", names.records)


def test_09_columns_named_like_the_envelope_are_columns(built):
    assert built.current(NAMED) == [named_row(1), named_row(2)]
    assert [event["_cdc_op"] for event in built.staged(NAMED)] == ["c", "c", "c", "d"]
    assert all(event["_cdc_errors"] is None for event in built.staged(NAMED))


def test_the_examples_schema_is_the_table_of_the_stories():
    assert embedded_columns("postgres_2.1.4_create_with_schema") == PG.columns[:4]
