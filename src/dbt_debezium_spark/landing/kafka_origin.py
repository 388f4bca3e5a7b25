"""Kafka topics as the origin of records.

The ledger contains the next offset of each partition. If it lacks the entry of the last run, the
raw table itself shows the offset: one append commits records and progress.
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
from dbt_debezium_spark.landing.kafka_plan import Progress, remaining_offsets, spans_to_read
from dbt_debezium_spark.landing.ledger import Entry, OffsetRange
from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.origin import LandingState
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.row_reading import Sample, first_values, read_rows
from dbt_debezium_spark.landing.tables import Tables
from dbt_debezium_spark.local_frames import local_frame
from dbt_debezium_spark.progress import counted, report

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

KIND = "kafka"
EXPIRED = "expired_offsets"
# Aborted transactions are not read. An unavailable broker is reported after a short time. Several
# tasks read a partition with many new records: most topics of Debezium have one partition. Users
# can set other values in `options`.
DEFAULT_OPTIONS = {
    "kafka.isolation.level": "read_committed",
    "kafka.default.api.timeout.ms": "30000",
    "fetchOffset.numRetries": "2",
    "maxRecordsPerPartition": "250000",
}


@dataclass(frozen=True)
class KafkaOrigin:
    """The topics of one source."""

    source: str
    input: KafkaInput
    topic_pattern: str
    avro: AvroRows | None = None

    def read(
        self,
        session: SparkSession,
        tables: Tables,
        state: LandingState,
        *,
        has_open_foreign_files: bool,
    ) -> Reading:
        """Read the records that earlier runs have not read.

        Raises:
            RegistryError: the registry does not return a schema of records in Avro.
            RuntimeError: Spark has no Kafka source, or the brokers do not answer or refuse. The
                text contains no value of `options_from_env`.
        """
        try:
            return self._read(session, state)
        except (RegistryError, ConfigError):
            raise
        except Exception as error:  # of py4j, Spark or a stream
            raise RuntimeError(self._error_message(error)) from None

    def sample(self, session: SparkSession, most: int) -> Sample:
        """Read the first records of all partitions.

        Args:
            session: Spark.
            most: number of offsets, over all partitions.
        """
        options = self._options()
        available = kafka_broker.available(session, options, self.topic_pattern)
        spans = spans_to_read(available, {}, frozenset(), most)
        looked = f"{len(spans)} of {counted(len(available), 'partition')}"
        if not spans:
            return Sample(looked, [])
        return Sample(looked, *first_values(kafka_broker.records(session, options, spans)))

    def _options(self) -> dict[str, str]:
        return {
            **DEFAULT_OPTIONS,
            **self.input.options,
            **self.input.secrets(),
            "kafka.bootstrap.servers": self.input.brokers,
        }

    def _read(self, session: SparkSession, state: LandingState) -> Reading:
        options = self._options()
        progress = _progress(state)
        available = kafka_broker.available(session, options, self.topic_pattern)
        recreated = self._recreated_partitions(session, options, state, available, progress)
        for partition in sorted(recreated):
            report(
                f"{self.source}: {partition.topic}, partition {partition.number}, was created"
                " again: its offsets restarted. Records that differ from landed ones are rejected"
                " until `incarnations` declares the time"
            )
        spans = spans_to_read(available, progress, recreated, self.input.max_records_per_run)
        if not spans:
            missing = f"there is no topic like `{self.topic_pattern}`"
            report(f"{self.source}: {'no new records' if available else missing}")
            return Reading(records=None, entries={})
        offsets = sum(one.end - max(one.start, available[key].start) for key, one in spans.items())
        report(
            f"{self.source}: reading {counted(offsets, 'offset')} of"
            f" {counted(len(spans), 'partition')}"
        )
        rows = kafka_broker.records(session, options, spans)
        reading, counts = read_rows(
            session, {0: rows}, kind=KIND, seq=F.col("offset"), avro=self.avro
        )
        reading.has_unique_offsets = True
        try:
            by_partition = {Partition(row.topic, row.partition): row for row in counts}
            reading.entries = _entries(spans, by_partition)
            remaining = remaining_offsets(available, progress, recreated, spans)
            _note_remaining(reading.entries, available, progress, remaining)
            gaps = _gaps(session, options, spans, by_partition, progress, recreated)
            reading.rejections += _gap_rows(session, gaps)
        except BaseException:
            reading.release()
            raise
        return reading

    def _recreated_partitions(
        self,
        session: SparkSession,
        options: Mapping[str, str],
        state: LandingState,
        available: Mapping[Partition, Span],
        progress: Mapping[Partition, Progress],
    ) -> frozenset[Partition]:
        """Return the partitions whose offsets restarted.

        Their end is below the next offset, or the offset of the last landed record has another
        record now. A record that expired or was compacted away proves nothing.
        """
        recreated = set()
        last = {}
        for partition, known in progress.items():
            if partition not in available:
                continue
            if available[partition].end < known.next_offset:
                recreated.add(partition)
            elif available[partition].end > known.next_offset and known.last_landed is not None:
                last[partition] = Span(known.last_landed, known.last_landed + 1)
        if last and state.raw is not None:
            ranges = [
                OffsetRange(one.topic, one.number, s.start, s.start) for one, s in last.items()
            ]
            before = (
                duplicates.landed_records(state.raw, ranges)
                .groupBy("topic", "partition", "offset")
                .agg(F.collect_set(duplicates.content_hash()).alias("landed"))
            )
            rows = kafka_broker.records(session, options, last)
            if self.avro is not None:
                rows = self.avro.decode(session, rows)
            texts = [F.col(name).cast("string").alias(name) for name in ("key", "value")]
            now = rows.select("topic", "partition", "offset", *texts)
            differing = (
                now.join(F.broadcast(before), ["topic", "partition", "offset"])
                .where(~F.array_contains("landed", duplicates.content_hash()))
                .select("topic", "partition")
                .collect()
            )
            recreated |= {Partition(row.topic, row.partition) for row in differing}
        return frozenset(recreated)

    def _error_message(self, error: Exception) -> str:
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


def _progress(state: LandingState) -> dict[Partition, Progress]:
    """Return the progress of each partition, also that of an earlier input of files or a table."""
    ranges = state.ledger.select(
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
    kafka_rows = (
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
    for row in kafka_rows:
        topic, number = row.path.removeprefix(f"{KIND}:").rsplit("/", 1)
        progress[Partition(topic, int(number))] = Progress(row.next, row.last)
    for (topic, number), unrecorded in state.unrecorded_ranges.items():
        progress[Partition(topic, number)] = Progress(
            unrecorded.max_offset + 1, unrecorded.max_offset
        )
    return progress


def _entries(spans: Mapping[Partition, Span], found: Mapping[Partition, Any]) -> dict[str, Entry]:
    now = datetime.now(UTC)
    entries = {}
    for partition, span in spans.items():
        path = f"{KIND}:{partition.topic}/{partition.number}"
        # In Kafka entries `size` is the next offset to read.
        entry = Entry(File(path, path, span.end, now))
        row = found.get(partition)
        if row is not None:
            entry.lines = entry.records = row.rows
            entry.ranges.append(OffsetRange(*partition, row.min_offset, row.max_offset, row.rows))
        entries[path] = entry
    return entries


def _note_remaining(
    entries: dict[str, Entry],
    available: Mapping[Partition, Span],
    progress: Mapping[Partition, Progress],
    remaining: Mapping[Partition, int],
) -> None:
    """Record what the limit leaves, also for partitions that the run does not read."""
    now = datetime.now(UTC)
    for partition, count in remaining.items():
        path = f"{KIND}:{partition.topic}/{partition.number}"
        if path not in entries:
            known = progress.get(partition)
            next_offset = available[partition].start if known is None else known.next_offset
            entries[path] = Entry(File(path, path, next_offset, now))
        entries[path].remaining = count


def _gaps(
    session: SparkSession,
    options: Mapping[str, str],
    spans: Mapping[Partition, Span],
    found: Mapping[Partition, Any],
    progress: Mapping[Partition, Progress],
    recreated: frozenset[Partition],
) -> dict[Partition, Span]:
    """Return the offsets that expired before this run could read them."""
    missing = {}
    for partition, span in spans.items():
        if partition not in progress or partition in recreated:
            continue
        row = found.get(partition)
        first = row.min_offset if row is not None else span.end
        if first > span.start:
            missing[partition] = Span(span.start, first)
    # Without a loss, compaction removed the records, or the offset is a transaction marker.
    return {one: missing[one] for one in kafka_broker.expired_partitions(session, options, missing)}


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
