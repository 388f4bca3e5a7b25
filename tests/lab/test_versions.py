"""Which keys a run walks again, and that the versions are then those of the reference.

The logs are those of the fold's plans: what a run finds landed calls for one way to go on. What the
versions are is said in `tests/cases/histories.py`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import pytest
from pyspark.sql import SparkSession

from reference import KafkaRecord
from reference.versions import Options, versions
from tests.cases.histories import AHEAD, HALVES, SPLIT
from tests.cases.log import GONE, Log
from tests.cases.planned import PLANNED, RUNS, Planned
from tests.cases.version_built import shown_times
from tests.cases.version_case import Changes, place_of, told_by, told_of
from tests.lab.test_fold_plans import COLUMNS, EPOCHS, NAMES, config_of, configured, source_of
from tests.property.version_trial import DAY
from tests.property.version_trial import configured as options_configured
from tests.support.lab import Lab
from tests.support.macros import Macros
from tests.support.raw import raw_row

DEFAULTS = Options()


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

    def __init__(self, session: SparkSession, one: Planned, options: Options) -> None:
        """Begin before the first run."""
        self.lab = Lab(session)
        self.one = one
        self.options = options
        self.decisions: dict[str, Any] = {}

    def run(self, run: int, records: Sequence[KafkaRecord]) -> None:
        """Land the records of a run and bring the history up to date."""
        source = source_of(self.one)
        sources = json.loads(json.dumps(configured(EPOCHS if run == RUNS else [])))
        sources[source]["history"] = options_configured(self.options)
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
        return "all" if self.decisions["replaces_table"] else "keys"

    def shown(self) -> list[dict[str, Any]]:
        """Return the versions as the view shows them."""
        macros, view = self.lab.macros({}, "shown"), options_configured(self.options)
        sql = macros.stored_versions(self.lab.name("hist"), NAMES, view)
        rows = self.lab.session.sql(sql).selectExpr(*shown_times(macros, view), "*").collect()
        assert len({row["_cdc_scd_id"] for row in rows}) == len(rows)
        return sorted((told_of(row.asDict(recursive=True), NAMES) for row in rows), key=place_of)


def check(kept: Kept, landed: Sequence[KafkaRecord], run: int) -> None:
    expected = versions(landed, config_of(kept.one, run), kept.options)
    told = [told_by(one, NAMES) for one in expected]
    assert kept.shown() == sorted(told, key=place_of)


def ways(
    session: SparkSession, one: Planned, options: Options = DEFAULTS, *, apart: bool = True
) -> list[str]:
    """Keep a story's versions run by run, compare them, and return what the runs did."""
    kept = Kept(session, one, options)
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
    "plain": ["keys", "keys"],
    "quiet": ["keys", "nothing"],
    "late": ["keys", "keys"],
    "truncated": ["all", "keys"],
    "partial": ["keys", "keys"],
    "replayed": ["keys", "keys"],
    "restored": ["keys", "all"],
    "parted_again": ["keys", "keys"],
}
OTHERS = sorted({*PLANNED} - {*STORIES})
# One for each way to go on; the others are left to `make test-all`.
QUICK = {"quiet", "truncated"}


@pytest.mark.parametrize(
    "name",
    [name if name in QUICK else pytest.param(name, marks=pytest.mark.full) for name in STORIES],
)
def test_versions_are_those_of_the_reference(lab_spark: SparkSession, name: str) -> None:
    assert ways(lab_spark, PLANNED[name]) == STORIES[name]


@pytest.mark.full
@pytest.mark.parametrize("name", OTHERS)
def test_versions_of_other_stories(lab_spark: SparkSession, name: str) -> None:
    assert {*ways(lab_spark, PLANNED[name])} <= {"keys", "all", "nothing"}


def story(log: Log, cuts: tuple[int, int]) -> Planned:
    """Return a log of which three runs find a part each."""
    places = range(len(log.records))
    case = copy(PLANNED["plain"].case)
    case.log = log
    return Planned("story", case, [places[: cuts[0]], places[slice(*cuts)], places[cuts[1] :]], [])


