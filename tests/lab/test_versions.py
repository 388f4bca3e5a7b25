"""Histories over several runs give the versions of the reference, and each run works as it should.

The stories are those of the fold's plans: what a run finds landed calls for one way to go on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest
from pyspark.sql import SparkSession

from reference import Config, Epoch, KafkaRecord, canonical_json
from reference.versions import Options, Version, versions
from tests.cases.log import GONE
from tests.lab.test_fold_plans import (
    BOUNDARY_MS,
    BY_NAME,
    COLUMNS,
    EPOCHS,
    NAMES,
    RUNS,
    Rows,
    Table,
    configured,
    source_of,
)
from tests.property.version_trial import DAY, TIMES, TOLD
from tests.property.version_trial import configured as options_configured
from tests.support.lab import Lab
from tests.support.raw import raw_row

# What a run does, by a text that only its SQL holds.
DEFAULTS = Options()
GOES_ON = "then 'amend'"
AGAIN = "coalesce(computed.`_cdc_write`, 'gone')"


def with_transactions(records: Sequence[KafkaRecord]) -> list[KafkaRecord]:
    """Return records whose changes are transactions of their own, one second behind another."""
    changed = []
    for number, record in enumerate(records):
        if record.value is not None:
            envelope = json.loads(record.value)
            lsn = envelope["source"].get("lsn")
            # a repeat is of the same transaction, and of the same time
            same = [one for one in records[:number] if one.value == record.value]
            if not same and lsn is not None:
                envelope["transaction"] = {"id": f"{lsn}:{lsn}", "total_order": 1}
            changed.append(replace(record, value=json.dumps(envelope)))
        else:
            changed.append(record)
    return changed


class Kept:
    """A history in a lab, run by run."""

    def __init__(
        self, session: SparkSession, one: Table, options: Options, *, closes: bool = False
    ) -> None:
        """Begin before the first run; `closes`: with `close_unseen`."""
        self.lab = Lab(session)
        self.one = one
        self.options = options
        self.closes = closes
        self.decisions: dict[str, Any] = {}

    def run(self, run: int, records: Sequence[KafkaRecord]) -> None:
        """Land the records of a run and bring the history up to date."""
        source = source_of(self.one)
        sources = json.loads(json.dumps(configured(EPOCHS if run == RUNS else [])))
        sources[source]["history"] = options_configured(self.options)
        sources[source]["tables"] = {"public.any": {"close_unseen": self.closes}}
        self.lab.append("raw", self.lab.rows([raw_row(record, run) for record in records]))
        self.lab.stage(
            sources,
            source,
            "raw",
            "stg",
            topics=[self.one.topic],
            table="public.any",
            key=COLUMNS[:1],
            columns=COLUMNS,
        )
        self.decisions = self.lab.keep_versions(
            sources, source, "stg", "hist", table="public.any", key=["id"], columns=NAMES
        )

    @property
    def way(self) -> str:
        """What the last run did."""
        if self.decisions["nothing_new"]:
            return "nothing"
        if self.decisions["replaces_table"]:
            return "all"
        sql = self.lab.sql["hist"]
        return "goes on" if GOES_ON in sql else "again" if AGAIN in sql else sql

    def shown(self) -> list[dict[str, Any]]:
        """Return the versions as the view shows them."""
        sql = self.lab.macros({}, "shown").stored_versions(
            self.lab.name("hist"), NAMES, options_configured(self.options)
        )
        columns = [*(f"unix_micros(_cdc_{name}) as micros_{name}" for name in TIMES), "*"]
        return [
            row.asDict(recursive=True)
            for row in self.lab.session.sql(sql).selectExpr(*columns).collect()
        ]


def reference_config(one: Table, run: int, closes: bool) -> Config:
    return Config(
        connector="postgresql",
        epochs=tuple(Epoch(topic=epoch["topic"], offsets={0: 4}) for epoch in EPOCHS)
        if run == RUNS
        else (),
        incarnations=(BOUNDARY_MS,) if one.name == "recreated" else (),
        key=("id",),
        columns={column["name"]: column for column in COLUMNS},
        close_unseen=closes,
    )


def told_by(version: Version) -> dict[str, Any]:
    told = {name: getattr(version, name) for name in (*TOLD, *TIMES) if name != "scd_id"}
    return told | {
        "key": version.key,
        "row": {name: version.row.get(name) for name in NAMES},
        "unknown": sorted(version.unknown),
        "is_deleted": version.is_deleted,
    }


def told_of(row: Mapping[str, Any]) -> dict[str, Any]:
    told = {name: row[f"_cdc_{name}"] for name in TOLD if name != "scd_id"}
    told |= {name: row[f"micros_{name}"] for name in TIMES}
    return told | {
        "key": canonical_json(json.loads(row["_cdc_key"])),
        "row": {name: row[name] for name in NAMES},
        "unknown": sorted(row["_cdc_unavailable"] or []),
        "is_deleted": row.get("_cdc_is_deleted", False),
    }


def in_order(told: Iterator[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(told, key=lambda one: (one["key"], one["version"], one["is_deleted"]))


def check(kept: Kept, landed: Sequence[KafkaRecord], run: int) -> None:
    expected = versions(landed, reference_config(kept.one, run, kept.closes), kept.options)
    shown = kept.shown()
    assert in_order(map(told_of, shown)) == in_order(map(told_by, expected))
    assert len({row["_cdc_scd_id"] for row in shown}) == len(shown)


def ways(
    session: SparkSession,
    one: Table,
    options: Options = DEFAULTS,
    *,
    apart: bool = True,
    closes: bool = False,
) -> list[str]:
    """Keep a story's versions run by run, compare them, and return what the runs did."""
    kept = Kept(session, one, options, closes=closes)
    found, landed = [], 0
    records = one.records(RUNS)
    if apart:
        records = with_transactions(records)
    try:
        for run in range(1, RUNS + 1):
            end = len(one.records(run))
            kept.run(run, records[landed:end])
            landed = end
            found.append(kept.way)
            check(kept, records[:end], run)
    finally:
        kept.lab.drop()
    return found[1:]


