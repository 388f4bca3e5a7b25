"""The reference fold: truncates."""

from __future__ import annotations

from reference import Config, Epoch, KafkaRecord
from tests.support.reference_log import KEY_1, Log


def test_a_truncate_removes_what_lies_below_it_wherever_it_lies():
    log = Log().add("t", None, 20, commit=15, partition=1).add("c", 1, 10, "a", commit=5)
    log.add("c", 2, 30, "b", commit=25)
    assert log.values() == {2: "b"}
    log.records.reverse()
    assert log.values() == {2: "b"}


def test_a_truncate_meets_winners_by_the_order_of_commits():
    log = Log().add("t", None, 20, commit=15).add("c", 1, 10, "a", commit=25)
    log.add("c", 2, 30, "b", commit=None)
    assert log.values() == {1: "a", 2: "b"}
    log = Log().add("t", None, 20, commit=15, partition=1)
    log.add("r", 1, 10, "a", snapshot="incremental", commit=25)
    log.add("r", 2, 30, "b", snapshot="incremental", commit=None)
    assert log.values() == {1: "a"}


def test_a_truncate_says_nothing_about_a_row_that_a_full_read_showed_later():
    log = Log().add("t", None, 500, commit=400).add("r", 1, 10, "a", snapshot="true", commit=None)
    assert log.values() == {1: "a"}
    log.add("u", 1, 20, "b", commit=15)
    assert log.values() == {1: "b"}
    log = Log().add("r", 1, 10, "a", snapshot="true", commit=None).add("t", None, 500, commit=400)
    assert log.values() == {}


def test_a_truncate_in_another_partition_comes_before_a_full_read_by_record_time():
    for at, expected in ((900, {1: "a"}), (1_100, {})):
        log = Log().add("r", 1, 10, "a", snapshot="true", commit=None)
        log.add("t", None, 500, commit=400, partition=1, at=at)
        assert log.values() == expected


def test_a_later_epoch_survives_an_earlier_truncate():
    log = Log().add("t", None, 500, commit=400).add("c", 1, 10, "a")
    assert log.values() == {}
    assert log.values(Config("postgresql", epochs=(Epoch(from_ms=1_001),))) == {1: "a"}


def test_an_incremental_read_obeys_truncates_of_its_partition_by_offset():
    log = Log().add("r", 1, 90, "a", snapshot="incremental", commit=80)
    log.add("t", None, 70, commit=60)
    assert log.values() == {}
    log = Log().add("t", None, 90, commit=80)
    log.add("r", 1, 70, "a", snapshot="incremental", commit=60)
    assert log.values() == {1: "a"}


def test_an_incremental_read_obeys_truncates_of_other_partitions_by_position():
    for lsn, expected in ((70, {1: "a"}), (110, {})):
        log = Log().add("r", 1, 90, "a", snapshot="incremental", commit=80)
        log.add("t", None, lsn, commit=lsn - 10, partition=1)
        assert log.values() == expected


def test_without_positions_the_record_time_decides():
    for at, expected in ((1_500, {}), (500, {1: "a"})):
        log = Log().add("c", 1, None, "a", commit=None)
        log.add("t", None, 70, partition=1, at=at)
        assert log.values() == expected


def test_truncates_of_other_topics_and_repeats_say_nothing_new():
    log = Log().add("c", 1, 10, "a", commit=5)
    log.records.append(
        KafkaRecord("p.public.other", 0, 9, 9_999, None, Log().add("t", None, 90).records[0].value)
    )
    assert log.values() == {1: "a"}


def test_a_truncate_leaves_marks_alone():
    log = Log().add("c", 1, 10, "a").add("t", None, 20, commit=15).add("c", 1, 10, "a")
    got = log.fold()
    assert got.rows == {} and got.replays == {KEY_1: 1}


def test_a_repeat_of_a_truncate_removes_no_row_read_since():
    log = Log().add("c", 1, 10, "a").add("t", None, 20)
    log.add("r", 1, 30, "read", snapshot="incremental").add("t", None, 20)
    assert log.values() == {1: "read"}