def long_lives() -> Log:
    """Return a log with lives, gaps, changes that do not count, and changes at one time."""
    log = Changes().c(1, 1, "a", w="n").c(2, 2, "b", w="n").u(1, 3, "a", w="ignored")
    log.d(2, 4).c(3, 5, "c", w="n", ms=4_000).u(1, 6, "a2", w="n", ms=1_000)
    # the second run
    log.u(1, 7, "a2", w="again ignored").c(2, 8, "b", w="n", ms=90_000).d(1, 9)
    log.r(3, 10, "c", w="n").r(2, 11, "read", w="n")
    # the third
    log.c(1, 12, "a3", w="n", ms=95_000).u(3, 13, "c2", w="n", ms=99_000)
    return log.u(3, 14, GONE, w="n", ms=99_000).d(2, 15, ms=100_000)


OPTIONS = {
    "all columns": Options(),
    "ignored columns": Options(ignore=("w",)),
    "tracked columns and gaps": Options(track=("v",), deleted_rows=True),
    "gaps that are not kept": Options(deleted_rows=True, keep=10_000_000),
    "kept for a while": Options(keep=20_000_000),
}


@pytest.mark.full
@pytest.mark.parametrize("name", OPTIONS)
def test_options_hold_over_runs(lab_spark: SparkSession, name: str) -> None:
    one = story(long_lives(), (6, 11))
    assert ways(lab_spark, one, OPTIONS[name]) == ["keys", "keys"]


def test_a_version_expires_without_news_of_its_key(lab_spark: SparkSession) -> None:
    log = Changes().c(1, 1, "a").u(1, 2, "b", ms=1_000).c(2, 3, "c", ms=2_000)
    log.u(2, 4, "d", ms=30_000).u(2, 5, "e", ms=60_000)
    assert ways(lab_spark, story(log, (3, 4)), Options(keep=20_000_000)) == ["keys", "keys"]


@pytest.mark.parametrize("within", ["last", pytest.param("all", marks=pytest.mark.full)])
def test_a_transaction_that_lands_in_two_runs_is_one(lab_spark: SparkSession, within: str) -> None:
    options = Options(within_transaction=within)
    assert ways(lab_spark, story(SPLIT, (3, 5)), options, apart=False) == ["keys", "keys"]


@pytest.mark.full
def test_a_truncate_ahead_of_all_ends_what_is_there(lab_spark: SparkSession) -> None:
    assert ways(lab_spark, story(AHEAD, (3, 5))) == ["keys", "keys"]


@pytest.mark.full
def test_the_halves_of_a_key_change_may_land_in_two_runs(lab_spark: SparkSession) -> None:
    assert ways(lab_spark, story(HALVES, (3, 5))) == ["keys", "keys"]


def test_versions_that_differ_have_different_marks(lab_spark: SparkSession) -> None:
    types = {
        "text": "string",
        "other": "string",
        "list": "array<string>",
        "more": "array<string>",
        "struct": "struct<a: timestamp, b: timestamp_ntz>",
        "map": "map<string, double>",
    }
    values = [
        {},
        {"text": "a"},
        {"other": "a"},
        *({name: value} for name in ("list", "more") for value in ([], [None], ["a"])),
        {"list": ["a", None]},
        {"list": [None, "a"]},
        {"list": ["a, null"]},
        {"struct": {"a": "2026-01-01 00:00:00.000001"}},
        {"struct": {"a": "2026-01-01 00:00:00.000002"}},
        {"struct": {"b": "2026-01-01 00:00:00.000001"}},
        {"struct": {"b": "2026-01-01 00:00:00.000002"}},
        {"map": {"a": None}},
        {"map": {}},
        {"_cdc_is_current": True},
        {"_cdc_from_is_exact": True},
        {"_cdc_unavailable": [None]},
    ]
    macros = Macros()
    own = {**macros.version_columns(), "_cdc_marks": "string"}
    schema = ", ".join(f"`{name}` {type_}" for name, type_ in {**types, **own}.items())
    lab_spark.createDataFrame([(json.dumps(one),) for one in values], "value string").selectExpr(
        f"from_json(value, '{schema}', map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS',"
        " 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')) as version"
    ).selectExpr("version.*").createOrReplaceTempView("marked_versions")

    marks = macros.version_marks(list(types), {}, types)
    found = lab_spark.sql(f"select {marks} as marks from marked_versions").collect()

    assert len({row.marks for row in found}) == len(values)
    # entries of a map have no order
    maps = "select map('a', 1D, 'b', 2D) as map union all select map('b', 2D, 'a', 1D)"
    hashable = macros._hashable("map", types["map"])
    assert len({row[0] for row in lab_spark.sql(f"select {hashable} from ({maps})").collect()}) == 1


def test_a_day_is_a_day() -> None:
    assert options_configured(Options(keep=400 * DAY))["keep"] == 34_560_000_000_000
