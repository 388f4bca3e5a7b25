"""The documented sequences, with the state their notes ask for."""

from __future__ import annotations

import itertools

import pytest

from reference import Config, fold
from tests.support.examples import example


def customer(number: int, **changes: object) -> dict[str, object]:
    row = {
        "id": number,
        "first_name": "Anne",
        "last_name": "Kretchmar",
        "email": "annek@noanswer.org",
    }
    return row | changes


JOHN = {"first_name": "john", "last_name": "doe"}
EXPECTED = [
    (
        "seq_mysql_binlog_rollover",
        "mysql",
        [customer(1, first_name="v2"), customer(2, first_name="v1")],
    ),
    ("seq_postgres_2.1.4_key_change", "postgresql", [customer(2)]),
    ("seq_postgres_incremental_vs_inflight", "postgresql", [customer(1, first_name="New")]),
    ("seq_postgres_interleaved_transactions", "postgresql", [customer(1), customer(2)]),
    ("seq_postgres_truncate_multi_partition", "postgresql", [customer(3)]),
    # Closing keys that a repeated snapshot does not show is not a rule of the fold: row 2 stays.
    (
        "seq_repeat_snapshot_hides_deletes",
        "postgresql",
        [customer(1, first_name="Ann"), customer(2)],
    ),
    (
        "seq_sqlserver_2.1.4_key_change",
        "sqlserver",
        [{"id": 1006, "email": "john.doe@example.org", **JOHN}],
    ),
    (
        "seq_sqlserver_2.1.4_replay_after_restart",
        "sqlserver",
        [{"id": 1005, "email": "c@x.org", **JOHN}],
    ),
]


@pytest.mark.parametrize(("name", "connector", "rows"), EXPECTED, ids=[e[0] for e in EXPECTED])
def test_a_documented_sequence_ends_as_its_note_says_in_any_order(name, connector, rows):
    records = example(name)
    for order in itertools.islice(itertools.permutations(records), 0, 120):
        got = fold(order, Config(connector))
        assert sorted(got.rows.values(), key=lambda row: row["id"]) == rows
        assert not got.unexplained and not got.unknown


def test_a_snapshot_taken_again_closes_what_it_does_not_show_where_that_is_wanted():
    records = example("seq_repeat_snapshot_hides_deletes")
    config = Config("postgresql", close_unseen=True)
    for order in itertools.permutations(records):
        assert list(fold(order, config).rows.values()) == [customer(1, first_name="Ann")]


@pytest.mark.parametrize(
    ("name", "connector", "topic", "row"),
    [
        (
            "seq_postgres_2.1.4_transaction",
            "postgresql",
            "PostgreSQL_server.s1.a",
            {"pk": "2", "aa": "1"},
        ),
        (
            "seq_sqlserver_2.1.4_transaction",
            "sqlserver",
            "server1.testDB.dbo.tableb",
            {"pk": "7", "bb": "x"},
        ),
    ],
)
def test_one_table_of_a_transaction_is_read_from_its_own_topic(name, connector, topic, row):
    assert list(fold(example(name, topic=topic), Config(connector)).rows.values()) == [row]


def test_transaction_markers_are_not_rows():
    records = example("seq_postgres_2.1.4_transaction", topic="PostgreSQL_server.transaction")
    assert len(records) == 2
    assert fold(records, Config("postgresql")).rows == {}


def test_a_replayed_update_never_shows_again_wherever_the_log_is_cut():
    records = example("seq_sqlserver_2.1.4_replay_after_restart")
    emails = [
        [row["email"] for row in fold(records[:end], Config("sqlserver")).rows.values()]
        for end in range(1, 5)
    ]
    assert emails == [["b@x.org"], ["c@x.org"], ["c@x.org"], ["c@x.org"]]
    assert dict(fold(records, Config("sqlserver")).replays) == {'{"id":1005}': 2}


def test_a_table_without_a_key_counts_rows():
    records = example("seq_postgres_no_primary_key")
    config = Config("postgresql", complete_before=True, keyless=True)
    row = '{"what":"login","who":"x"}'
    assert [dict(fold(records[:end], config).multiset) for end in range(4)] == [
        {},
        {row: 1},
        {},
        {},
    ]
    appended = Config("postgresql", keyless=True)
    assert dict(fold(records, appended).multiset) == {row: 1}


def test_signal_rows_are_ordinary_rows_of_their_own_table():
    got = fold(example("seq_signal_table_events"), Config("postgresql"))
    assert len(got.rows) == 4