# what the second and the third run do
STORIES = {
    "plain": ["goes on", "goes on"],
    "quiet": ["goes on", "nothing"],
    "late": ["again", "again"],
    "truncated": ["all", "all"],
    "partial": ["goes on", "again"],
    "replayed": ["again", "goes on"],
    "restored": ["goes on", "all"],
    "parted_again": ["goes on", "goes on"],
}
OTHERS = sorted({*BY_NAME} - {*STORIES})
# One for each way to go on; the others are left to `make test-all`.
QUICK = {"quiet", "truncated"}


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.full) for name in STORIES],
)
def test_versions_are_those_of_the_reference(lab_spark: SparkSession, name: str) -> None:
    assert ways(lab_spark, BY_NAME[name]) == STORIES[name]


@pytest.mark.full
@pytest.mark.parametrize("name", OTHERS)
def test_versions_of_other_stories(lab_spark: SparkSession, name: str) -> None:
    assert {*ways(lab_spark, BY_NAME[name])} <= {"goes on", "again", "all", "nothing"}


def story(name: str, log: Rows, cuts: tuple[int, int]) -> Table:
    return Table(name, log.cut(*cuts), [])


def long_lives() -> Rows:
    """Return a log with lives, gaps, changes that do not count, and changes at one time."""
    log = Rows()
    seconds = 0

    def say(op: str, number: int, name: str = "", note: str = "n", **more: Any) -> None:
        nonlocal seconds
        seconds += 1
        at = more.pop("ms", seconds * 1000)
        log.say(op, number, 10 * seconds, name, note=note, source={"ts_ms": at}, **more)

    say("c", 1, "a")
    say("c", 2, "b")
    say("u", 1, "a", "ignored")
    say("d", 2)
    say("c", 3, "c", ms=4_000)
    say("u", 1, "a2", ms=1_000)
    # the second run
    say("u", 1, "a2", "again ignored")
    say("c", 2, "b", ms=90_000)
    say("d", 1)
    log.say("r", 3, 115, "c", snapshot="incremental", commit=None, source={"ts_ms": 11_500})
    log.say("r", 2, 116, "read", snapshot="incremental", commit=None, source={"ts_ms": 11_600})
    # the third
    say("c", 1, "a3", ms=95_000)
    say("u", 3, "c2", ms=99_000)
    say("u", 3, GONE, ms=99_000)
    say("d", 2, ms=100_000)
    return log


