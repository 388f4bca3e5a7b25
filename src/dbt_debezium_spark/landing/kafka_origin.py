"""Kafka topics as the origin of records.

Where each partition was left stands in the ledger, and where that lacks the last run's entry, in
the raw table itself: the append commits data and progress at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from dbt_debezium_spark.avro.errors import RegistryError
from dbt_debezium_spark.config import ConfigError, KafkaInput
from dbt_debezium_spark.landing import duplicates, kafka_broker
from dbt_debezium_spark.landing.avro_rows import AvroRows
from dbt_debezium_spark.landing.kafka_broker import Partition, Span
from dbt_debezium_spark.landing.kafka_plan import Progress, spans_to_read
from dbt_debezium_spark.landing.ledger import Entry, OffsetRange
from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.origin import Landed
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.row_reading import read_rows
from dbt_debezium_spark.landing.tables import Tables
from dbt_debezium_spark.local_frames import local_frame
from dbt_debezium_spark.progress import counted, say

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

KIND = "kafka"
EXPIRED = "expired_offsets"
# Records of transactions that were aborted are no records. Brokers that do not answer are told
# soon; whoever needs other values sets them in `options`.
DEFAULT_OPTIONS = {
    "kafka.isolation.level": "read_committed",
    "kafka.default.api.timeout.ms": "30000",
    "fetchOffset.numRetries": "2",
}


@dataclass(frozen=True)
class KafkaOrigin:
    """The topics of one source."""

    source: str
    input: KafkaInput
    topic_prefix: str
    avro: AvroRows | None = None

    def read(
        self,
        session: SparkSession,
        tables: Tables,
        landed: Landed,
        *,
        has_open_foreign_files: bool,
    ) -> Reading:
        """Read what the brokers hold beyond what was read before.

        Raises:
            RegistryError: a schema of records in Avro is not to be had.
            RuntimeError: Spark has no Kafka source, the brokers do not answer, or refuse; no value
                of `options_from_env` stands in the text.
        """
        try:
            return self._read(session, landed)
        except (RegistryError, ConfigError):
            raise
        except Exception as error:  # py4j's, Spark's or a stream's
            raise RuntimeError(self._explained(error)) from None

    def _read(self, session: SparkSession, landed: Landed) -> Reading:
        options = {
            **DEFAULT_OPTIONS,
            **self.input.options,
            **self.input.secrets(),
            "kafka.bootstrap.servers": self.input.brokers,
        }
        pattern = self.input.pattern(self.topic_prefix)
        progress = _progress(landed)
        held = kafka_broker.available(session, options, pattern)
        created_anew = self._created_anew(session, options, landed, held, progress)
        for one in sorted(created_anew):
            say(
                f"{self.source}: {one.topic}, partition {one.number}, was created anew: its offsets"
                " started again. What differs from what landed is kept aside until the moment is"
                " declared in `incarnations`"
            )
        spans = spans_to_read(held, progress, created_anew, self.input.max_records_per_run)
        if not spans:
            there = "no new records" if held else f"there is no topic like `{pattern}`"
            say(f"{self.source}: {there}")
            return Reading(records=None, entries={})
        offsets = sum(one.end - max(one.start, held[key].start) for key, one in spans.items())
        say(
            f"{self.source}: reading {counted(offsets, 'offset')} of"
            f" {counted(len(spans), 'partition')}"
        )
        rows = kafka_broker.records(session, options, spans)
        reading, found = read_rows(session, rows, kind=KIND, seq=F.col("offset"), avro=self.avro)
        reading.has_unique_offsets = True
        try:
            by_partition = {Partition(row.topic, row.partition): row for row in found}
            reading.entries = _entries(spans, by_partition)
            gaps = _gaps(session, options, spans, by_partition, progress, created_anew)
            reading.rejections += _gap_rows(session, gaps)
        except BaseException:
            reading.release()
            raise
        return reading

    def _created_anew(
        self,
        session: SparkSession,
        options: Mapping[str, str],
        landed: Landed,
        held: Mapping[Partition, Span],
        progress: Mapping[Partition, Progress],
    ) -> frozenset[Partition]:
        """Return the partitions whose offsets started again.

        Their end is below what was read, or the last record that landed is another one now. A
        record that expired or was compacted away says nothing.
        """
        anew = set()
        last = {}
        for partition, known in progress.items():
            if partition not in held:
                continue
            if held[partition].end < known.next_offset:
                anew.add(partition)
            elif held[partition].end > known.next_offset and known.last_landed is not None:
                last[partition] = Span(known.last_landed, known.last_landed + 1)
        if last and landed.raw is not None:
            ranges = [
                OffsetRange(one.topic, one.number, s.start, s.start) for one, s in last.items()
            ]
            before = (
                duplicates.landed_within(landed.raw, ranges)
                .groupBy("topic", "partition", "offset")
                .agg(F.collect_set(duplicates.content_hash()).alias("landed"))
            )
            rows = kafka_broker.records(session, options, last)
            if self.avro is not None:
                rows = self.avro.decoded(session, rows)
            texts = [F.col(name).cast("string").alias(name) for name in ("key", "value")]
            now = rows.select("topic", "partition", "offset", *texts)
            differing = (
                now.join(F.broadcast(before), ["topic", "partition", "offset"])
                .where(~F.array_contains("landed", duplicates.content_hash()))
                .select("topic", "partition")
                .collect()
            )
            anew |= {Partition(row.topic, row.partition) for row in differing}
        return frozenset(anew)

    def _explained(self, error: Exception) -> str:
        text = str(error)
        for value in self.input.secrets().values():
            if value:
                text = text.replace(value, "***")
        if "find the data source: kafka" in text or "find data source: kafka" in text:
            return (
                f"debezium_spark: source `{self.source}` reads Kafka, and Spark was started without"
                " its Kafka source. Run it in a new process, or add"
                " org.apache.spark:spark-sql-kafka-0-10 to the cluster."
            )
        return (
            f"debezium_spark: source `{self.source}` could not read from the brokers"
            f" `{self.input.brokers}`: {text}\nCheck `input.brokers`, the network from Spark to"
            " them, and the security options."
        )


def _progress(landed: Landed) -> dict[Partition, Progress]:
    """Return how far each partition was read; by files or a table before, too."""
    ranges = landed.history.select(
        "path", "size", "_cdc_landed_at", F.explode_outer("ranges").alias("range")
    ).select("path", "size", "_cdc_landed_at", "range.*")
    others = (
        ranges.where(~F.startswith("path", F.lit(f"{KIND}:")) & F.col("topic").isNotNull())
        .groupBy("topic", "partition")
        .agg(F.max("max_offset").alias("last"))
        .collect()
    )
    progress = {
        Partition(row.topic, row.partition): Progress(row.last + 1, row.last) for row in others
    }
    mine = (
        ranges.where(F.startswith("path", F.lit(f"{KIND}:")))
        .groupBy("path")
        .agg(
            F.max_by("size", "_cdc_landed_at").alias("next"),
            F.expr("max_by(max_offset, _cdc_landed_at) filter (where topic is not null)").alias(
                "last"
            ),
        )
        .collect()
    )
    for row in mine:
        topic, number = row.path.removeprefix(f"{KIND}:").rsplit("/", 1)
        progress[Partition(topic, int(number))] = Progress(row.next, row.last)
    for (topic, number), crashed in landed.crashed_ranges.items():
        progress[Partition(topic, number)] = Progress(crashed.max_offset + 1, crashed.max_offset)
    return progress


def _entries(spans: Mapping[Partition, Span], found: Mapping[Partition, Any]) -> dict[str, Entry]:
    now = datetime.now(UTC)
    entries = {}
    for partition, span in spans.items():
        path = f"{KIND}:{partition.topic}/{partition.number}"
        # `size` is the offset at which the next run begins.
        entry = Entry(File(path, path, span.end, now))
        row = found.get(partition)
        if row is not None:
            entry.lines = entry.records = row.rows
            entry.ranges.append(OffsetRange(*partition, row.min_offset, row.max_offset, row.rows))
        entries[path] = entry
    return entries


def _gaps(
    session: SparkSession,
    options: Mapping[str, str],
    spans: Mapping[Partition, Span],
    found: Mapping[Partition, Any],
    progress: Mapping[Partition, Progress],
    created_anew: frozenset[Partition],
) -> dict[Partition, Span]:
    """Return the offsets that had expired before this run could read them."""
    missing = {}
    for partition, span in spans.items():
        if partition not in progress or partition in created_anew:
            continue
        row = found.get(partition)
        first = row.min_offset if row is not None else span.end
        if first > span.start:
            missing[partition] = Span(span.start, first)
    # Without a loss compaction took the records, or a transaction's end has the offset.
    return {one: missing[one] for one in kafka_broker.expired(session, options, missing)}


def _gap_rows(session: SparkSession, gaps: Mapping[Partition, Span]) -> list[DataFrame]:
    if not gaps:
        return []
    rows: Iterable[tuple[Any, ...]] = [
        (
            f"{EXPIRED}: offsets {span.start} to {span.end - 1} had expired before they could land",
            *partition,
            span.start,
        )
        for partition, span in gaps.items()
    ]
    frame = local_frame(
        session, list(rows), "reason string, topic string, partition int, offset bigint"
    )
    identity = F.concat_ws("\x01", "reason", "topic", "partition")
    return [frame.withColumn("rejection_id", F.sha2(identity, 256))]
