"""Offsets and records of a broker, read by Spark: this process may not reach the broker itself.

Spark's Kafka source reports offsets only of what it reads. A stream with a limit of one record per
run reports with its first micro-batch the end of every partition, and the end of that batch, which
is one past the first offset. This progress report is a public interface, also in Spark Connect.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Text of Spark's error class KAFKA_DATA_LOSS; an error in a task arrives without its class.
DATA_LOSS = "Some data may have been lost"
UNKNOWN_TOPIC = "UnknownTopicOrPartition"
EARLIEST = -2
_POLL_SECONDS = 0.1


class Partition(NamedTuple):
    """One partition of a topic."""

    topic: str
    number: int


@dataclass(frozen=True)
class Span:
    """Offsets of a partition from `start` (or `EARLIEST`) to below `end`."""

    start: int
    end: int


def available(
    session: SparkSession, options: Mapping[str, str], pattern: str
) -> dict[Partition, Span]:
    """Return the offsets of every partition.

    Args:
        session: Spark.
        options: connection options of Spark's Kafka source.
        pattern: Java regular expression of topics.

    Returns:
        Spans; `start` is the first available offset, or one before `end` if there is none. Empty
        if no topic matches.

    Raises:
        StreamingQueryException: Spark cannot reach the brokers, or has no permission to read.
    """
    stream = (
        session.readStream.format("kafka")
        .options(**options)
        # Spark matches any part of a name; the pattern is for the whole name.
        .option("subscribePattern", f"^(?:{pattern})$")
        .option("startingOffsets", "earliest")
        .option("maxOffsetsPerTrigger", "1")
        .option("failOnDataLoss", "false")
        .load()
    )
    query = stream.select("offset").writeStream.format("noop").trigger(availableNow=True).start()
    try:
        while not query.recentProgress and not query.awaitTermination(_POLL_SECONDS):
            pass
        # the last report can be of a later micro-batch, which ends further on
        progress = query.recentProgress[:1]
    finally:
        query.stop()
    if not progress:
        return {}
    source = json.loads(progress[0].json)["sources"][0]
    ends = _offsets(source["latestOffset"])
    first_batch = _offsets(source["endOffset"])
    return {partition: Span(first_batch[partition] - 1, end) for partition, end in ends.items()}


def records(
    session: SparkSession,
    options: Mapping[str, str],
    spans: Mapping[Partition, Span],
    *,
    fails_on_data_loss: bool = False,
) -> DataFrame:
    """Return the records of some spans, with Kafka's columns; key and value as bytes.

    Args:
        session: Spark.
        options: connection options of Spark's Kafka source.
        spans: offsets to read; no span is empty.
        fails_on_data_loss: whether the frame fails if a span begins before the first available
            offset. Otherwise it begins there. Offsets without a record, which compaction and
            transactions leave, are no loss.
    """
    return (
        session.read.format("kafka")
        .options(**options)
        .option("assign", _as_json(_numbers(spans)))
        .option("startingOffsets", _as_json(_by_topic({p: s.start for p, s in spans.items()})))
        .option("endingOffsets", _as_json(_by_topic({p: s.end for p, s in spans.items()})))
        .option("failOnDataLoss", str(fails_on_data_loss).lower())
        .option("includeHeaders", "true")
        .load()
    )


def expired_partitions(
    session: SparkSession, options: Mapping[str, str], spans: Mapping[Partition, Span]
) -> list[Partition]:
    """Return the partitions whose span begins before the first available offset.

    They do not include partitions that no longer exist.
    """
    error = _strict_read_error(session, options, spans) if spans else ""
    if not error:
        return []
    if len(spans) == 1:
        return list(spans) if error == DATA_LOSS else []
    return [
        partition
        for partition, span in spans.items()
        if expired_partitions(session, options, {partition: span})
    ]


def _strict_read_error(
    session: SparkSession, options: Mapping[str, str], spans: Mapping[Partition, Span]
) -> str:
    """Read spans that must exist; return the code of Spark's error, or an empty text."""
    try:
        records(session, options, spans, fails_on_data_loss=True).select("offset").count()
    except Exception as error:  # an error of py4j or Spark
        code = next((code for code in (DATA_LOSS, UNKNOWN_TOPIC) if code in str(error)), None)
        if code is None:
            raise
        return code
    return ""


def _offsets(value: Any) -> dict[Partition, int]:
    """Return offsets that Spark writes as `{"topic": {"0": 12}}`, as text or as an object."""
    by_topic = json.loads(value) if isinstance(value, str) else value or {}
    return {
        Partition(topic, int(number)): offset
        for topic, numbers in by_topic.items()
        for number, offset in numbers.items()
    }


def _by_topic(offsets: Mapping[Partition, int]) -> dict[str, dict[str, int]]:
    by_topic: dict[str, dict[str, int]] = {}
    for partition, offset in offsets.items():
        by_topic.setdefault(partition.topic, {})[str(partition.number)] = offset
    return by_topic


def _numbers(partitions: Mapping[Partition, Span]) -> dict[str, Sequence[int]]:
    return {
        topic: [int(number) for number in numbers]
        for topic, numbers in _by_topic(dict.fromkeys(partitions, 0)).items()
    }


def _as_json(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