OPTIONS = {
    "all columns": Options(),
    "ignored columns": Options(ignore=("note",)),
    "tracked columns and gaps": Options(track=("name",), deleted_rows=True),
    "gaps that are not kept": Options(deleted_rows=True, keep=10_000_000),
    "kept for a while": Options(keep=20_000_000),
}


@pytest.mark.parametrize(
    "name",
    [
        "ignored columns",
        *(pytest.param(one, marks=pytest.mark.full) for one in OPTIONS if one != "ignored columns"),
    ],
)
def test_options_hold_over_runs(lab_spark: SparkSession, name: str) -> None:
    one = story("lives", long_lives(), (6, 11))
    assert ways(lab_spark, one, OPTIONS[name]) == ["goes on", "goes on"]


@pytest.mark.parametrize("within", ["last", pytest.param("all", marks=pytest.mark.full)])
def test_a_transaction_that_lands_in_two_runs_is_one(lab_spark: SparkSession, within: str) -> None:
    log = Rows().say("c", 1, 10, "a", commit=5).say("c", 2, 20, "b", commit=15)
    log.say("u", 1, 30, "a2", commit=25)
    log.say("u", 1, 31, "a3", commit=25).say("d", 2, 32, commit=25)
    log.say("c", 2, 33, "b2", commit=25)
    one = story("transaction", log, (3, 5))
    assert ways(lab_spark, one, Options(within_transaction=within), apart=False) == [
        "again",
        "again",
    ]


def test_a_truncate_ahead_of_all_ends_what_is_there(lab_spark: SparkSession) -> None:
    log = Rows().say("c", 1, 10, "a").say("c", 2, 12, "b").say("d", 2, 20)
    log.truncate(30, commit=25).say("c", 1, 40, "c", commit=35)
    log.say("u", 1, 50, "d", commit=45).truncate(60, commit=55).say("c", 2, 70, "e", commit=65)
    assert ways(lab_spark, story("emptied", log, (3, 5))) == ["goes on", "goes on"]


@pytest.mark.full
def test_a_snapshot_ends_what_it_did_not_see(lab_spark: SparkSession) -> None:
    log = Rows().say("c", 1, 10, "a").say("c", 2, 12, "b").say("c", 3, 14, "c")
    for number, marker in ((1, "first"), (3, "last")):
        log.say("r", number, 20, "read", snapshot=marker, commit=None)
    log.say("c", 2, 30, "again").say("u", 3, 40, "c2")
    assert ways(lab_spark, story("closed", log, (3, 5)), closes=True) == ["all", "goes on"]


@pytest.mark.full
def test_the_halves_of_a_key_change_may_land_in_two_runs(lab_spark: SparkSession) -> None:
    log = Rows().say("c", 1, 10, "a").say("c", 2, 12, "b").say("d", 1, 20)
    log.say("c", 3, 20, "a").say("d", 2, 30, partition=1, offset=0)
    log.say("c", 4, 30, "b", headers={"__debezium.oldkey": '{"id":2}'})
    assert ways(lab_spark, story("halves", log, (3, 5))) == ["again", "again"]


@pytest.mark.full
def test_a_key_change_onto_a_row_begins_a_life(lab_spark: SparkSession) -> None:
    # what ended the row that had the key before was lost
    log = Rows().say("c", 1, 10, "a").say("c", 2, 12, "b").say("d", 1, 20).say("c", 2, 20, "a")
    log.say("u", 2, 30, "a2")
    assert ways(lab_spark, story("onto", log, (2, 4))) == ["goes on", "goes on"]


def test_a_day_is_a_day() -> None:
    assert options_configured(Options(keep=400 * DAY))["keep"] == 34_560_000_000_000
