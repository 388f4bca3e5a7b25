"""What `max_lag` asks of a source's signs, and of the records that wait."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from pyspark.sql import Row

from reference import KafkaRecord
from tests.support.blocks import source_options
from tests.support.lab import Lab
from tests.support.raw import raw_row

SOURCES = {"s": source_options(max_lag="1 hour")}
NOW = datetime.now(UTC)
LONG_AGO, NEVER = NOW - timedelta(hours=2), datetime(2999, 1, 1, tzinfo=UTC)
STAGED = (
    "_cdc_source_at timestamp, _cdc_timestamp timestamp, _cdc_landed_at timestamp,"
    " _cdc_batch_id bigint, _cdc_captured_at timestamp"
)
STATE = (
    "_cdc_key string, _cdc_batch_id bigint, _cdc_is_deleted boolean,"
    " _cdc_unavailable array<string>, _cdc_fold_replays bigint, _cdc_fold_unexplained bigint,"
    " _cdc_fold_first_unexplained string"
)


@pytest.fixture
def lab(lab: Lab) -> Lab:
    lab.append("raw", lab.rows([]))
    lab.append("state", lab.rows([("!watermark", 1, *[None] * 5)], STATE))
    return lab


def heartbeat(lab: Lab, at: datetime) -> None:
    text = f'{{"ts_ms": {int(at.timestamp() * 1000)}}}'
    record = KafkaRecord("__debezium-heartbeat.p", 0, 0, int(LONG_AGO.timestamp() * 1000), "{}",
                         text, ())  # fmt: skip
    row = raw_row(record, 1)
    lab.append("raw", lab.rows([(*row[:-1], NOW)]))


def event(lab: Lab, at: datetime, *, landed: datetime, batch: int = 1) -> None:
    lab.append("stg", lab.rows([(at, at, landed, batch, at)], STAGED))


def view(lab: Lab, sources: dict[str, Any] = SOURCES) -> str:
    staging = {"source": "s", "table": "a.t", "relation": lab.name("stg")}
    staging["state"] = lab.name("state")
    return str(lab.macros(sources, "obs").obs_tables([("s", lab.name("raw"))], [staging]))


def shown(lab: Lab, sources: dict[str, Any] = SOURCES) -> Row:
    (row,) = lab.session.sql(view(lab, sources)).collect()
    return row


@pytest.mark.parametrize(("at", "is_late"), [(NOW, False), (LONG_AGO, True)])
def test_a_heartbeat_is_a_sign_of_a_source_in_which_nothing_changes(
    lab: Lab, at: datetime, is_late: bool
) -> None:
    event(lab, LONG_AGO, landed=LONG_AGO)
    heartbeat(lab, at)

    assert shown(lab)["is_late"] is is_late


def test_no_time_is_later_than_the_landing(lab: Lab) -> None:
    event(lab, NEVER, landed=LONG_AGO)

    assert shown(lab)["is_late"]


@pytest.mark.parametrize(("batch", "waiting"), [(1, 0), (2, 1)])
def test_what_the_state_has_not_folded_waits(lab: Lab, batch: int, waiting: int) -> None:
    event(lab, LONG_AGO, landed=LONG_AGO, batch=batch)

    heartbeat(lab, NOW)

    row = shown(lab)

    assert (row["waiting_records"], row["is_late"]) == (waiting, waiting > 0)
    assert row["late_because"] == ("waiting" if waiting else None)


def test_each_table_is_read_once(lab: Lab) -> None:
    assert [view(lab).count(f"from {lab.name(one)}") for one in ("stg", "state")] == [1, 1]


def test_what_each_state_says_of_its_rows(lab: Lab) -> None:
    event(lab, LONG_AGO, landed=NOW)
    lacks = ["a", "b"]
    rows = [
        ("1", 1, False, lacks, 2, 1, "t:0:7"),
        ("2", 1, False, lacks[:1], None, None, None),
        ("3", 1, True, lacks, 1, 1, "t:0:6"),
    ]
    lab.append("state", lab.rows(rows, STATE))

    row = shown(lab, {"s": source_options()})

    assert (row["replays"], row["unexplained"]) == (3, 2)
    assert row["first_unexplained_event_id"] == "t:0:6"
    assert row["unavailable_values"] == 3
    assert [tuple(one) for one in row["unavailable_columns"]] == [("a", 2, "1"), ("b", 1, "1")]
    assert row["lag_seconds"] == 7200 and row["newest_batch_id"] == 1
    # without `max_lag` nothing is late, and what waits is not counted
    assert (row["waiting_records"], row["late_at"], row["is_late"]) == (None, None, False)
