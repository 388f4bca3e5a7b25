"""What a broker holds, asked through Spark: a remote cluster reaches it where this process may not.

Spark's Kafka source tells offsets only of what it reads. A stream with a limit of one record per
run reports, with its first micro-batch, where every partition ends and where that batch ends: one
past its first offset. Its progress is a public interface, and works on Spark Connect.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# Spark's error of the class KAFKA_DATA_LOSS; where a task raises it, only its words arrive.
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
    """Offsets of a partition from `start`, `EARLIEST` for the first there is, to below `end`."""

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
        Spans; `start` is the first offset there is, or one before it when there is none. Nothing
        when there is no matching topic.

    Raises:
        StreamingQueryException: Spark cannot reach the brokers, or may not read.
    """
    stream = (
        session.readStream.format("kafka")
        .options(**options)
        # Spark searches for the pattern; a topic is meant by its whole name.
        .option("subscribePattern", f"^(?:{pattern})$")
        .option("startingOffsets", "earliest")
        .option("maxOffsetsPerTrigger", "1")
        .option("failOnDataLoss", "false")
        .load()
    )
    query = stream.select("offset").writeStream.format("noop").trigger(availableNow=True).start()
    try:
        while query.lastProgress is None and not query.awaitTermination(_POLL_SECONDS):
            pass
        progress = query.lastProgress
    finally:
        query.stop()
    if progress is None:
        return {}
    source = json.loads(progress.json)["sources"][0]
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
        spans: none of them empty.
        fails_on_data_loss: whether the frame fails when a span begins before the first offset
            that there is; without, it begins there. Offsets that compaction or transactions left
            without a record are no loss.
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


def expired(
    session: SparkSession, options: Mapping[str, str], spans: Mapping[Partition, Span]
) -> list[Partition]:
    """Return those partitions whose span begins before the first offset that there is.

    A partition that is not there any more is none of them.
    """
    said = _read_strictly(session, options, spans) if spans else ""
    if not said:
        return []
    if len(spans) == 1:
        return list(spans) if said == DATA_LOSS else []
    return [one for one, span in spans.items() if expired(session, options, {one: span})]


def _read_strictly(
    session: SparkSession, options: Mapping[str, str], spans: Mapping[Partition, Span]
) -> str:
    """Read spans that must all be there, and return what Spark says against it, if anything."""
    try:
        records(session, options, spans, fails_on_data_loss=True).select("offset").count()
    except Exception as error:  # a failed task reaches Python as py4j's or Spark's error
        found = next((code for code in (DATA_LOSS, UNKNOWN_TOPIC) if code in str(error)), None)
        if found is None:
            raise
        return found
    return ""


def _offsets(described: Any) -> dict[Partition, int]:
    """Return what Spark writes as `{"topic": {"0": 12}}`, as text or already read."""
    by_topic = json.loads(described) if isinstance(described, str) else described or {}
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
