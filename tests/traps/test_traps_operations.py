"""Traps 24 to 42 of the specification: what operations mean, without unavailable values."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support.examples import START_MS, compact, example
from tests.traps.cases import Case
from tests.traps.records import Log, again, late
from tests.traps.tables import (
    NAMES,
    PG,
    PG_PAIRS,
    PG_TRUNCATED,
    SQLSERVER,
    SQLSERVER_PAIRS,
    column,
    customer,
    john,
    pg_log,
)

# 24

ALONE = SQLSERVER.story("alone", example("sqlserver_2.1.4_tombstone"))
PG_ALONE = PG.story("alone", example("postgres_2.1.4_tombstone"))
COMPACTED = SQLSERVER.story(
    "compacted",
    example("sqlserver_2.1.4_create_with_schema"),
    late(example("sqlserver_2.1.4_tombstone"), 1),
)
RECREATED = PG.story(
    "recreated", pg_log().say("c", 1, 500, "a").end(1).say("c", 1, 10, "again").records
)


def test_24_a_tombstone_whose_delete_was_compacted_away_deletes(built):
    assert built.current(COMPACTED, 1) == [john(1005, "john.doe@example.org")]
    assert built.current(COMPACTED) == []


@pytest.mark.parametrize("story", [ALONE, PG_ALONE], ids=["sqlserver", "postgresql"])
def test_24_a_tombstone_that_is_all_there_is_makes_a_dead_key(built, story):
    assert built.current(story) == []
    assert [state["_cdc_is_deleted"] for state in built.state(story)] == [True]


def test_24_after_a_lone_tombstone_whatever_arrives_counts(built):
    assert built.values(RECREATED, "email") == {1: "again"}
    assert built.replays(RECREATED) == (0, 0)


# 25

first_life = pg_log().say("c", 1, 10, "first").say("d", 1, 20).end(1).records
second_life = late(pg_log().say("c", 1, 30, "second").records, 3)
ended = [record for record in first_life if record.value is None or '"op":"d"' in record.value]
TWO_LIVES = PG.story("two_lives", [*first_life, *second_life, *late(ended, 4)])
TWO_LIVES_CUT = PG.story("two_lives_cut", [*first_life, *second_life], late(ended, 4))
TWO_LIVES_TORN = PG.story(
    "two_lives_torn", [*first_life, *second_life, *late(ended[:1], 4)], late(ended[1:], 5)
)


@pytest.mark.parametrize(
    "story",
    [TWO_LIVES, TWO_LIVES_CUT, TWO_LIVES_TORN],
    ids=["in one batch", "in the next batch", "delete and tombstone in different batches"],
)
def test_25_a_repeated_delete_and_tombstone_of_an_earlier_life_hurt_no_later_one(built, story):
    assert built.values(story, "email") == {1: "second"}
    assert built.replays(story) == (1, 0)


# a connector that ended between them reads the delete no more: the tombstone has another time
ENDED_AGAIN = PG.story(
    "ended_again", first_life, late([again(first_life)[2], again(first_life)[0]], 3)
)


def test_25_a_repeated_tombstone_lets_no_repeat_bring_its_row_back(built):
    assert built.current(ENDED_AGAIN) == []
    assert built.replays(ENDED_AGAIN) == (1, 0)


# 27

truncated = example("seq_postgres_truncate_multi_partition")
partition_0 = [record for record in truncated if record.partition == 0]
partition_1 = [record for record in truncated if record.partition == 1]
TRUNCATES = {
    "in one batch": PG_TRUNCATED.story("truncate", truncated),
    "the truncate's partition first": PG_TRUNCATED.story("truncate_1_0", partition_1, partition_0),
    "the truncate's partition last": PG_TRUNCATED.story("truncate_0_1", partition_0, partition_1),
    "the truncate alone, then all rows": PG_TRUNCATED.story(
        "truncate_alone", truncated[2:3], truncated[:2] + truncated[3:]
    ),
}
TRUNCATE_REPEATED = PG_TRUNCATED.story(
    "truncate_repeated", truncated, [again(truncated)[2], again(truncated)[0]]
)
EXAMPLE_TRUNCATE = PG_TRUNCATED.story(
    "truncate_example",
    example("postgres_2.1.4_create_with_schema", "postgres_2.1.4_truncate_null_key"),
    late(pg_log().say("c", 1, 46523200, "reborn", commit=46523190).records, 2),
)
# one transaction truncates and loads anew; its truncate comes again, behind another commit
loaded = pg_log().say("c", 1, 10, "old")
loaded.add("t", None, 20, commit=15)
loaded.say("c", 1, 30, "new", commit=15)
loaded.add("t", None, 20, commit=17)
TRUNCATE_RESUMED = PG_TRUNCATED.story("truncate_resumed", loaded.records)
TRUNCATE_RESUMED_CUT = PG_TRUNCATED.story("truncate_resumed_cut", *loaded.cut(1, 3))
INTERLEAVED_TRUNCATE = PG_TRUNCATED.story(
    "truncate_interleaved",
    pg_log()
    .say("r", 1, 90, "read below", snapshot="incremental", commit=80)
    .say("r", 2, 300, "read above", snapshot="incremental", commit=290, partition=1)
    .add("t", None, 200, commit=150)
    .records,
)

around = pg_log().say("r", 1, 90, "read before", snapshot="last", commit=None, partition=1)
around.add("t", None, 200).say("r", 2, 5, "read", snapshot="last", commit=None)
around.say("u", 2, 10, "restored")
READ_AROUND = PG_TRUNCATED.story("truncate_between_reads", *around.cut(1))


def person(number):
    return {
        "id": number,
        "first_name": "Anne",
        "last_name": "Kretchmar",
        "email": "annek@noanswer.org",
    }


def test_27_a_truncate_that_tells_another_commit_is_the_same(built):
    for story in (TRUNCATE_RESUMED, TRUNCATE_RESUMED_CUT):
        assert built.values(story, "email") == {1: "new"}


@pytest.mark.parametrize("how", TRUNCATES)
def test_27_a_truncate_removes_rows_by_position_whatever_landed_first(built, how):
    assert built.current(TRUNCATES[how]) == [person(3)]


def test_27_a_truncate_holds_against_rows_that_land_late(built):
    assert built.current(TRUNCATES["the truncate's partition first"], 1) == []
    assert built.current(TRUNCATES["the truncate's partition last"], 1) == [person(1), person(3)]
    assert built.current(TRUNCATES["the truncate alone, then all rows"], 1) == []


def test_27_a_repeated_truncate_removes_nothing_more(built):
    for run in (1, 2):
        assert built.current(TRUNCATE_REPEATED, run) == [person(3)]


def test_27_a_row_inserted_after_a_truncate_lives(built):
    assert built.current(EXAMPLE_TRUNCATE, 1) == []
    assert built.values(EXAMPLE_TRUNCATE, "email") == {1: "reborn"}


def test_27_reads_meet_a_truncate_by_their_place_in_the_stream(built):
    assert built.values(INTERLEAVED_TRUNCATE, "email") == {2: "read above"}


def test_27_a_full_read_behind_a_truncate_protects_its_row_and_one_before_it_does_not(built):
    assert built.values(READ_AROUND, "email", 1) == {1: "read before"}
    assert built.values(READ_AROUND, "email") == {2: "restored"}


# 29

UPDATED_FIRST = PG.story("updated_first", example("postgres_2.1.4_update_before_null"))
SS_UPDATED_FIRST = SQLSERVER.story("updated_first", example("sqlserver_2.1.4_update_payload_only"))
DELETED_FIRST = SQLSERVER.story("deleted_first", example("sqlserver_2.1.4_delete_payload_only"))


def test_29_an_update_of_a_row_never_seen_is_the_row(built):
    assert built.current(UPDATED_FIRST) == [customer(1, first_name="Anne Marie")]
    assert built.current(SS_UPDATED_FIRST) == [john(1005, "noreply@example.org")]


def test_29_a_delete_of_a_row_never_seen_is_no_error(built):
    assert built.current(DELETED_FIRST) == []
    assert [state["_cdc_op"] for state in built.state(DELETED_FIRST)] == ["d"]


# 30


def changed(connector):
    log = Log(connector)
    return log.add("u", {"pk": "1"}, 9, {"pk": "1", "aa": "x", "value": "streamed"}).records


INCREMENTAL = PG_PAIRS.story(
    "incremental", changed("postgresql") + late(example("postgres_2.1.4_incremental_read"), 1)
)
SS_INCREMENTAL = SQLSERVER_PAIRS.story(
    "incremental", changed("sqlserver") + late(example("sqlserver_2.1.4_incremental_read"), 1)
)
READ_AGAIN = PG.story(
    "read_again",
    pg_log().say("u", 1, 500, "streamed").records,
    late(pg_log().say("r", 1, 400, "read", snapshot="last", commit=None).records, 1),
)


@pytest.mark.parametrize("story", [INCREMENTAL, SS_INCREMENTAL], ids=["postgresql", "sqlserver"])
def test_30_an_incremental_read_is_newer_than_what_was_streamed_before(built, story):
    assert built.current(story) == [{"pk": "1", "aa": None, "value": "New data"}]


def test_30_a_row_of_a_snapshot_taken_again_is_newer_than_what_was_streamed_before(built):
    assert built.values(READ_AGAIN, "email") == {1: "read"}


# 31

snapshots = example("seq_repeat_snapshot_hides_deletes")
HIDDEN = PG.story("hidden_deletes", snapshots[:2], snapshots[2:])


def test_31_a_repeated_snapshot_corrects_what_it_shows_and_closes_nothing(built):
    assert built.current(HIDDEN) == [customer(1, first_name="Ann"), customer(2)]


CLOSING = Case(
    "pg_closing",
    "postgresql",
    [column("id", "int32"), *NAMES],
    settings={"close_unseen": True},
)


def reads(number, *markers, position=100, **place):
    """Return a snapshot's reads of customers 1, 2, ... with these markers."""
    log = pg_log()
    for key, marker in enumerate(markers, 1):
        log.say("r", key, position, "read", snapshot=marker, commit=None, **place)
    return late(log.records, number)


