"""What a read of a snapshot says: traps 4, 30 and 32 of the specification."""

from __future__ import annotations

import pytest

from tests.cases.log import ABSENT, Log, late
from tests.cases.tables import PG, PG_PAIRS, SQLSERVER, SQLSERVER_PAIRS, customer, pg_log
from tests.support.examples import example

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
SS_FORMS = SQLSERVER.story(
    "null_marker",
    example(
        "sqlserver_2.1.4_create_with_schema",
        "sqlserver_2.1.4_update_payload_only",
        "common_snapshot_null_when_defaults_off",
    ),
)
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


@pytest.mark.covers("support SQL Server: incremental snapshots")
def test_04_snapshot_examples_are_reads(built):
    assert built.current(PG_READ) == [customer(1)]
    sally = {"first_name": "Sally", "last_name": "Thomas", "email": "sally.thomas@acme.com"}
    assert built.current(SS_READ) == [{"id": 1001, **sally}]
    for story in (PG_READ, SS_READ):
        (event,) = built.staged(story)
        assert (event["_cdc_op"], event["_cdc_snapshot"]) == ("r", "first")


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


# 32

READ_AND_CREATED = PG.story(
    "read_and_created",
    pg_log().say("r", 1, 100, "a", snapshot="last", commit=None).say("c", 1, 90, "a").records,
)


def test_32_a_row_both_read_and_created_is_one_row(built):
    assert built.values(READ_AND_CREATED, "email") == {1: "a"}
    assert len(built.state(READ_AND_CREATED)) == 1
