"""Read sets of files that a sink wrote: records, counts, and rejections."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.config.inputs import FilesInput
from dbt_debezium_spark.inputs.avro.rows import AvroRows
from dbt_debezium_spark.inputs.sinks.file_sets import FileSet, SinkFile
from dbt_debezium_spark.inputs.sinks.forms import (
    PARQUET,
    FormSource,
    form_of,
    sidecar_rows,
    value_rows,
)
from dbt_debezium_spark.inputs.sinks.names import SIDECARS
from dbt_debezium_spark.inputs.sinks.parquet_items import rows_as_written
from dbt_debezium_spark.inputs.sinks.records import checked, rejected_rows, with_sidecars
from dbt_debezium_spark.landing.block_numbers import whole_places
from dbt_debezium_spark.landing.file_problems import broken_and_missing, unreadable_files
from dbt_debezium_spark.landing.ledger import Entry
from dbt_debezium_spark.landing.reading import read_or_find_broken, reject_files, skipped_lines
from dbt_debezium_spark.landing.reading_result import Reading, groups_of
from dbt_debezium_spark.landing.rejections import FOREIGN
from dbt_debezium_spark.landing.schemas import REJECTED
from dbt_debezium_spark.landing.scratch import Scratch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass
class SinkReader:
    """Reads the files of one run.

    Attributes:
        scratch: Spark.
        input: the source's input.
        avro: decodes keys and values with a registry's schemas; None for text.
        refused: by uri the reason not to read a file.
        others: files that are not read, but have an entry.
    """

    scratch: Scratch
    input: FilesInput
    avro: AvroRows | None
    refused: dict[str, str] = field(default_factory=dict)
    others: Sequence[SinkFile] = ()

    def read(self, sets: Sequence[FileSet]) -> Reading:
        """Read every set; reject a file that cannot be read, and read the others."""

        def read_again() -> Reading | None:
            files = _files_of(sets)
            parquet = [file.file for file in files if self._is_parquet(file)]
            lines = [file.file for file in files if not self._is_parquet(file)]
            session = self.scratch.session
            broken, missing = broken_and_missing(
                parquet, lambda file: rows_as_written(session, file.readable_path)
            )
            if not broken and not missing:
                broken, missing = unreadable_files(session, lines, [])
            if not broken and not missing:
                return None
            self.refused = {**self.refused, **broken}
            self.others = [*self.others, *[file for file in files if file.file.uri in broken]]
            unread = {*broken, *missing}
            return self._read(
                [
                    group
                    for group in sets
                    if not any(file.file.uri in unread for file in group.files)
                ]
            )

        return read_or_find_broken(self.scratch, lambda: self._read(sets), read_again)

    def _is_parquet(self, file: SinkFile) -> bool:
        return form_of(file.name.suffix, self.input) == PARQUET

    def _read(self, sets: Sequence[FileSet]) -> Reading:
        files = [*_files_of(sets), *self.others]
        reading = Reading(
            entries={file.file.uri: Entry(file.file) for file in files},
            files=[file.file.name for file in files],
        )
        reasons = {
            uri: f"{FOREIGN}: {why}" for uri, why in self.refused.items() if uri in reading.entries
        }
        if sets:
            self._fill(reading, sets, reasons)
        reject_files(reading, reasons | skipped_lines(reading, self.input.max_line_bytes))
        return reading

    def _fill(self, reading: Reading, sets: Sequence[FileSet], reasons: dict[str, str]) -> None:
        scratch, source = self.scratch, FormSource(self.input, self.avro, reasons)
        rows = value_rows(scratch, reading, [group.values for group in sets], source)
        beside: dict[str, DataFrame] = {}
        for part in SIDECARS:
            files = [group.sidecars[part] for group in sets if part in group.sidecars]
            if files:
                beside[part] = sidecar_rows(scratch, reading, files, part, source)
        made_of = scratch.cached
        candidates = scratch.cache(checked(with_sidecars(scratch.session, rows, sets, beside)))
        unread = self._count(reading, candidates, reasons)
        if unread:
            candidates = candidates.where(~F.col("path").isin(unread))
        for frame in beside.values():
            candidates = candidates.unionByName(rejected_rows(frame))
        reading.rows = scratch.view(candidates)
        reading.places = whole_places(reading.entries)
        reading.has_rejected = reading.has_rejected or bool(beside)
        if not beside:
            # What the rows were made of is not needed any more.
            scratch.uncache(made_of)

    def _count(self, reading: Reading, candidates: DataFrame, reasons: dict[str, str]) -> list[str]:
        """Count the rows; return the paths of files that have no records at all."""
        groups = groups_of(self.scratch.statements, self.scratch.view(candidates))
        reading.count(groups)
        rows: dict[str, int] = defaultdict(int)
        for group in groups:
            rows[group.path] += group.rows
        unread = []
        for path, count in rows.items():
            entry = reading.entries[path]
            # A file of anything else would be rejected line by line.
            if entry.records == 0 and entry.lines and not entry.file.is_named_like_records:
                reasons[path] = f"{FOREIGN}: none of its {entry.lines} lines is a record"
                unread.append(path)
            entry.lines = entry.lines or count
        reading.has_rejected = any(
            group.state == REJECTED and group.path not in unread for group in groups
        )
        return unread


def _files_of(sets: Sequence[FileSet]) -> list[SinkFile]:
    return [file for group in sets for file in group.files]