three = pg_log().say("c", 1, 10, "a").say("c", 2, 11, "b").say("c", 3, 12, "c").records
CLOSED = CLOSING.story("closed", snapshots)
CLOSED_CUT = CLOSING.story("closed_cut", snapshots[:2], snapshots[2:])
UNFINISHED = CLOSING.story("unfinished", three, reads(3, "first"), reads(4, "true", "last")[1:])
LATE_READ = CLOSING.story("late_read", three, reads(3, "true", "last")[1:], reads(3, "first"))
BY_CHUNKS = CLOSING.story("by_chunks", three, reads(3, "incremental", "incremental"))
AGAIN_ALIVE = CLOSING.story(
    "again_alive",
    three + reads(3, "last"),
    late(pg_log().say("c", 3, 200, "new").records, 4),
    reads(5, "last_in_data_collection", position=300),
)
elsewhere = pg_log().say("c", 3, 12, "c", partition=1)
elsewhere.say("c", 4, 150, "d", partition=1, at=START_MS + 9_200)
elsewhere.say("c", 2, 200, "new", partition=1, at=START_MS + 9_500)
ELSEWHERE = CLOSING.story(
    "elsewhere",
    three[:2] + elsewhere.records[:2],
    reads(3, "first", at=START_MS + 9_000) + reads(3, "true", "last", at=START_MS + 9_400)[1:],
    elsewhere.records[2:],
)


