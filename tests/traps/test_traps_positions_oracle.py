"""Positions of Oracle: traps 14, 15, 16 and 18 of the specification."""

from __future__ import annotations

import pytest

from tests.cases.log import again, late
from tests.cases.table import Table
from tests.cases.tables import column
from tests.support.examples import example
from tests.traps.oracle_tables import CUSTOMERS, ora

# 15

DIGITS = [999, 1000, 9_999_999_999, 10_000_000_000, 2**63, 10**20, 10**37]
grown = ora()
for place, scn in enumerate(DIGITS):
    grown.say("u", 1, scn, f"scn {place}")
GROWN = CUSTOMERS.story("grown", grown.records + again(grown.records))
GROWN_CUT = CUSTOMERS.story("grown_cut", grown.records, again(grown.records)[:2])


@pytest.mark.parametrize("story", [GROWN, GROWN_CUT], ids=["in one batch", "in the next batch"])
def test_15_an_scn_is_a_number_of_any_length(built, story):
    assert built.values(story, "EMAIL") == {1: f"scn {len(DIGITS) - 1}"}
    assert built.replays(story) == (len(DIGITS) if story is GROWN else 2, 0)


def test_15_scns_sort_as_numbers(built):
    positions = [event["_cdc_pos"] for event in built.staged(GROWN)[: len(DIGITS)]]
    assert positions == sorted(set(positions))


# 16

PAIRS = Table("ora_pairs", "oracle", [column("ID", "int32")], key=["ID"], mark="ID")
ONE_TRANSACTION = PAIRS.story(
    "transaction", example("seq_oracle_2.1.4_transaction", topic="server1.DEBEZIUM.CUSTOMER")
)
# transaction A writes first and commits last; all but the last change of each show the commit
# of the transaction before
interleaved = ora().say("c", 1, 900, "by B", commit=890).say("u", 2, 906, "by B", commit=910)
interleaved.say("c", 3, 899, "by A", commit=910).say("u", 1, 920, "by A", commit=930)
INTERLEAVED = CUSTOMERS.story("interleaved", *interleaved.cut(3))
same_commit = ora().say("u", 1, 950, "second", commit=940).records
BACKWARDS = CUSTOMERS.story(
    "commit_backwards", ora().say("u", 1, 945, "first", commit=960).records, late(same_commit, 1)
)


def test_16_a_row_of_a_transaction_is_read_from_its_own_topic(built):
    assert built.current(ONE_TRANSACTION) == [{"ID": 2}]
    assert [event["_cdc_tx_id"] for event in built.staged(ONE_TRANSACTION)] == ["5.6.641"]


def test_16_no_commit_scn_decides(built):
    assert built.values(INTERLEAVED, "EMAIL") == {1: "by A", 2: "by B", 3: "by A"}
    assert built.values(BACKWARDS, "EMAIL") == {1: "second"}
    assert built.replays(INTERLEAVED) == built.replays(BACKWARDS) == (0, 0)


# 18

OPEN_AT_SNAPSHOT = CUSTOMERS.story(
    "open_at_snapshot",
    ora().say("r", 1, 1000, "read", snapshot="last").records,
    late(ora().say("u", 1, 999, "committed later").records, 1),
)
sorted_reads = ora().say("u", 1, 1000, "same SCN").say("r", 2, 1000, "read", snapshot="first")
SORTED = CUSTOMERS.story("sorted_reads", sorted_reads.say("u", 3, 1001, "next").records)
INFLIGHT = CUSTOMERS.story(
    "inflight",
    ora().say("r", 1, 1000, "read", snapshot="incremental").records,
    late(ora().say("u", 1, 990, "committed after the window").records, 1),
)


def test_18_a_transaction_open_at_oracles_snapshot_wins_over_the_read(built):
    assert built.values(OPEN_AT_SNAPSHOT, "EMAIL") == {1: "committed later"}


def test_18_a_read_lies_behind_every_change_of_the_scn_it_saw(built):
    same, read, following = [event["_cdc_pos"] for event in built.staged(SORTED)]
    assert same < read < following


@pytest.mark.covers("support Oracle: incremental snapshots")
def test_14_an_incremental_read_of_oracle_has_no_position_of_its_row(built):
    read, _ = built.staged(INFLIGHT)
    assert read["_cdc_pos"] is None and read["_cdc_stream_pos"] is not None
    assert built.values(INFLIGHT, "EMAIL") == {1: "committed after the window"}
