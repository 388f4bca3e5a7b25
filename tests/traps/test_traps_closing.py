"""Rows that a complete snapshot did not see: trap 31 of the specification."""

from __future__ import annotations

from tests.cases.log import late
from tests.cases.table import Table
from tests.cases.tables import NAMES, PG, column, customer, pg_log
from tests.support.examples import START_MS, example

# 31

snapshots = example("seq_repeat_snapshot_hides_deletes")
HIDDEN = PG.story("hidden_deletes", snapshots[:2], snapshots[2:])


def test_31_a_repeated_snapshot_corrects_what_it_shows_and_closes_nothing(built):
    assert built.current(HIDDEN) == [customer(1, first_name="Ann"), customer(2)]


CLOSING = Table(
    "pg_closing",
    "postgresql",
    [column("id", "int32"), *NAMES],
    settings={"close_unseen": True},
)


def reads(number, *markers, position=100, **place):
    """Return a snapshot's reads of customers 1, 2, ... with these markers."""
    log = pg_log()
    place.setdefault("at", START_MS + 1_000 * number)
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
    late(pg_log().say("c", 3, 200, "new", at=START_MS + 4_000).records, 4),
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
RECREATED = CLOSING.story(
    "recreated",
    late(three, 100) + reads(103, "first", "last"),
    # offsets start again, and no incarnation says so
    pg_log().say("c", 4, 200, "new", at=START_MS + 200_000).records,
)


def test_31_a_row_of_a_topic_that_was_created_again_is_not_closed_by_a_snapshot_before(built):
    assert built.values(RECREATED, "email", 1) == {1: "read", 2: "read"}
    assert built.values(RECREATED, "email") == {1: "read", 2: "read", 4: "new"}


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