def test_31_a_complete_snapshot_closes_what_it_does_not_show_where_that_is_wanted(built):
    ann = {"id": 1, "first_name": "Ann", "last_name": "Kretchmar", "email": "annek@noanswer.org"}
    assert built.current(CLOSED) == built.current(CLOSED_CUT) == [ann]
    assert [row["id"] for row in built.current(CLOSED_CUT, 1)] == [1, 2]


def test_31_a_snapshot_closes_nothing_before_its_last_read_and_chunks_never_do(built):
    assert built.values(UNFINISHED, "email", 2) == {1: "read", 2: "b", 3: "c"}
    assert built.values(UNFINISHED, "email") == {1: "read", 2: "read"}
    assert built.values(BY_CHUNKS, "email") == {1: "read", 2: "read", 3: "c"}


def test_31_a_read_that_lands_late_opens_its_row_again(built):
    assert built.values(LATE_READ, "email", 2) == {2: "read"}
    assert built.values(LATE_READ, "email") == {1: "read", 2: "read"}


def test_31_a_closed_row_comes_back_with_its_next_event(built):
    assert built.values(AGAIN_ALIVE, "email", 1) == {1: "read"}
    assert built.values(AGAIN_ALIVE, "email", 2) == {1: "read", 3: "new"}
    assert built.values(AGAIN_ALIVE, "email") == {1: "read"}


def test_31_in_a_partition_without_reads_time_tells_what_came_before_the_snapshot(built):
    assert built.values(ELSEWHERE, "email", 1) == {1: "a", 2: "b", 3: "c", 4: "d"}
    assert built.values(ELSEWHERE, "email") == {1: "read", 2: "new", 4: "d"}


# 32

READ_AND_CREATED = PG.story(
    "read_and_created",
    pg_log().say("r", 1, 100, "a", snapshot="last", commit=None).say("c", 1, 90, "a").records,
)


def test_32_a_row_both_read_and_created_is_one_row(built):
    assert built.values(READ_AND_CREATED, "email") == {1: "a"}
    assert len(built.state(READ_AND_CREATED)) == 1


# 33

DELETED = PG.story(
    "partial_before",
    pg_log().say("c", 1, 10, "a").records,
    late(example("postgres_2.1.4_delete_partial_before"), 1),
)
FULL_IMAGE = PG.story("full_before", example("postgres_2.1.4_update_replica_identity_full"))


def test_33_of_a_partial_before_only_the_key_is_shown(built):
    deleted = built.staged(DELETED)[1]
    shown = {name: deleted[name] for name in customer(1)}
    assert shown == dict.fromkeys(customer(1)) | {"id": 1}
    assert built.current(DELETED) == []


def test_33_a_complete_before_that_nobody_declared_changes_nothing(built):
    assert built.current(FULL_IMAGE) == [customer(1, first_name="Anne Marie")]


