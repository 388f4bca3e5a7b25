"""Kafka topics as the origin of records.

The ledger contains the next offset of each partition. If it lacks the entry of the last run, the
raw table itself shows the offset: one append commits records and progress.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.config import ConfigError, KafkaInput
from dbt_debezium_spark.config.errors import InputError
from dbt_debezium_spark.landing import kafka_broker
from dbt_debezium_spark.landing.kafka_broker import Partition, Span
from dbt_debezium_spark.landing.kafka_plan import Progress, remaining_offsets, spans_to_read
from dbt_debezium_spark.landing.ledger import Entry, OffsetRange
from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.origin import Decoder
from dbt_debezium_spark.landing.reading_result import Group, Reading
from dbt_debezium_spark.landing.rejections import Problem
from dbt_debezium_spark.landing.repeats import CONTENT_HASH, in_ranges
from dbt_debezium_spark.landing.row_reading import Sample, first_values, read_rows
from dbt_debezium_spark.landing.run import Run
from dbt_debezium_spark.landing.scratch import Scratch
from dbt_debezium_spark.text.progress import counted, report

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

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
    decoder: Decoder | None = None

    def read(self, scratch: Scratch, run: Run) -> Reading:
        """Read the records that earlier runs have not read.

        Raises:
            InputError: the registry does not return a schema of records in Avro.
            RuntimeError: Spark has no Kafka source, or the brokers do not answer or refuse. The
                text contains no value of `options_from_env`.
        """
        try:
            return self._read(scratch, run)
        except (InputError, ConfigError):
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

    def _read(self, scratch: Scratch, run: Run) -> Reading:
        session, options = scratch.session, self._options()
        progress = _progress(run)
        available = kafka_broker.available(session, options, self.topic_pattern)
        recreated = self._recreated_partitions(session, options, run, available, progress)
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
            return Reading()
        offsets = sum(
            span.end - max(span.start, available[key].start) for key, span in spans.items()
        )
        report(
            f"{self.source}: reading {counted(offsets, 'offset')} of"
            f" {counted(len(spans), 'partition')}"
        )
        rows = kafka_broker.records(session, options, spans)
        reading, groups = read_rows(
            scratch, {0: rows}, kind=KIND, seq="`offset`", decoder=self.decoder
        )
        reading.has_unique_offsets = True
        found = {Partition(group.range.topic, group.range.partition): group for group in groups}
        reading.entries = _entries(spans, found)
        remaining = remaining_offsets(available, progress, recreated, spans)
        _note_remaining(reading.entries, available, progress, remaining)
        gaps = _gaps(session, options, spans, found, progress, recreated)
        reading.problems += [
            Problem(
                None,
                f"{EXPIRED}: offsets {span.start} to {span.end - 1} had expired before they could"
                " land",
                *partition,
                span.start,
            )
            for partition, span in gaps.items()
        ]
        return reading

    def _recreated_partitions(
        self,
        session: SparkSession,
        options: Mapping[str, str],
        run: Run,
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
        if last and run.before.raw_batch is not None:
            places = [
                OffsetRange(*partition, span.start, span.start) for partition, span in last.items()
            ]
            before = session.sql(
                f"select topic, `partition`, `offset`, collect_set({CONTENT_HASH}) as landed"
                f" from {run.tables.raw} where {in_ranges(places)}"
                " group by topic, `partition`, `offset`"
            )
            rows = kafka_broker.records(session, options, last)
            if self.decoder is not None:
                rows = self.decoder.decode(session, rows)
            texts = [F.col(name).cast("string").alias(name) for name in ("key", "value")]
            now = rows.select("topic", "partition", "offset", *texts)
            differing = (
                now.join(F.broadcast(before), ["topic", "partition", "offset"])
                .where(f"not array_contains(landed, {CONTENT_HASH})")
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


def _progress(run: Run) -> dict[Partition, Progress]:
    """Return the progress of each partition, also that of an earlier input of files or a table."""
    others = run.connection.objects(
        f"""\
select entry.topic as topic, entry.`partition` as number, max(entry.max_offset) as last
from (
    select explode(ranges) as entry
    from {run.before.entries}
    where not startswith(path, '{KIND}:')
)
group by entry.topic, entry.`partition`"""
    )
    progress = {
        Partition(row["topic"], row["number"]): Progress(row["last"] + 1, row["last"])
        for row in others
    }
    ours = run.connection.objects(
        f"""\
select
    path,
    max_by(size, _cdc_landed_at) as next,
    max_by(entry.max_offset, _cdc_landed_at) filter (where entry is not null) as last
from (
    select path, size, _cdc_landed_at, explode_outer(ranges) as entry
    from {run.before.entries}
    where startswith(path, '{KIND}:')
)
group by path"""
    )
    for row in ours:
        topic, number = row["path"].removeprefix(f"{KIND}:").rsplit("/", 1)
        progress[Partition(topic, int(number))] = Progress(row["next"], row.get("last"))
    for landed in run.before.unrecorded:
        last = landed.max_offset
        progress[Partition(landed.topic, landed.partition)] = Progress(last + 1, last)
    return progress


def _entries(spans: Mapping[Partition, Span], found: Mapping[Partition, Group]) -> dict[str, Entry]:
    now = datetime.now(UTC)
    entries = {}
    for partition, span in spans.items():
        path = f"{KIND}:{partition.topic}/{partition.number}"
        # In Kafka entries `size` is the next offset to read.
        entry = Entry(File(path, path, span.end, now))
        if partition in found:
            entry.lines = entry.records = found[partition].rows
            entry.ranges.append(found[partition].range)
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
    found: Mapping[Partition, Group],
    progress: Mapping[Partition, Progress],
    recreated: frozenset[Partition],
) -> dict[Partition, Span]:
    """Return the offsets that expired before this run could read them."""
    missing = {}
    for partition, span in spans.items():
        if partition not in progress or partition in recreated:
            continue
        first = found[partition].range.min_offset if partition in found else span.end
        if first > span.start:
            missing[partition] = Span(span.start, first)
    # Without a loss, compaction removed the records, or the offset is a transaction marker.
    return {
        partition: missing[partition]
        for partition in kafka_broker.expired_partitions(session, options, missing)
    }
