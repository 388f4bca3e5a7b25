"""Records as rows of a raw table, as a landing appends them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from dbt_debezium_spark.landing.schemas import RAW_COLUMNS
from dbt_debezium_spark.spark.local_frames import ddl
from reference import KafkaRecord

RAW_TYPE = ddl(RAW_COLUMNS)


def raw_row(record: KafkaRecord, batch: int) -> tuple[Any, ...]:
    """Return the row of a record that landed with this batch, at the record's own time."""
    moment = datetime.fromtimestamp(record.timestamp_ms / 1000, UTC)
    headers = [tuple(header) for header in record.headers] or None
    return (
        record.topic, record.partition, record.offset, moment, 0,
        record.key, record.value, headers, batch, moment,
    )  # fmt: skip


def kafka_record(line: Mapping[str, Any]) -> KafkaRecord:
    """Return the record of a line of a record file."""
    return KafkaRecord(
        line["topic"],
        line["partition"],
        line["offset"],
        line["timestamp"],
        line["key"],
        line["value"],
        tuple((header["key"], header["value"]) for header in line.get("headers") or []),
    )