# 37

OUTSIDE = PG.story(
    "key_outside_identity", pg_log().say("c", 1, 10, "a").say("u", 2, 20, "a", before=None).records
)


def test_37_the_old_key_of_a_column_outside_the_replica_identity_stays_alive(built):
    """Nothing in the log ends it: documented as a limit of such a configuration."""
    assert built.values(OUTSIDE, "email") == {1: "a", 2: "a"}


# 38, 39

NO_EVENT = "record: not a Debezium change event"
strangers = [
    *example("common_heartbeat_with_schema"),
    *example("seq_postgres_2.1.4_transaction", topic="PostgreSQL_server.transaction"),
    *example("seq_signal_kafka_messages"),
    *example("sqlserver_2.1.4_schema_change_alter_with_schema"),
    *example("sqlserver_2.1.4_schema_change_create_from_seed"),
    *Log("postgresql").raw('{"id":1}', "no JSON").records,
    *Log("postgresql").raw('{"id":1}', "[1]").raw('{"id":1}', "7").records,
    *Log("postgresql").raw('{"id":1}', '{"kind":"m"}').records,
]
alive = pg_log().say("c", 1, 10, "a").records
STRANGERS = PG.story("strangers", alive, late(strangers, 1))
broken = pg_log().say("c", 1, 10, "a").say("x", 1, 20, "b")
broken.add("u", {"id": 1}, 30, None).add("r", {"id": 1}, 40, None, snapshot="true")
BROKEN = PG.story("broken", broken.records)
whole = pg_log().say("c", 1, 10, "a").say("u", 1, 20, "b").say("u", 1, 30, "c").records
CUT = PG.story(
    "cut_values",
    [
        whole[0],
        replace(whole[1], value=(whole[1].value or "")[:40]),
        replace(whole[2], value=(whole[2].value or "")[:-3]),
    ],
)
SIGNALS = PG.story("signals", late(alive, 9) + example("seq_signal_table_events"))
messages = example("postgres_2.1.4_logical_message")
MESSAGES = PG.story(
    "messages", alive + late(messages, 1) + late([replace(messages[0], key='{"id":1}')], 2)
)


def test_38_records_of_other_kinds_are_quarantined_and_no_rows(built):
    found = [event for event in built.staged(STRANGERS) if event["_cdc_offset"] > 0]
    assert len(found) == len(strangers)
    assert {tuple(event["_cdc_errors"]) for event in found} == {(NO_EVENT,)}
    assert {event["_cdc_op"] for event in found} == {None}
    assert built.values(STRANGERS, "email") == {1: "a"}
    assert len(built.state(STRANGERS)) == 1


def test_38_events_that_say_nothing_about_a_row_are_quarantined(built):
    errors = [event["_cdc_errors"] for event in built.staged(BROKEN)[1:]]
    assert errors == [
        ["record: unknown op x"],
        ["record: op u without a row image"],
        ["record: op r without a row image"],
    ]
    assert built.values(BROKEN, "email") == {1: "a"}


def test_38_a_value_that_ends_half_way_is_quarantined(built):
    assert [event["_cdc_op"] for event in built.staged(CUT)] == ["c", None, None]
    assert all(event["_cdc_errors"] for event in built.staged(CUT)[1:])
    assert built.values(CUT, "email") == {1: "a"}


def test_38_rows_of_the_signal_table_are_no_rows_of_another_table(built):
    assert built.values(SIGNALS, "email") == {1: "a"}
    assert [state["_cdc_op"] for state in built.state(SIGNALS)] == ["c"]


def test_39_logical_messages_are_ignored(built):
    assert [event["_cdc_op"] for event in built.staged(MESSAGES)] == ["c"]
    assert built.values(MESSAGES, "email") == {1: "a"}


# 40

transaction = Log("postgresql")
for number, lsn in enumerate((53195830, 53195832), 1):
    after = {"pk": str(number), "aa": "1"}
    transaction.add("c", {"pk": str(number)}, lsn, after)
    value = transaction.records[-1].value or ""
    block = {"id": f"571:{lsn}", "total_order": number, "data_collection_order": number}
    transaction.records[-1] = replace(
        transaction.records[-1],
        value=value.replace('"transaction":null', f'"transaction":{compact(block)}'),
    )
TRANSACTION = PG_PAIRS.story("transaction_id", transaction.records)


def test_40_the_transaction_is_the_part_of_its_id_before_the_colon(built):
    ids = [event["_cdc_tx_id"] for event in built.staged(TRANSACTION)]
    assert ids == ["571:53195830", "571:53195832"]
    assert {text.split(":")[0] for text in ids} == {"571"}
    assert [event["_cdc_tx_total_order"] for event in built.staged(TRANSACTION)] == [1, 2]
