"""What `max_lag` asks of a source's signs, and of the records that wait."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

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
    " _cdc_batch_id bigint"
)


@pytest.fixture
def lab(lab: Lab) -> Lab:
    lab.append("raw", lab.rows([]))
    lab.append("state", lab.rows([("!watermark", 1)], "_cdc_key string, _cdc_batch_id bigint"))
    return lab


def heartbeat(lab: Lab, at: datetime) -> None:
    text = f'{{"ts_ms": {int(at.timestamp() * 1000)}}}'
    record = KafkaRecord("__debezium-heartbeat.p", 0, 0, int(LONG_AGO.timestamp() * 1000), "{}",
                         text, ())  # fmt: skip
    row = raw_row(record, 1)
    lab.append("raw", lab.rows([(*row[:-1], NOW)]))


def event(lab: Lab, at: datetime, *, landed: datetime, batch: int = 1) -> None:
    lab.append("stg", lab.rows([(at, at, landed, batch)], STAGED))


def shown(lab: Lab, view: str) -> Row:
    staging = {"source": "s", "table": "a.t", "relation": lab.name("stg")}
    staging["state"] = lab.name("state")
    macros = lab.macros(SOURCES, "obs")
    sql = getattr(macros, view)([("s", lab.name("raw"))], [staging])
    (row,) = lab.session.sql(sql).collect()
    return row


@pytest.mark.parametrize(("at", "is_late"), [(NOW, False), (LONG_AGO, True)])
def test_a_heartbeat_is_a_sign_of_a_source_in_which_nothing_changes(
    lab: Lab, at: datetime, is_late: bool
) -> None:
    event(lab, LONG_AGO, landed=LONG_AGO)
    heartbeat(lab, at)

    assert shown(lab, "obs_source_lateness")["is_late"] is is_late


def test_no_time_is_later_than_the_landing(lab: Lab) -> None:
    event(lab, NEVER, landed=LONG_AGO)

    assert shown(lab, "obs_source_lateness")["is_late"]


@pytest.mark.parametrize(("batch", "waiting"), [(1, 0), (2, 1)])
def test_what_the_state_has_not_folded_waits(lab: Lab, batch: int, waiting: int) -> None:
    event(lab, LONG_AGO, landed=LONG_AGO, batch=batch)

    row = shown(lab, "obs_table_lateness")

    assert (row["waiting_records"], row["is_late"]) == (waiting, waiting > 0)
