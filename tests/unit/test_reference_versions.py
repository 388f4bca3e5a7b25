"""The reference of histories: what makes, begins and ends a version. docs/history.md."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reference import Config
from reference.versions import Options, Version, versions
from tests.support.reference_log import GONE, POSTGRESQL, Log

CLOSING = Config("postgresql", close_unseen=True)


class Story(Log):
    """A log in which each change is a transaction and happens at a second of its own."""

    def add(self, op: str | None, key: int | None, lsn: int | None = None, *args: Any, **more: Any):
        if op is not None:
            more.setdefault("commit", None if lsn is None else lsn - 1)
            more.setdefault("ms", None if lsn is None else lsn * 1000)
        return super().add(op, key, lsn, *args, **more)

    def versions(self, config: Config = POSTGRESQL, key: int = 1, **options: Any) -> list[Version]:
        found = versions(self.records, config, Options(**options))
        return [one for one in found if one.key == f'{{"id":{key}}}']

    def told(self, config: Config = POSTGRESQL, key: int = 1, **options: Any) -> list[Any]:
        """Return value, begin, end, what began and what ended each version, in seconds."""
        return [
            (one.row["v"], _seconds(one.valid_from), _seconds(one.valid_to))
            + (one.began_by, one.ended_by)
            for one in self.versions(config, key, **options)
        ]


def _seconds(instant: int | None) -> float | None:
    return None if instant is None else instant / 1_000_000


def test_each_applied_change_makes_a_version_that_ends_when_the_next_begins():
    log = Story().add("c", 1, 10, "a").add("u", 1, 20, "b").add("d", 1, 30).tombstone(1)
    assert log.told() == [
        ("a", 10, 20, "insert", "update"),
        ("b", 20, 30, "update", "delete"),
    ]
    first, second = log.versions()
    assert (first.to_event_id, second.from_event_id) == ("p.public.t:0:1", "p.public.t:0:1")
    assert not first.is_current and not second.is_current
    assert [(one.life, one.version) for one in (first, second)] == [(1, 1), (1, 2)]
    log.add("c", 1, 40, "c")
    third = log.versions()[-1]
    assert (third.life, third.version, third.is_current) == (2, 3, True)
    assert (third.valid_from, third.valid_to) == (40_000_000, None)


def test_replays_and_repeats_make_no_version():
    log = Story().add("c", 1, 10, "a").add("u", 1, 20, "b")
    expected = log.versions()
    log.add("c", 1, 10, "a").add("u", 1, 20, "b").add("u", 1, 15, "old")
    assert log.versions() == expected
    log.records.reverse()
    assert log.versions() == expected


def test_instants_never_fall_when_clocks_do():
    log = Story().add("c", 1, 10, "a").add("u", 1, 20, "b", ms=5_000).add("d", 1, 30, ms=7_000)
    log.add("c", 1, 40, "c", ms=6_000)
    assert [one[1:3] for one in log.told()] == [(10, 10), (10, 10), (10, None)]
    assert [one.source_at for one in log.versions()] == [10_000_000, 5_000_000, 6_000_000]


def test_without_a_time_at_the_source_the_record_timestamp_counts():
    log = Story().add("c", 1, 10, "a", ms=None, at=4_000)
    assert [(one.valid_from, one.source_at) for one in log.versions()] == [(4_000_000, None)]


def test_changes_of_one_transaction_are_one_version():
    log = Story().add("c", 1, 10, "a").add("u", 1, 20, "b", commit=15)
    log.add("u", 1, 21, "c", commit=15, ms=22_000)
    assert log.told() == [("a", 10, 22, "insert", "update"), ("c", 22, None, "update", None)]
    last = log.versions()[-1]
    assert (last.from_event_id, last.source_at) == ("p.public.t:0:2", 22_000_000)
    assert log.told(within_transaction="all") == [
        ("a", 10, 22, "insert", "update"),
        ("b", 22, 22, "update", "update"),
        ("c", 22, None, "update", None),
    ]


def test_a_transaction_tells_how_a_life_began_and_how_the_one_before_ended():
    log = Story().add("c", 1, 10, "a").add("d", 1, 20, commit=15).tombstone(1)
    log.add("c", 1, 21, "b", commit=15).add("u", 1, 22, "c", commit=15)
    assert log.told() == [("a", 10, 22, "insert", "delete"), ("c", 22, None, "insert", None)]
    assert [one.life for one in log.versions()] == [1, 2]
    assert len(log.versions(deleted_rows=True)) == 2


def test_a_row_that_lives_within_one_transaction_has_no_version_and_no_number():
    log = Story().add("c", 1, 10, "a", commit=5).add("d", 1, 11, commit=5)
    assert log.versions() == []
    log.add("c", 1, 20, "b")
    assert [(one.life, one.version) for one in log.versions()] == [(1, 1)]
    every = log.versions(within_transaction="all")
    assert [(one.life, one.valid_from, one.valid_to) for one in every] == [
        (1, 11_000_000, 11_000_000),
        (2, 20_000_000, None),
    ]


def test_transaction_metadata_names_the_transaction():
    log = Story().add("c", 1, 10, "a", tx="7:10").add("u", 1, 20, "b", tx="7:20")
    log.add("u", 1, 30, "c", tx="8:30")
    assert [one[0] for one in log.told()] == ["b", "c"]
    assert [one.tx_id for one in log.versions()] == ["7:20", "8:30"]
    assert [one.to_tx_id for one in log.versions()] == ["8:30", None]


def test_changes_of_several_transactions_at_one_time_keep_versions_of_zero_length():
    log = Story().add("c", 1, 10, "a").add("u", 1, 20, "b", ms=10_000)
    first, second = log.versions()
    assert (first.valid_from, first.valid_to) == (10_000_000, 10_000_000)
    assert [one.holds_at(10_000_000) for one in (first, second)] == [False, True]


def test_a_read_makes_a_version_only_of_another_row():
    log = Story().add("c", 1, 10, "a").add("r", 1, 20, "a", snapshot="incremental")
    assert log.told() == [("a", 10, None, "insert", None)]
    log.add("r", 1, 30, "b", snapshot="incremental")
    assert log.told() == [("a", 10, 30, "insert", "update"), ("b", 30, None, "read", None)]
    assert [one.from_is_exact for one in log.versions()] == [True, False]


def test_an_update_without_a_change_makes_a_version():
    log = Story().add("c", 1, 10, "a").add("u", 1, 20, "a")
    assert len(log.versions()) == 2
    assert len(log.versions(track=("v",))) == 1


def test_a_truncate_ends_versions_below_it_at_its_own_time():
    log = Story().add("c", 1, 10, "a").add("t", None, 20)
    assert log.told() == [("a", 10, 20, "insert", "truncate")]
    log.add("c", 1, 30, "b")
    assert log.told()[1:] == [("b", 30, None, "insert", None)]
    assert [one.life for one in log.versions()] == [1, 2]


def test_a_truncate_does_not_end_a_version_that_the_next_change_ended_below_it():
    log = Story().add("t", None, 40, partition=1).add("c", 1, 10, "a").add("u", 1, 20, "b")
    assert [one[2:] for one in log.told()] == [(20, "insert", "update"), (40, "update", "truncate")]
    log.add("d", 1, 30)
    assert [one[4] for one in log.told()] == ["update", "delete"]


def test_a_truncate_and_an_insert_of_one_transaction():
    log = Story().add("c", 1, 10, "a").add("t", None, 20, commit=15)
    log.add("c", 1, 21, "b", commit=15)
    assert log.told() == [("a", 10, 21, "insert", "truncate"), ("b", 21, None, "insert", None)]


def test_a_tombstone_alone_ends_a_version_at_the_time_of_its_record():
    log = Story().add("c", 1, 10, "a").tombstone(1, at=25_000)
    assert log.told() == [("a", 10, 25, "insert", "tombstone")]


def test_a_complete_snapshot_ends_a_row_that_it_did_not_see():
    log = Story().add("c", 1, 10, "a").add("c", 2, 11, "b")
    log.add("r", 2, 50, "b", snapshot="last")
    assert log.told(CLOSING) == [("a", 10, 50, "insert", "unseen")]
    assert log.told(CLOSING, key=2) == [("b", 11, None, "insert", None)]
    log.add("u", 1, 60, "c")
    assert [one.life for one in log.versions(CLOSING)] == [1, 2]
    assert [one.life for one in log.versions()] == [1, 1]


def test_a_key_change_links_both_rows():
    old = {"__debezium.oldkey": '{"id":1}'}
    log = Story().add("c", 1, 10, "a").add("d", 1, 20).tombstone(1)
    log.add("c", 2, 20, "a", headers=old)
    (before,), (after,) = log.versions(), log.versions(key=2)
    assert (before.ended_by, before.next_key) == ("key_change", '{"id":2}')
    assert (after.began_by, after.previous_key) == ("key_change", '{"id":1}')
    log.records[-1] = replace(log.records[-1], headers=())
    assert log.versions()[0].next_key == '{"id":2}'
    assert log.versions(key=2)[0].previous_key == '{"id":1}'


def test_a_header_whose_delete_did_not_land_leaves_the_old_row():
    old = {"__debezium.oldkey": '{"id":1}'}
    log = Story().add("c", 1, 10, "a").add("c", 2, 20, "a", headers=old)
    assert log.told() == [("a", 10, None, "insert", None)]
    assert log.versions(key=2)[0].previous_key == '{"id":1}'


def test_unavailable_values_come_from_before_and_never_from_later():
    log = Story().add("u", 1, 10, {"id": 1, "v": GONE}).add("u", 1, 20, "b")
    first, second = log.versions()
    assert (first.row["v"], first.unknown, second.unknown) == (None, {"v"}, frozenset())
    log = Story().add("c", 1, 10, "a").add("u", 1, 20, {"id": 1, "v": GONE})
    assert [one[0] for one in log.told()] == ["a", "a"]


def test_ignored_columns_make_no_version_but_the_row_stays_current():
    log = Story().add("c", 1, 10, {"id": 1, "v": "a", "n": 1})
    log.add("u", 1, 20, {"id": 1, "v": "a", "n": 2}).add("u", 1, 30, {"id": 1, "v": "b", "n": 2})
    log.add("u", 1, 40, {"id": 1, "v": "b", "n": 3})
    first, second = log.versions(ignore=("n",))
    assert (first.row["n"], first.valid_to, second.row["n"]) == (2, 30_000_000, 3)
    assert log.versions(track=("v",)) == [first, second]
    assert log.fold().rows['{"id":1}'] == second.row


def test_ignored_columns_make_no_version_of_a_row_that_was_born_again_equal():
    log = Story().add("c", 1, 10, "a").add("d", 1, 20).add("c", 1, 30, "a")
    assert len(log.versions(track=("v",))) == 2


def test_deleted_rows_lie_over_the_gaps():
    log = Story().add("c", 1, 10, "a").add("d", 1, 20).add("c", 1, 30, "b").add("d", 1, 40)
    found = log.versions(deleted_rows=True)
    assert [(one.version, one.life, one.is_deleted) for one in found] == [
        (1, 1, False),
        (1, 1, True),
        (2, 2, False),
        (2, 2, True),
    ]
    assert log.told(deleted_rows=True)[1::2] == [
        ("a", 20, 30, "delete", "insert"),
        ("b", 40, None, "delete", None),
    ]
    assert not any(one.is_current or one.holds_at(25_000_000) for one in found)
    assert len({one.scd_id for one in found}) == 4


def test_versions_that_ended_long_ago_go_and_numbers_stay():
    log = Story().add("c", 1, 10, "a").add("u", 1, 20, "b").add("u", 1, 100, "c")
    log.add("c", 2, 15, "x").add("d", 2, 16)
    kept = versions(log.records, POSTGRESQL, Options(keep=70_000_000))
    assert [(one.row["v"], one.version) for one in kept] == [("b", 2), ("c", 3)]
    kept = versions(log.records, POSTGRESQL, Options(keep=70_000_000), now=85_000_000)
    assert [one.row["v"] for one in kept] == ["a", "b", "c", "x"]


def test_joins_before_the_first_capture_find_the_row_that_was_read():
    log = Story().add("r", 1, 10, "a", snapshot="last").add("u", 1, 20, "b")
    assert log.told(first_from=0)[0] == ("a", 0, 20, "read", "update")
    log = Story().add("c", 1, 10, "a")
    assert log.told(first_from=0) == [("a", 10, None, "insert", None)]


def test_a_far_date_stands_for_the_open_end():
    log = Story().add("c", 1, 10, "a").add("u", 1, 20, "b")
    assert [one[2] for one in log.told(valid_to_current=9_000_000_000_000)] == [20, 9_000_000]


def test_a_late_birth_comes_behind_the_delete_that_it_waited_for():
    log = Story().add("c", 1, 10, "a").add("d", 1, 30, commit=25)
    log.add("c", 1, 20, "b", commit=35, ms=36_000)
    assert log.told() == [("a", 10, 30, "insert", "delete"), ("b", 36, None, "insert", None)]
