"""Traps 1 to 10 of the specification: reading a record."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.support.examples import compact, example
from tests.support.macros import CompilerError, Macros
from tests.traps.cases import Case
from tests.traps.records import ABSENT, Log, embedded_columns, late
from tests.traps.tables import (
    NAMES,
    PG,
    PG_PAIRS,
    SQLSERVER,
    SQLSERVER_PAIRS,
    column,
    customer,
    decimal,
    john,
    pg_log,
    ss_log,
)

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


# 2

TOMBSTONES = {
    "null": None,
    "an empty text": "",
    "the text null": "null",
    "an envelope of nulls": '{"schema":null,"payload":null}',
    "an envelope of nulls with spaces": '{"schema": null, "payload": null}',
}
tombstones = pg_log().say("c", 99, 10, "stays")
for number, form in enumerate(TOMBSTONES.values(), 1):
    tombstones.say("c", number, 10, "a").end(number, form)
PG_TOMBSTONES = PG.story("tombstones", tombstones.records)
LEGACY = SQLSERVER.story(
    "legacy_null",
    ss_log().say("c", 1005, 5, "a").records,
    late(example("common_legacy_null_envelope"), 1),
)
NULL_KEY = PG.story(
    "null_key", pg_log().say("c", 1, 10, "a").raw('{"schema":null,"payload":null}', None).records
)


@pytest.mark.parametrize("number", range(1, len(TOMBSTONES) + 1), ids=list(TOMBSTONES))
def test_02_a_tombstone_is_one_in_every_form(built, number):
    assert number not in built.values(PG_TOMBSTONES, "email")
    (event,) = [e for e in built.staged(PG_TOMBSTONES) if e["_cdc_offset"] == 2 * number]
    assert (event["_cdc_op"], event["_cdc_errors"]) == ("tombstone", None)


def test_02_what_is_no_tombstone_deletes_nothing(built):
    assert built.values(PG_TOMBSTONES, "email") == {99: "stays"}


def test_02_the_envelope_of_nulls_of_old_converters_deletes(built):
    assert built.values(LEGACY, "email", 1) == {1005: "a"}
    assert built.current(LEGACY) == []


def test_02_a_null_in_the_old_form_is_a_null_key_too(built):
    event = built.staged(NULL_KEY)[1]
    assert (event["_cdc_op"], event["_cdc_key"], event["_cdc_errors"]) == ("tombstone", None, None)
    assert built.values(NULL_KEY, "email") == {1: "a"}
    assert len(built.state(NULL_KEY)) == 1


OLD_DELETE = example(
    *(f"sqlserver_1.9.7_{name}" for name in ("create_with_schema", "update_payload_only")),
    *(f"sqlserver_1.9.7_{name}" for name in ("delete_payload_only", "tombstone")),
)
OLD_DELETED = SQLSERVER.story("old_deleted", OLD_DELETE[:2], OLD_DELETE[2:])


def test_02_a_tombstone_after_its_delete_says_nothing_new(built):
    assert [event["_cdc_op"] for event in built.staged(OLD_DELETED)] == ["c", "u", "d", "tombstone"]
    assert built.values(OLD_DELETED, "email", 1) == {1005: "noreply@example.org"}
    assert built.current(OLD_DELETED) == []
    assert built.replays(OLD_DELETED) == (0, 0)


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


# 4

FULL_MARKERS = [
    "true",
    True,
    "first",
    "first_in_data_collection",
    "last_in_data_collection",
    "last",
]
STREAMING_MARKERS = ["false", False, None, ABSENT]
reads = pg_log()
for number, marker in enumerate([*FULL_MARKERS, "incremental"], 1):
    reads.say("u", number, 500, "before").say("r", number, 9, "read", snapshot=marker)
    reads.say("u", number, 10, "after")
PG_MARKERS = PG.story("markers", reads.records)
read_first = [record for record in reads.records if record.offset % 3 < 2]
read_later = [record for record in reads.records if record.offset % 3 == 2]
PG_MARKERS_CUT = PG.story("markers_cut", read_first, read_later)
changes = pg_log()
for number, marker in enumerate(STREAMING_MARKERS, 1):
    changes.say("c", number, 10, "new", snapshot=marker).say("u", number, 5, "old", snapshot=marker)
PG_STREAMING = PG.story("streaming", changes.records)
PG_READ = PG.story("read", example("postgres_2.1.4_snapshot_read"))
SS_READ = SQLSERVER.story("read", example("sqlserver_2.1.4_snapshot_read"))


@pytest.mark.parametrize("number", range(1, len(FULL_MARKERS) + 1), ids=map(repr, FULL_MARKERS))
def test_04_every_marker_of_a_full_snapshot_resets_the_mark(built, number):
    assert built.values(PG_MARKERS, "email")[number] == "after"
    assert built.values(PG_MARKERS_CUT, "email")[number] == "after"
    assert built.staged(PG_MARKERS)[3 * number - 2]["_cdc_snapshot"] == (
        "true" if number == 2 else FULL_MARKERS[number - 1]
    )


def test_04_an_incremental_read_leaves_the_mark_alone(built):
    for story in (PG_MARKERS, PG_MARKERS_CUT):
        assert built.values(story, "email")[len(FULL_MARKERS) + 1] == "read"


def test_04_false_null_and_no_marker_are_streaming(built):
    assert {event["_cdc_snapshot"] for event in built.staged(PG_STREAMING)} == {"false"}
    assert built.values(PG_STREAMING, "email") == dict.fromkeys(range(1, 5), "new")
    assert built.staged(SS_FORMS)[2]["_cdc_snapshot"] == "false"


def test_04_snapshot_examples_are_reads(built):
    assert built.current(PG_READ) == [customer(1)]
    sally = {"first_name": "Sally", "last_name": "Thomas", "email": "sally.thomas@acme.com"}
    assert built.current(SS_READ) == [{"id": 1001, **sally}]
    for story in (PG_READ, SS_READ):
        (event,) = built.staged(story)
        assert (event["_cdc_op"], event["_cdc_snapshot"]) == ("r", "first")


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


# 6


PG_NUMBERS = Case(
    "pg_numbers",
    "postgresql",
    [column("id", "int32"), decimal("price", 38, 18), decimal("total", 39, 0)],
    table="public.numbers",
    mark=None,
    options={"decimal_format": "numeric"},
)
# digits that a double does not hold; the converter writes them without quotes
PRICE, TOTAL = "12345678901234567890.123456789012345678", "9" * 39
NUMBERS = PG_NUMBERS.story(
    "numbers",
    [
        replace(record, value=record.value.replace('"PRICE"', PRICE).replace('"TOTAL"', TOTAL))
        for record in pg_log()
        .add("c", {"id": 1}, 10, {"id": 1, "price": "PRICE", "total": "TOTAL"})
        .records
    ],
)


def test_06_decimals_that_the_converter_writes_as_numbers_keep_every_digit(built):
    (row,) = built.current(NUMBERS)
    assert (str(row["price"]), row["total"]) == (PRICE, TOTAL)


# 7

PG_SHARED = Case(
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
        Macros().check_columns("staging", "public.t", [columns[0]], columns)


# 9

ENVELOPE_NAMES = ["schema", "payload", "op", "before", "after", "source", "key", "value", "topic"]
PG_NAMED = Case(
    "pg_named",
    "postgresql",
    [
        column("id", "int32"),
        *[column(name) for name in ENVELOPE_NAMES],
        column("partition", "int32"),
        column('It\'s `odd` \\ "name"'),
    ],
    key=["schema", "payload"],
    table="public.named",
)
named = {name: f"{name} of the row" for name in ENVELOPE_NAMES} | {
    "op": "d",
    "payload": '{"op":"d","after":null}',
    "before": None,
    "partition": 7,
    'It\'s `odd` \\ "name"': 'it\'s "odd" \\ `x`',
}


def named_key(number: int) -> dict[str, object]:
    return {"schema": f"schema {number}", "payload": '{"op":"d","after":null}'}


def named_row(number: int, **changes: object) -> dict[str, object]:
    return {"id": number, **named, **named_key(number), **changes}


with_schema = {"type": "struct", "fields": []}
names = Log("postgresql")
names.add("c", named_key(1), 10, named_row(1))
names.add("c", named_key(2), 20, named_row(2))
enveloped = json.loads(names.records[1].value or "")
names.records.pop()
names.raw(
    compact({"schema": with_schema, "payload": named_key(2)}),
    compact({"schema": with_schema, "payload": enveloped}),
)
names.add("c", named_key(3), 30, named_row(3)).add("d", named_key(3), 40, before=named_key(3))
NAMED = PG_NAMED.story("named", names.records)


def test_09_columns_named_like_the_envelope_are_columns(built):
    assert built.current(NAMED) == [named_row(1), named_row(2)]
    assert [event["_cdc_op"] for event in built.staged(NAMED)] == ["c", "c", "c", "d"]
    assert all(event["_cdc_errors"] is None for event in built.staged(NAMED))


# 10

keys = pg_log().say("c", 1, 10, "a").say("c", 2, 10, "a").say("c", 3, 10, "a").say("c", 4, 10, "a")
keys.add("u", 1, 20, {"id": 1, "email": "scalar"})
keys.add(
    "u", {"schema": {"type": "int32"}, "payload": 2}, 20, {"id": 2, "email": "scalar with schema"}
)
keys.add(
    "u",
    {"schema": {"type": "struct", "fields": []}, "payload": {"id": 3}},
    20,
    {"id": 3, "email": "with schema"},
)
keys.add("u", None, 20, {"id": 4, "email": "no key"})
PG_KEYS = PG.story("keys", keys.records, pg_log().raw("1", None, offset=50).records)
SS_KEYLESS_DELETE = SQLSERVER.story(
    "no_key",
    ss_log()
    .say("c", 1, 10, "a")
    .add("d", None, 20, before={"id": 1, "first_name": "a", "last_name": "b", "email": "a"})
    .records,
)
PG_KEYLESS_DELETE = PG.story(
    "no_key",
    pg_log().say("c", 1, 10, "a").add("d", None, 20, before={"id": 1, "first_name": ""}).records,
)
PG_TEXT_KEYS = PG_PAIRS.story(
    "text_keys", Log("postgresql").add("c", {"pk": "2"}, 10, {"pk": "2", "aa": "a"}).records
)
ordered = Log("postgresql")
ordered.add("c", named_key(4), 10, named_row(4))
ordered.add("u", dict(reversed(named_key(4).items())), 20, named_row(4, op="u"))
ordered.add(
    "u",
    {"schema": with_schema, "payload": dict(sorted(named_key(4).items()))},
    30,
    named_row(4, op="last"),
)
MEMBER_ORDER = PG_NAMED.story("member_order", ordered.records)


def test_10_a_key_is_the_same_in_every_form(built):
    assert built.values(PG_KEYS, "email", 1) == {
        1: "scalar",
        2: "scalar with schema",
        3: "with schema",
        4: "no key",
    }
    assert len(built.state(PG_KEYS)) == 4


def test_10_a_tombstone_with_a_bare_key_meets_its_row(built):
    assert sorted(built.values(PG_KEYS, "email")) == [2, 3, 4]


def test_10_the_order_of_the_keys_members_does_not_matter(built):
    assert [values["op"] for values in built.current(MEMBER_ORDER)] == ["last"]


def test_10_a_text_key_keeps_its_quotes_out(built):
    assert built.current(PG_TEXT_KEYS) == [{"pk": "2", "aa": "a", "value": None}]


def test_10_a_delete_without_a_key_takes_it_from_a_complete_before_only(built):
    assert built.current(SS_KEYLESS_DELETE) == []
    assert built.values(PG_KEYLESS_DELETE, "email") == {1: "a"}
    assert built.staged(PG_KEYLESS_DELETE)[1]["_cdc_errors"] == ["record: no key"]


def test_the_examples_schema_is_the_table_of_the_stories():
    assert embedded_columns("postgres_2.1.4_create_with_schema") == PG.columns[:4]
