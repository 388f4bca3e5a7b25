"""One landing run, from an input to the frame that the materialization appends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from dbt_debezium_spark.config import KafkaInput, SourceConfig, TableInput, input_location
from dbt_debezium_spark.config.lateness import heartbeat_topic
from dbt_debezium_spark.config.sink_layouts import RECORDS
from dbt_debezium_spark.landing import duplicates, ledger, rejections
from dbt_debezium_spark.landing.avro_rows import AvroRows
from dbt_debezium_spark.landing.files_origin import FilesOrigin
from dbt_debezium_spark.landing.kafka_origin import KafkaOrigin
from dbt_debezium_spark.landing.ledger import OffsetRange
from dbt_debezium_spark.landing.origin import LandingState, Origin
from dbt_debezium_spark.landing.parquet_files import ParquetColumns
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.schemas import PLACE_COLUMNS, RAW_COLUMNS, RECORD_COLUMNS
from dbt_debezium_spark.landing.sinks.sink_origin import SinkOrigin
from dbt_debezium_spark.landing.table_origin import TableOrigin
from dbt_debezium_spark.landing.tables import Tables, create_side_tables, tables_of
from dbt_debezium_spark.local_frames import ddl, local_frame
from dbt_debezium_spark.progress import counted, report

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_RECORD_FRAME = [*PLACE_COLUMNS, *RECORD_COLUMNS]


@dataclass
class Landing:
    """What a raw model returns.

    Attributes:
        frame: the new records with the raw table's columns, or None if there are none.
        commit: writes the ledger, after `frame` was appended. A second call does nothing.
    """

    frame: DataFrame | None
    commit: Callable[[], None]


def land(dbt: Any, session: SparkSession, source: str) -> Landing:
    """Find the records of a source that have not landed yet.

    Args:
        dbt: dbt's object for Python models; the materialization adds `debezium_source` (the
            source's validated configuration), `project_dir` (absolute), and `debezium_file_format`
            (`iceberg` or `delta`) for the side tables.
        session: Spark.
        source: name of the source, as in the var `debezium_sources`.

    Raises:
        ValueError: the model names another source than the configuration.
    """
    config = SourceConfig.from_dict(dbt.debezium_source)
    if config.name != source:
        raise ValueError(
            f"debezium_spark: the model lands source `{source}` but has the configuration of "
            f"`{config.name}`. Name the model `raw_{source}`."
        )
    tables = tables_of(dbt.this.schema, dbt.this.identifier)
    # Records are cached until they are appended, and their texts rarely repeat: compression would
    # only look for repetitions. The session is the model's own.
    session.conf.set("spark.sql.inMemoryColumnarStorage.compressed", "false")
    file_format = getattr(dbt, "debezium_file_format", None) or "iceberg"
    avro = AvroRows(config.avro, tables.schemas, file_format) if config.avro else None
    return find_new_records(
        session,
        tables,
        source=source,
        origin=_origin(config, str(dbt.project_dir), avro),
        boundaries=config.incarnations,
        file_format=file_format,
        now=datetime.now(UTC),
    )


def _origin(config: SourceConfig, project_dir: str, avro: AvroRows | None) -> Origin:
    if isinstance(config.input, KafkaInput):
        pattern = config.input.pattern(config.topic_prefix, heartbeat_topic(config.to_dict()))
        return KafkaOrigin(config.name, config.input, pattern, avro)
    if isinstance(config.input, TableInput):
        return TableOrigin(config.name, config.input, avro, config.topic_prefix)
    location = input_location(config.input.path, project_dir)
    if config.input.layout != RECORDS:
        return SinkOrigin(config.name, location, project_dir, config.input, avro)
    return FilesOrigin(
        config.name,
        location,
        project_dir,
        avro,
        config.input.max_line_bytes,
        ParquetColumns(config.input.columns, config.input.nested),
    )


def find_new_records(
    session: SparkSession,
    tables: Tables,
    *,
    source: str,
    origin: Origin,
    boundaries: Sequence[str],
    file_format: str,
    now: datetime,
) -> Landing:
    """Do one run, with the steps that the package's docstring lists.

    Args:
        session: Spark.
        tables: the raw table and its side tables.
        source: name of the source, for messages.
        origin: input of the records.
        boundaries: start of each later incarnation, ISO timestamps in UTC.
        file_format: file format of the side tables.
        now: time of the run.
    """
    create_side_tables(session, tables, file_format)
    entries = session.table(tables.ledger)
    ledger_batch, recorded = ledger.last_batch(entries)
    raw = session.table(tables.raw) if session.catalog.tableExists(tables.raw) else None
    # Both formats compute this from metadata.
    raw_batch = raw.agg(F.max("_cdc_batch_id")).collect()[0][0] if raw is not None else None
    if raw_batch is None:
        if recorded:
            report(f"{tables.raw} is empty although records have landed: landing all of them again")
        # The entries describe a raw table that does not exist any more.
        entries = entries.where("false")
    unrecorded_ranges: dict[tuple[str, int], OffsetRange] = {}
    if raw is not None and raw_batch is not None and raw_batch > ledger_batch:
        unrecorded_ranges = _ranges_after(raw, ledger_batch)
    last_batch = max(ledger_batch, raw_batch or 0)
    state = LandingState(raw if raw_batch is not None else None, entries, unrecorded_ranges)

    open_rejections, open_foreign = rejections.count_open(session, tables.rejected)
    conflicts, conflict_ranges = _conflicts_to_retry(session, tables, boundaries, now)
    reading = origin.read(session, tables, state, has_open_foreign_files=open_foreign > 0)
    if not reading.entries and not reading.rejections and conflicts is None and raw is not None:
        return Landing(None, lambda: None)
    try:
        return _finish(
            session,
            tables,
            source=source,
            raw=raw,
            state=state,
            reading=reading,
            conflicts=conflicts,
            conflict_ranges=conflict_ranges,
            boundaries=boundaries,
            last_batch=last_batch,
            open_rejections=open_rejections,
            now=now,
        )
    except BaseException:
        reading.release()
        raise


def _ranges_after(raw: DataFrame, ledger_batch: int) -> dict[tuple[str, int], OffsetRange]:
    """Return the ranges that landed without a ledger entry.

    They exist if a run ended after the append and before it wrote the ledger.
    """
    rows = (
        raw.where(F.col("_cdc_batch_id") > ledger_batch)
        .groupBy("topic", "partition")
        .agg(F.min("offset").alias("lowest"), F.max("offset").alias("highest"))
        .collect()
    )
    return {
        (row.topic, row.partition): OffsetRange(row.topic, row.partition, row.lowest, row.highest)
        for row in rows
    }


def _conflicts_to_retry(
    session: SparkSession, tables: Tables, boundaries: Sequence[str], now: datetime
) -> tuple[DataFrame | None, list[OffsetRange]]:
    """Return the open conflicts and their ranges, if a boundary may explain one of them."""
    if not boundaries:
        return None, []
    conflicts = rejections.open_conflicts(session, tables.rejected, now)
    rows = (
        conflicts.groupBy("topic", "partition")
        .agg(F.min("offset").alias("lowest"), F.max("offset").alias("highest"), F.count("*"))
        .collect()
    )
    ranges = [OffsetRange(row[0], row[1], row[2], row[3], row[4]) for row in rows]
    return (conflicts if ranges else None), ranges


def _finish(
    session: SparkSession,
    tables: Tables,
    *,
    source: str,
    raw: DataFrame | None,
    state: LandingState,
    reading: Reading,
    conflicts: DataFrame | None,
    conflict_ranges: Sequence[OffsetRange],
    boundaries: Sequence[str],
    last_batch: int,
    open_rejections: int,
    now: datetime,
) -> Landing:
    records = reading.records
    if conflicts is not None:
        retried = conflicts.select(*_RECORD_FRAME)
        records = retried if records is None else records.unionByName(retried)
    total = reading.record_count + sum(offset_range.records for offset_range in conflict_ranges)
    batch_id = last_batch + 1

    ranges = _merged_ranges(
        [offset_range for entry in reading.entries.values() for offset_range in entry.ranges]
        + list(conflict_ranges)
    )
    landed = None
    if raw is not None and ranges:
        shared = _shared_ranges(session, state, ranges)
        landed = duplicates.landed_records(raw, shared) if shared else None

    repeated: DataFrame | None = None
    repeats: dict[tuple[str, str], int] = {}
    if records is not None and total:
        # The first run of a source usually has no repeats: check before comparing contents.
        is_unique = reading.has_unique_offsets and conflicts is None
        if landed is not None or (
            not is_unique and duplicates.has_repeated_identity(records, boundaries)
        ):
            # No cache: Spark would compute it anew after the append to the raw table, and keep it.
            repeated = duplicates.repeated_records(
                records, landed, boundaries, reading.content
            ).localCheckpoint()
            repeats = {
                (row.path, row.verdict): row.n
                for row in repeated.groupBy("path", "verdict")
                .agg(F.count("*").alias("n"))
                .collect()
            }
    new_count = total - sum(repeats.values())

    rejected = list(reading.rejections)
    has_new_conflicts = any(
        verdict == duplicates.CONFLICTING and path in reading.entries for path, verdict in repeats
    )
    if has_new_conflicts:
        assert records is not None and repeated is not None
        conflicting = repeated.where(F.col("verdict") == duplicates.CONFLICTING)
        contradicting = records.join(conflicting, ["path", "seq"], "left_semi")
        rejected.append(rejections.conflict_rejections(reading.located(contradicting)))
    added = 0
    if rejected or open_rejections:
        added = rejections.write_rejections(
            session, tables.rejected, rejected, reading.files, batch_id, now
        )

    for path, entry in reading.entries.items():
        entry.landed = entry.records - sum(
            repeats.get((path, verdict), 0)
            for verdict in (duplicates.REDELIVERED, duplicates.CONFLICTING)
        )
    explained = _explained_ids(conflicts, repeats)
    report(
        f"{source}: {counted(new_count, 'new record')}, "
        f"{counted(total - new_count, 'repeated record')}, {added:,} newly rejected"
    )

    frame: DataFrame | None = None
    if new_count and records is not None:
        new = records
        if repeated is not None:
            new = records.join(repeated.select("path", "seq"), ["path", "seq"], "left_anti")
        frame = new.select(
            *RECORD_COLUMNS,
            F.lit(batch_id).cast("bigint").alias("_cdc_batch_id"),
            F.lit(now).alias("_cdc_landed_at"),
        )
    elif raw is None:
        frame = local_frame(session, [], ddl(RAW_COLUMNS))

    def commit() -> None:
        rejections.delete(session, tables.rejected, explained)
        entry_batch = batch_id if new_count else last_batch
        ledger.add_entries(session, tables.ledger, reading.entries.values(), entry_batch, now)
        reading.release()

    if frame is None:
        # Nothing is appended, so the ledger is written at once, and the files are not read again.
        commit()
        return Landing(None, lambda: None)
    return Landing(frame, _once(commit))


def _shared_ranges(
    session: SparkSession, state: LandingState, ranges: Sequence[OffsetRange]
) -> list[OffsetRange]:
    """Return the ranges of this run in which records landed before."""
    shared = set(ledger.overlapping(session, state.ledger, ranges))
    for offset_range in ranges:
        unrecorded = state.unrecorded_ranges.get((offset_range.topic, offset_range.partition))
        if (
            unrecorded is not None
            and unrecorded.min_offset <= offset_range.max_offset
            and unrecorded.max_offset >= offset_range.min_offset
        ):
            shared.add(
                OffsetRange(
                    offset_range.topic,
                    offset_range.partition,
                    offset_range.min_offset,
                    offset_range.max_offset,
                )
            )
    return sorted(shared, key=lambda one: (one.topic, one.partition))


def _merged_ranges(ranges: Sequence[OffsetRange]) -> list[OffsetRange]:
    merged: dict[tuple[str, int], OffsetRange] = {}
    for offset_range in ranges:
        previous = merged.get((offset_range.topic, offset_range.partition), offset_range)
        merged[(offset_range.topic, offset_range.partition)] = OffsetRange(
            offset_range.topic,
            offset_range.partition,
            min(offset_range.min_offset, previous.min_offset),
            max(offset_range.max_offset, previous.max_offset),
        )
    return list(merged.values())


def _explained_ids(conflicts: DataFrame | None, repeats: dict[tuple[str, str], int]) -> list[str]:
    """Return the ids of open conflicts that a boundary explains now."""
    if conflicts is None:
        return []
    return [
        row.rejection_id
        for row in conflicts.select("path", "rejection_id").collect()
        if (row.path, duplicates.CONFLICTING) not in repeats
    ]


def _once(action: Callable[[], None]) -> Callable[[], None]:
    done = False

    def act() -> None:
        nonlocal done
        if not done:
            action()
            done = True

    return act
