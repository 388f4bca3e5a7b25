"""Which landing a change feed says that a row was changed by last (docs/feed.md).

Each story is a table of its own, with its own ids; they are staged and folded together.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pyspark.sql import SparkSession

from reference import KafkaRecord
from tests.cases.log import GONE, Log
from tests.property.feed import feed_rows
from tests.support.blocks import source_options
from tests.support.examples import START_MS
from tests.support.lab import Lab
from tests.support.raw import raw_row

COLUMNS = [
    {"name": "id", "type": "int32", "optional": False},
    {"name": "v", "type": "string"},
    {"name": "w", "type": "string"},
]
NAMES = [column["name"] for column in COLUMNS]
TABLE = "public.any"
START = datetime.fromtimestamp(START_MS / 1000, UTC)
LANDED = datetime(2026, 1, 1, tzinfo=UTC)
Feed = dict[int, dict[str, Any]]


@dataclass
class Story:
    """What lands with each run."""

    name: str
    batches: Sequence[Sequence[KafkaRecord]]

    @property
    def topic(self) -> str:
        return f"feed.public.{self.name}"


def landing_in(log: Log, *order: Iterable[int]) -> list[list[KafkaRecord]]:
    """Return the records at these places, run by run."""
    return [[log.records[place] for place in places] for places in order]


HOUR = {"ts_ms": START_MS + 3_600_000}
truncated = Log().c(1, 10, "a", w="n").c(2, 11, "b")
truncated.t(20, partition=1, offset=0, source=HOUR).c(4, 30, "new")
truncated.t(40, partition=1, offset=2).c(5, 15, "late", partition=1, offset=1)
# the first delivery of a truncate lands behind another one: what was read since is back
restored = Log().c(101, 10, "a").t(20, offset=1)
restored.r(101, 15, "read", snapshot="incremental", offset=2).t(20, offset=3)
renamed = Log().c(201, 10, "a", w="kept").d(201, 30)
renamed.c(207, 30, "a", w=GONE, old=201)
deleted = Log().c(301, 10, "a").c(302, 11, "b").u(301, 20, "a2", w="n")
deleted.d(301, 30, source=HOUR).x(302, at=START_MS + 7_200_000)
deleted.c(301, 50, "again")
late = Log().c(401, 10, "a").u(401, 20, "a2").u(401, 30, "a3")
late.c(402, 11, "b")
repeated = Log().c(501, 10, "a").u(501, 20, "a2")
repeated.again(0)

STORIES = [
    Story("truncated", truncated.cut(2, 4)),
    Story("restored", landing_in(restored, [0], [2, 3], [1])),
    Story("renamed", landing_in(renamed, [1, 2], [0], [])),
    Story("deleted", deleted.cut(2, 5)),
    Story("late", landing_in(late, [0, 2, 3], [1], [])),
    Story("repeated", repeated.cut(2, 3)),
]

closed = Log().c(1, 10, "a").c(2, 11, "b").c(3, 12, "c")
closed.r(1, 100, "read", snapshot="first", at=START_MS + 9_000)
closed.r(2, 100, "read", snapshot="last", at=START_MS + 9_500)
# reads that land behind the end of their snapshot show that it began before a row was born
reopened = Log().c(101, 10, "a").c(102, 11, "b").r(101, 100, "read", snapshot="first")
reopened.c(104, 150, "d").r(102, 100, "read", snapshot="last")
# a row in a partition of which reads land only behind the end of their snapshot
elsewhere = Log().c(201, 10, "a").c(203, 120, "c", partition=1, offset=0)
elsewhere.r(201, 100, "read", snapshot="last", offset=1, at=START_MS)
elsewhere.r(202, 100, "read", snapshot="first", partition=1, offset=1, at=START_MS + 60_000)

CLOSING = [
    Story("closed", closed.cut(3, 5)),
    Story("reopened", landing_in(reopened, [0, 1, 3], [4], [2])),
    Story("elsewhere", landing_in(elsewhere, [0, 1], [2], [3])),
]


def follow(session: SparkSession, stories: Sequence[Story], **options: Any) -> list[Feed]:
    """Return the feed after each run, and at last that of a state that is folded at once."""
    lab = Lab(session)
    block: Mapping[str, Any] = source_options(
        "postgresql", "feed", tables={TABLE: {"feed": True, **options}}
    )
    sources = {"sim": block}
    feeds = []
    for run in range(1, max(len(story.batches) for story in stories) + 1):
        rows = [
            (*raw_row(replace(record, topic=story.topic), run)[:-1], LANDED + timedelta(days=run))
            for story in stories
            for record in (story.batches[run - 1] if run <= len(story.batches) else [])
        ]
        lab.append("raw", lab.rows(rows))
        lab.stage(
            sources,
            "sim",
            "raw",
            "stg",
            topics=[story.topic for story in stories],
            table=TABLE,
            key=COLUMNS[:1],
            columns=COLUMNS,
        )
        model = {"table": TABLE, "key": ["id"], "columns": NAMES}
        lab.fold(sources, "sim", "stg", "state", **model)
        feeds.append(by_id(feed_rows(lab, sources, TABLE, NAMES, "state")))
    lab.fold(sources, "sim", "stg", "anew", **model)
    feeds.append(by_id(feed_rows(lab, sources, TABLE, NAMES, "anew")))
    lab.drop()
    return feeds


def by_id(rows: Iterable[Mapping[str, Any]]) -> Feed:
    """Return rows by the number in their key, deleted ones included."""
    return {int(row["_cdc_key"].split(":")[1].rstrip("}")): dict(row) for row in rows}


@pytest.fixture(scope="module")
def feeds(lab_spark: SparkSession) -> list[Feed]:
    """The feed of the stories."""
    return follow(lab_spark, STORIES)


@pytest.fixture(scope="module")
def closing(lab_spark: SparkSession) -> list[Feed]:
    """The feed of stories in which snapshots end rows."""
    return follow(lab_spark, CLOSING, close_unseen=True)


def shown(feed: Feed, *ids: int) -> list[tuple[int, bool]]:
    """Return the batch of rows, and whether they are deleted."""
    return [(feed[one]["_cdc_batch_id"], feed[one]["_cdc_is_deleted"]) for one in ids]


@pytest.mark.full
def test_a_state_that_is_folded_at_once_gives_the_same_feed(
    feeds: list[Feed], closing: list[Feed]
) -> None:
    assert feeds[-1] == feeds[-2]
    assert closing[-1] == closing[-2]


def test_a_landing_is_told_with_its_time(feeds: list[Feed]) -> None:
    for row in feeds[-1].values():
        assert row["_cdc_landed_at"].replace(tzinfo=UTC) == LANDED + timedelta(
            days=row["_cdc_batch_id"]
        )


def test_rows_that_a_truncate_removes_are_of_its_landing(feeds: list[Feed]) -> None:
    assert shown(feeds[0], 1, 2) == [(1, False), (1, False)]
    assert shown(feeds[1], 1, 2, 4) == [(2, True), (2, True), (2, False)]
    # a truncate of an earlier time lands: it removes a late row, too, and all went at that time
    assert shown(feeds[2], 1, 2, 4, 5) == [(3, True), (3, True), (3, True), (3, True)]
    row = feeds[2][1]
    assert row["_cdc_deleted_at"].replace(tzinfo=UTC) == START
    assert feeds[1][1]["_cdc_deleted_at"].replace(tzinfo=UTC) == START + timedelta(hours=1)
    assert (row["v"], row["w"], row["_cdc_op"]) == ("a", "n", "c")


def test_a_row_that_the_first_delivery_of_a_truncate_spares_is_back(feeds: list[Feed]) -> None:
    assert [shown(feed, 101)[0] for feed in feeds[:3]] == [(1, False), (2, True), (3, False)]
    assert feeds[2][101]["_cdc_deleted_at"] is None


def test_a_value_from_under_another_key_is_of_that_keys_landing(feeds: list[Feed]) -> None:
    assert [shown(feed, 207)[0] for feed in feeds[:3]] == [(1, False), (2, False), (2, False)]
    assert [feed[207]["w"] for feed in feeds[:2]] == [None, "kept"]


def test_deleted_rows_keep_their_last_values(feeds: list[Feed]) -> None:
    row, other = feeds[1][301], feeds[1][302]
    assert (row["v"], row["w"], row["_cdc_op"]) == ("a2", "n", "d")
    assert row["_cdc_deleted_at"].replace(tzinfo=UTC) == START + timedelta(hours=1)
    assert (other["v"], other["_cdc_op"]) == ("b", "tombstone")
    assert other["_cdc_deleted_at"].replace(tzinfo=UTC) == START + timedelta(hours=2)
    assert shown(feeds[1], 301, 302) == [(2, True), (2, True)]
    assert shown(feeds[2], 301, 302) == [(3, False), (2, True)]


def test_a_late_correction_and_a_repeat_are_of_their_landing(feeds: list[Feed]) -> None:
    assert [shown(feed, 401, 402) for feed in feeds[:2]] == [
        [(1, False), (1, False)],
        [(2, False), (1, False)],
    ]
    assert [shown(feed, 501)[0] for feed in feeds[:2]] == [(1, False), (2, False)]


def test_rows_that_a_snapshot_did_not_see_are_of_the_landing_of_its_end(
    closing: list[Feed],
) -> None:
    assert shown(closing[1], 1, 2, 3) == [(2, False), (2, False), (2, True)]
    ended = closing[1][3]["_cdc_deleted_at"].replace(tzinfo=UTC)
    assert ended == START + timedelta(seconds=9)


def test_reads_that_land_behind_the_end_bring_rows_back_with_their_landing(
    closing: list[Feed],
) -> None:
    assert [shown(feed, 104)[0] for feed in closing[:3]] == [(1, False), (2, True), (3, False)]


def test_reads_of_another_partition_end_rows_with_their_landing(closing: list[Feed]) -> None:
    assert [shown(feed, 203)[0] for feed in closing[:3]] == [(1, False), (1, False), (3, True)]


def test_a_batch_in_order_keeps_the_values_that_a_delete_does_not_say(
    lab_spark: SparkSession,
) -> None:
    plain = Log().c(1, 10, "a").c(2, 11, "b").u(1, 20, "a2").d(1, 30)

    feeds = follow(lab_spark, [Story("plain", plain.cut(2))])

    assert feeds[1] == feeds[2]
    assert (feeds[1][1]["v"], feeds[1][1]["_cdc_is_deleted"]) == ("a2", True)
