"""Versions that hold at a position: the last change of a key up to it counts, in its own order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.cases.log import Log
from tests.support.blocks import source_options
from tests.support.lab import Lab
from tests.support.raw import raw_row

COLUMNS = (
    "_cdc_key string, _cdc_version int, _cdc_from_pos string, _cdc_to_pos string,"
    " _cdc_ended_by string, _cdc_valid_to timestamp"
)
HOUR = datetime(2026, 3, 1, 12, tzinfo=UTC)
SOURCES = {"s": source_options()}
# by key: where each version begins and ends, and what ended it
VERSIONS = {
    "plain": [("010", "030", "update"), ("030", "050", "delete"), ("060", None, None)],
    # a snapshot at 100, behind which the log is read from 50 on
    "read first": [("010", "100", "update"), ("100", "050", "update"), ("050", "070", "delete")],
    "deleted before": [("010", "100", "update"), ("100", "060", "delete")],
    "tombstone": [("010", None, "tombstone")],
    "unplaced": [(None, None, None)],
}
Shown = list[tuple[str, int]]


@pytest.fixture
def lab(lab: Lab) -> Lab:
    """A lab with these versions."""
    rows = [
        (key, number, *version, HOUR if version[2] else None)
        for key, versions in VERSIONS.items()
        for number, version in enumerate(versions, start=1)
    ]
    lab.append("hist", lab.rows(rows, COLUMNS))
    return lab


def shown(lab: Lab, position: str) -> Shown:
    """Return key and number of the versions as of a position, given as SQL."""
    sql = lab.macros(SOURCES, "q").asof(lab.name("hist"), position)
    rows = lab.session.sql(f"select _cdc_key, _cdc_version from {sql} as rows").collect()
    return sorted((row[0], row[1]) for row in rows)


@pytest.mark.parametrize(
    ("position", "expected"),
    [
        ("005", []),
        ("010", [("deleted before", 1), ("plain", 1), ("read first", 1)]),
        ("040", [("deleted before", 1), ("plain", 2), ("read first", 1)]),
        ("050", [("deleted before", 1), ("read first", 3)]),
        ("060", [("plain", 3), ("read first", 3)]),
        ("080", [("plain", 3)]),
        ("100", [("plain", 3)]),
    ],
)
def test_a_key_is_what_its_last_change_up_to_the_position_made_it(
    lab: Lab, position: str, expected: Shown
) -> None:
    assert shown(lab, f"'{position}'") == expected


@pytest.mark.parametrize(("hour", "is_there"), [(11, True), (12, False), (13, False)])
def test_an_end_without_a_position_lies_at_its_time(lab: Lab, hour: int, is_there: bool) -> None:
    instant = f"timestamp '2026-03-01 {hour}:00:00'"
    macros = lab.macros(SOURCES, "q")
    sql = macros.versions_at(lab.name("hist"), "'020'", instant=instant)

    rows = lab.session.sql(f"select versions.* from {sql}").collect()

    assert ("tombstone" in {row["_cdc_key"] for row in rows}) is is_there
    # ends that have a position lie there
    assert {"plain", "read first"} <= {row["_cdc_key"] for row in rows}


def test_a_cut_is_a_position(lab: Lab) -> None:
    columns = "cut_pos string, committed_at timestamp, _cdc_batch_id bigint"
    lab.append("cut", lab.rows([("060", HOUR, 2), ("040", HOUR, 1)], columns))
    macros = lab.macros(SOURCES, "q")

    def shown_at(**arguments: int) -> Shown:
        return shown(lab, macros.cut_position(lab.name("cut"), **arguments))

    assert shown_at() == shown(lab, "'060'")
    assert shown_at(batch_id=1) == shown(lab, "'040'")
    assert shown_at(batch_id=0) == []


def test_a_read_lies_among_commits_at_its_lsn(lab: Lab) -> None:
    columns = [{"name": "id", "type": "int32"}, {"name": "name", "type": "string"}]
    log = Log("postgresql")
    log.add("c", {"id": 1}, 20, {"id": 1, "name": "old"}, commit=15)
    # a change was lost; PostgreSQL's reads know no commit before them
    for number, name in ((1, "read"), (2, "read, too")):
        log.add("r", {"id": number}, 100, {"id": number, "name": name}, commit=None,
                snapshot="true")  # fmt: skip
    log.add("c", {"id": 3}, 90, {"id": 3, "name": "logged before, committed later"}, commit=100)
    lab.append("raw", lab.rows([raw_row(replace(one, topic="p.t"), 1) for one in log.records]))
    model = {"table": "public.customers", "key": columns[:1], "columns": columns}
    lab.stage(SOURCES, "s", "raw", "stg", topics=["p.t"], **model)
    macros = lab.macros(SOURCES, "versions")
    sources = {"s": {**SOURCES["s"], "history": True}}
    lab.keep_versions(sources, "s", "stg", "read", table="public.customers", key=["id"],
                      columns=["id", "name"])  # fmt: skip
    end = f"'000000/{15:020}/{20:020}'", f"'000000/{100:020}/{90:020}'"

    found = []
    for position in end:
        sql = macros.asof(lab.name("read"), position)
        rows = lab.session.sql(f"select id, name from {sql} as rows where id is not null")
        found.append(sorted((row[0], row[1]) for row in rows.collect()))

    assert found == [
        [(1, "old")],
        [(1, "read"), (2, "read, too"), (3, "logged before, committed later")],
    ]
