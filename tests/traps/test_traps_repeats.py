"""Repeats that look like changes, and changes that look like repeats: tests/traps.yml, cases.

Each case is told as a whole and cut into three batches: its rows are the same.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.reference import KafkaRecord, fold
from tests.reference.event import Config, Epoch
from tests.support.raw import kafka_record
from tests.traps.cases import Case, Story
from tests.traps.tables import column

RECORDS = Path(__file__).with_name("records_of_cases")


def lines(name: str, table: str | None = None) -> list[KafkaRecord]:
    """Return the records of a case, or those of one of its tables."""
    text = (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8")
    found = [json.loads(line) for line in text.splitlines() if line]
    return [
        kafka_record(one) for one in found if table is None or one["topic"].endswith(f".{table}")
    ]


ID, V, CODE, A = column("id", "int32"), column("v"), column("code", "int32"), column("a", "int32")
PG = Case("pg_repeats", "postgresql", [ID, V])
SQLSERVER = Case("ss_repeats", "sqlserver", [ID, CODE, V], table="dbo.s_repeats")
MYSQL = Case("my_repeats", "mysql", [ID, V], table="shop.m_repeats")
ORACLE = Case(
    "ora_repeats",
    "oracle",
    [column("ID", "int32"), column("V")],
    key=["ID"],
    table="APP.O_REPEATS",
    mark="ID",
)
PG_KEYLESS = Case("pg_repeats_keyless", "postgresql", [A, V], key=[], mark="a", full=True)
SQLSERVER_KEYLESS = Case(
    "ss_repeats_keyless", "sqlserver", [A, V], key=[], table="dbo.s_keyless", mark="a"
)
MYSQL_KEYLESS = Case("my_repeats_keyless", "mysql", [A, V], key=[], table="shop.m_kl", mark="a")


def told(case: Case, name: str, table: str | None = None, **more: Any) -> list[Story]:
    """Tell a case as a whole and in three batches."""
    records = lines(name, table)
    third = -(-len(records) // 3)
    thirds = [records[start : start + third] for start in range(0, len(records), third)]
    short = (table or name).replace("-", "_").replace(".", "_")
    return [case.story(short, records, **more), case.story(f"{short}_cut", *thirds, **more)]


FROM_OFFSET_1 = [{"offsets": {"0": 1}}]
# Name, stories, rows, how many replays no event explains.
CASES: list[tuple[str, list[Story], list[dict[str, Any]], int]] = [
    (
        "sqlserver-direct-mode-deferred-update",
        told(SQLSERVER, "sqlserver-direct-mode-deferred-update"),
        [{"id": 1, "code": 16, "v": "a"}, {"id": 2, "code": 26, "v": "b"}],
        0,
    ),
    (
        "sqlserver-direct-mode-bulk-key-change",
        told(SQLSERVER, "sqlserver-direct-mode-bulk-key-change"),
        [{"id": 2, "code": 1, "v": "a"}, {"id": 3, "code": 2, "v": "b"}],
        0,
    ),
    (
        "sqlserver-3.7-same-serial",
        told(SQLSERVER, "sqlserver-3.7-same-serial"),
        [{"id": 1, "code": 16, "v": "a"}],
        0,
    ),
    (
        "postgres-insert-below-delete",
        told(PG, "postgres-insert-below-delete"),
        [{"id": 1, "v": "reborn"}, {"id": 2, "v": "other"}],
        0,
    ),
    (
        "oracle-insert-below-delete",
        told(ORACLE, "oracle-insert-below-delete"),
        [{"ID": 1, "V": "reborn"}],
        0,
    ),
    (
        "incremental-read-repeated-verbatim",
        told(PG, "incremental-read-repeated-verbatim", "t_dupincr"),
        [{"id": 1, "v": "v2"}],
        0,
    ),
    (
        "incremental-read-repeated-verbatim: deleted",
        told(PG, "incremental-read-repeated-verbatim", "t_dupincr_d"),
        [],
        0,
    ),
    (
        "replay-after-blocking-snapshot",
        told(PG, "replay-after-blocking-snapshot", "t_blockreplay"),
        [{"id": 1, "v": "v2"}],
        0,
    ),
    (
        "replay-after-blocking-snapshot: deleted",
        told(PG, "replay-after-blocking-snapshot", "t_blockreplay_d"),
        [{"id": 1, "v": "v2"}],
        0,
    ),
    (
        "wal2json-one-lsn-per-transaction",
        told(PG, "wal2json-one-lsn-per-transaction"),
        [{"id": 1, "v": "second"}],
        0,
    ),
    # The two that follow need an epoch; without one a person is told.
    (
        "oracle-xstream-to-logminer: told",
        told(ORACLE, "oracle-xstream-to-logminer"),
        [{"ID": 1, "V": "xstream"}],
        1,
    ),
    (
        "mysql-binlog-over-4gib: told",
        told(MYSQL, "mysql-binlog-over-4gib"),
        [{"id": 1, "v": "before wrap"}],
        1,
    ),
    (
        "two-topics-of-one-table",
        told(SQLSERVER, "two-topics-of-one-table", keeps_topics=True),
        [
            {
                "id": number,
                "code": 9 if number in (1, 2) else 0,
                "v": "new" if number in (1, 2) else "old",
            }
            for number in (0, 1, 2, 4)
        ],
        0,
    ),
    (
        "two-topics-of-one-table-postgres",
        told(PG, "two-topics-of-one-table-postgres", keeps_topics=True),
        [{"id": number, "v": "new" if number > 2 else "old"} for number in range(5)],
        0,
    ),
    (
        "truncate-in-the-second-topic",
        told(PG, "truncate-in-the-second-topic", keeps_topics=True),
        [{"id": 2, "v": "after"}],
        0,
    ),
    (
        "keyless-two-snapshots-at-one-position",
        told(SQLSERVER_KEYLESS, "keyless-two-snapshots-at-one-position"),
        [{"a": 1, "v": "x"}, {"a": 2, "v": "y"}],
        0,
    ),
    (
        "keyless-two-snapshots-mysql-2.1",
        told(MYSQL_KEYLESS, "keyless-two-snapshots-mysql-2.1"),
        [{"a": 1, "v": "x"}, {"a": 2, "v": "y"}],
        0,
    ),
    (
        "keyless-snapshot-batch-repeated-verbatim",
        told(PG_KEYLESS, "keyless-snapshot-batch-repeated-verbatim"),
        [{"a": 1, "v": "x"}, {"a": 2, "v": "y"}],
        0,
    ),
    # No record tells that the snapshot saw the change: docs/limits.md.
    (
        "keyless-blocking-snapshot-overlap: not told",
        told(PG_KEYLESS, "keyless-blocking-snapshot-overlap"),
        [{"a": 1, "v": "x"}, {"a": 2, "v": "y"}, {"a": 2, "v": "y"}],
        0,
    ),
]
PARAMETERS = pytest.mark.parametrize(
    ("stories", "rows", "unexplained"), [one[1:] for one in CASES], ids=[one[0] for one in CASES]
)


@PARAMETERS
def test_a_repeat_is_known_by_what_it_is_and_all_else_counts(built, stories, rows, unexplained):
    for story in stories:
        assert built.current(story) == sorted(rows, key=repr), story.name
        if story.case.key:
            assert built.replays(story)[1] == unexplained


@PARAMETERS
def test_the_reference_says_the_same(stories, rows, unexplained):
    (records,) = stories[0].batches
    case = stories[0].case
    got = fold(records, Config(case.connector, complete_before=True, keyless=not case.key))
    found = list(got.rows.values()) or [
        json.loads(text) for text, count in got.multiset.items() for _ in range(count)
    ]
    assert sorted((stories[0].unmarked(row) for row in found), key=repr) == sorted(rows, key=repr)
    assert sum(got.unexplained.values()) == unexplained


@pytest.mark.parametrize(
    ("name", "connector", "newest"),
    [
        ("oracle-xstream-to-logminer", "oracle", "logminer"),
        ("mysql-binlog-over-4gib", "mysql", "after wrap"),
    ],
)
def test_an_epoch_tells_that_positions_start_anew(name, connector, newest):
    records = lines(name)
    epoch = Epoch(topic=records[0].topic, offsets={0: 1})
    got = fold(records, replace(Config(connector), epochs=(epoch,)))
    assert [list(row.values())[1] for row in got.rows.values()] == [newest]
    assert not got.unexplained
