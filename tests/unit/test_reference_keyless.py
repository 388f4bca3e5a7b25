"""The reference fold: tables without a key."""

from __future__ import annotations

from reference import Config
from tests.support.reference_log import GONE, Log

KEYLESS = Config("postgresql", complete_before=True, keyless=True)
ROW = {"v": "x"}
TEXT = '{"v":"x"}'


def run(name: str) -> dict[str, str]:
    return {"__debezium.context.runId": name}


def test_equal_changes_of_one_run_are_different_and_those_of_two_runs_are_repeats():
    log = Log()
    for name in ("one", "one", "two", "two"):
        log.add("c", None, 10, ROW, headers=run(name))
    assert log.fold(KEYLESS).multiset == {TEXT: 2}
    assert Log().add("c", None, 10, ROW).add("c", None, 10, ROW).fold(KEYLESS).multiset == {TEXT: 1}
    assert Log().add("c", None, 10, ROW).add("c", None, 11, ROW).fold(KEYLESS).multiset == {TEXT: 2}


def test_an_update_replaces_one_row_and_takes_missing_values_from_its_before():
    log = Log().add("c", None, 10, {"v": "x", "n": 1}).add("c", None, 11, {"v": "x", "n": 1})
    log.add("u", None, 20, {"v": GONE, "n": 2}, before={"v": "x", "n": 1})
    assert log.fold(KEYLESS).multiset == {'{"n":1,"v":"x"}': 1, '{"n":2,"v":"x"}': 1}


def test_the_latest_snapshot_replaces_everything_before_it():
    log = Log().add("c", None, 10, ROW).add("r", None, 20, {"v": "old"}, snapshot="true")
    log.add("r", None, 30, {"v": "y"}, snapshot="first")
    log.add("r", None, 30, {"v": "y"}, snapshot="last").add("c", None, 40, ROW)
    log.add("r", None, 50, {"v": "z"}, snapshot="incremental")
    assert log.fold(KEYLESS).multiset == {'{"v":"y"}': 2, TEXT: 1}


def test_time_orders_the_reads_of_a_snapshot_if_the_table_lies_in_several_partitions():
    log = Log().add("r", None, 30, {"v": "y"}, snapshot="true", partition=1, at=2000)
    log.add("r", None, 30, {"v": "z"}, snapshot="first", partition=1, at=1000)
    assert log.fold(KEYLESS).multiset == {'{"v":"z"}': 1}
    log.add("c", None, 10, ROW, at=500)
    assert log.fold(KEYLESS).multiset == {'{"v":"y"}': 1, '{"v":"z"}': 1}


def test_a_truncate_empties_a_table_without_a_key():
    log = Log().add("c", None, 10, ROW, partition=1).add("t", None, 20).add("c", None, 30, ROW)
    log.add("d", None, 15, before=ROW)
    assert log.fold(KEYLESS).multiset == {TEXT: 1}


def test_without_complete_before_images_rows_are_only_added():
    log = Log().add("c", None, 10, ROW).add("d", None, 20, before={"v": None}).tombstone(None)
    log.add("c", None, 10, ROW)
    assert log.fold(Config("postgresql", keyless=True)).multiset == {TEXT: 1}
