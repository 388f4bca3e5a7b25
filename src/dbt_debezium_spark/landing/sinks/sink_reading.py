"""Read sets of files that a sink wrote: records, counts, and rejections."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.avro.errors import RegistryError
from dbt_debezium_spark.config import ConfigError
from dbt_debezium_spark.config.input_files import FilesInput
from dbt_debezium_spark.landing.avro_rows import AvroRows
from dbt_debezium_spark.landing.file_problems import broken_and_missing, unreadable_files
from dbt_debezium_spark.landing.ledger import Entry, OffsetRange
from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.reading import reject_files, skipped_lines
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.rejections import FOREIGN, line_rejections
from dbt_debezium_spark.landing.schemas import PLACE_COLUMNS, RECORD_COLUMNS
from dbt_debezium_spark.landing.sinks.file_sets import FileSet, SinkFile
from dbt_debezium_spark.landing.sinks.forms import (
    PARQUET,
    FormSource,
    form_of,
    sidecar_rows,
    value_rows,
)
from dbt_debezium_spark.landing.sinks.names import SIDECARS
from dbt_debezium_spark.landing.sinks.parquet_items import rows_as_written
from dbt_debezium_spark.landing.sinks.records import checked, with_sidecars
from dbt_debezium_spark.landing.text_lines import OVERSIZED, RECORD, REJECTED
from dbt_debezium_spark.local_frames import local_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass
class SinkReader:
    """Reads the files of one run.

    Attributes:
        session: Spark.
        input: the source's input.
        avro: decodes keys and values with a registry's schemas; None for text.
        refused: by uri the reason not to read a file.
        others: files that are not read, but have an entry.
    """

    session: SparkSession
    input: FilesInput
    avro: AvroRows | None
    refused: dict[str, str] = field(default_factory=dict)
    others: Sequence[SinkFile] = ()

    def read(self, sets: Sequence[FileSet]) -> Reading:
        """Read every set; reject a file that cannot be read, and read the others."""
        try:
            return self._read(sets)
        except (RegistryError, ConfigError):
            raise
        except Exception:  # some failures of the JVM reach Python as errors of py4j
            # One broken or removed file makes the whole query fail.
            files = _files_of(sets)
            parquet = [one.file for one in files if self._is_parquet(one)]
            lines = [one.file for one in files if not self._is_parquet(one)]
            broken, missing = broken_and_missing(
                parquet, lambda file: rows_as_written(self.session, file.readable_path)
            )
            if not broken and not missing:
                broken, missing = unreadable_files(self.session, lines, [])
            if not broken and not missing:
                raise
        self.refused = {**self.refused, **broken}
        unread = {*broken, *missing}
        kept = [one for one in sets if not any(file.file.uri in unread for file in one.files)]
        self.others = [
            *self.others,
            *[one for one in _files_of(sets) if one.file.uri in broken],
        ]
        return self._read(kept)

    def _is_parquet(self, one: SinkFile) -> bool:
        return form_of(one.name.suffix, self.input) == PARQUET

    def _read(self, sets: Sequence[FileSet]) -> Reading:
        files = [*_files_of(sets), *self.others]
        reading = Reading(
            records=None,
            entries={one.file.uri: Entry(one.file) for one in files},
            files=[one.file.name for one in files],
        )
        try:
            reasons = {
                uri: f"{FOREIGN}: {why}"
                for uri, why in self.refused.items()
                if uri in reading.entries
            }
            if sets:
                self._fill(reading, sets, reasons)
            skipped = skipped_lines(reading, self.input.max_line_bytes)
            reasons |= {uri: f"{OVERSIZED}: {why}" for uri, why in skipped}
            reject_files(self.session, reading, list(reasons.items()))
        except BaseException:
            reading.release()
            raise
        return reading

    def source(self, reasons: dict[str, str]) -> FormSource:
        """Return what the forms of files need; they add reasons not to read a file."""
        return FormSource(self.input, self.avro, reasons)

    def _fill(self, reading: Reading, sets: Sequence[FileSet], reasons: dict[str, str]) -> None:
        rows = value_rows(self.session, reading, [one.values for one in sets], self.source(reasons))
        beside: dict[str, DataFrame] = {}
        for part in SIDECARS:
            files = [one.sidecars[part] for one in sets if part in one.sidecars]
            if files:
                beside[part] = sidecar_rows(
                    self.session, reading, files, part, self.source(reasons)
                )
        upstream = list(reading.persisted)
        everything = checked(with_sidecars(self.session, rows, sets, beside)).persist()
        reading.persisted.append(everything)
        self._count(reading, everything, reasons)
        for part, frame in beside.items():
            files = [one.sidecars[part] for one in sets if part in one.sidecars]
            wrong = frame.where("reason is not null")
            reading.rejections.append(self._rejections([one.file for one in files], wrong))
        if not beside:
            # What the rows were made of is not needed any more.
            for made_of in upstream:
                made_of.unpersist()
            reading.persisted = [everything]

    def _count(self, reading: Reading, everything: DataFrame, reasons: dict[str, str]) -> None:
        counts = (
            everything.groupBy("path", "topic", "partition", "state")
            .agg(
                F.count("*").alias("rows"),
                F.min("offset").alias("min_offset"),
                F.max("offset").alias("max_offset"),
            )
            .collect()
        )
        rejected: dict[str, int] = defaultdict(int)
        rows: dict[str, int] = defaultdict(int)
        for row in counts:
            entry = reading.entries[row.path]
            rows[row.path] += row.rows
            if row.state == REJECTED:
                rejected[row.path] += row.rows
                continue
            entry.records += row.rows
            entry.ranges.append(
                OffsetRange(row.topic, row.partition, row.min_offset, row.max_offset, row.rows)
            )
        entries = {path: reading.entries[path] for path in rows}
        for path, entry in entries.items():
            # A file of anything else would be rejected line by line.
            if entry.records == 0 and entry.lines and not entry.file.is_named_like_records:
                reasons[path] = f"{FOREIGN}: none of its {entry.lines} lines is a record"
                rejected.pop(path, None)
            entry.lines = entry.lines or rows[path]
        files = [entry.file for entry in entries.values()]
        # Rows are numbered already, so each file is one block.
        reading.blocks = local_frame(
            self.session,
            [(file.uri, 0, file.name, 1) for file in files],
            "path string, block bigint, file string, shift bigint",
        )
        records = everything.where(F.col("state") == RECORD)
        reading.records = records.select(
            "path",
            F.lit(0).cast("bigint").alias("block"),
            (F.col("line") - 1).alias("seq"),
            *RECORD_COLUMNS,
        ).select(*PLACE_COLUMNS, *RECORD_COLUMNS)
        if rejected:
            is_wrong = (F.col("state") == REJECTED) & F.col("path").isin(list(rejected))
            reading.rejections.append(self._rejections(files, everything.where(is_wrong)))

    def _rejections(self, files: Sequence[File], rows: DataFrame) -> DataFrame:
        names = local_frame(
            self.session, [(file.uri, file.name) for file in files], "path string, file string"
        )
        return line_rejections(
            rows.join(F.broadcast(names), "path").select(
                "file", "line", "reason", "content", "content_hash"
            )
        )


def _files_of(sets: Sequence[FileSet]) -> list[SinkFile]:
    return [file for one in sets for file in one.files]
