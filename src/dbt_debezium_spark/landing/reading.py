"""Read files of any form: records, counts, and rejections."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, TypeVar

from pyspark.sql import functions as F

from dbt_debezium_spark.config import ConfigError
from dbt_debezium_spark.config.errors import InputError
from dbt_debezium_spark.config.inputs import MAX_LINE_BYTES
from dbt_debezium_spark.landing import parquet_files
from dbt_debezium_spark.landing.block_numbers import blocks_of, missing_bytes, places_of
from dbt_debezium_spark.landing.exact_lines import fit_the_driver, read_exactly
from dbt_debezium_spark.landing.fast_lines import read_lines
from dbt_debezium_spark.landing.file_problems import parquet_groups, unreadable_files
from dbt_debezium_spark.landing.ledger import Entry
from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.nested.content import record_content
from dbt_debezium_spark.landing.origin import Decoder
from dbt_debezium_spark.landing.parquet_files import ParquetColumns
from dbt_debezium_spark.landing.reading_result import Group, Reading, groups_of
from dbt_debezium_spark.landing.rejections import FOREIGN, Problem
from dbt_debezium_spark.landing.schemas import RECORD, REJECTED
from dbt_debezium_spark.landing.scratch import Scratch
from dbt_debezium_spark.landing.text_lines import LINE, OVERSIZED, spark_line_limit

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Result = TypeVar("Result")
# What lines are counted by, besides their numbers.
OF_LINES = {"line_bytes": "sum(bytes)"}
_TEXT = "lower(cast(line as string))"
_OF_UNREAD_LINES = {
    **OF_LINES,
    "like_record": f"""coalesce(max(
        startswith(ltrim({_TEXT}), '{{')
        and (contains({_TEXT}, '"topic"') or contains({_TEXT}, '"offset"'))
    ), false)""",
}


@dataclass(frozen=True)
class FileReader:
    """Reads the files of one run.

    Attributes:
        scratch: Spark.
        decoder: decodes the bytes of Parquet files; None for text.
        max_line_bytes: longer lines are rejected.
        columns: where the records are in Parquet files.
    """

    scratch: Scratch
    decoder: Decoder | None = None
    max_line_bytes: int = MAX_LINE_BYTES
    columns: ParquetColumns = field(default_factory=ParquetColumns)

    def read(self, files: Sequence[File], refused: Mapping[str, str]) -> Reading:
        """Read every file; reject a file that cannot be read, and read the others.

        Args:
            files: lines or Parquet.
            refused: by uri the reason not to open a file.
        """
        foreign = {file.uri: refused[file.uri] for file in files if file.uri in refused}
        readable = [file for file in files if file.uri not in foreign]
        groups, problems = parquet_groups(
            self.scratch.session, [file for file in readable if file.is_parquet], self.columns
        )
        foreign |= problems
        lines = [file for file in readable if not file.is_parquet]

        def read_again() -> Reading | None:
            broken, missing = unreadable_files(self.scratch.session, lines, groups)
            if not broken and not missing:
                return None
            unread = {*broken, *missing}
            kept = [[file for file in group if file.uri not in unread] for group in groups]
            return self._read(
                [file for file in files if file.uri not in missing],
                [file for file in lines if file.uri not in unread],
                [group for group in kept if group],
                {**foreign, **broken},
            )

        return read_or_find_broken(
            self.scratch, lambda: self._read(files, lines, groups, foreign), read_again
        )

    def _read(
        self,
        files: Sequence[File],
        lines: Sequence[File],
        groups: Sequence[Sequence[File]],
        foreign: Mapping[str, str],
    ) -> Reading:
        session = self.scratch.session
        reading = Reading(
            entries={file.uri: Entry(file) for file in files}, files=[file.name for file in files]
        )
        reasons = dict(foreign)
        opened = [parquet_files.open_parquet(session, _paths(group)) for group in groups]
        frames = [
            parquet_files.read_parquet(session, rows, self.columns, self.decoder) for rows in opened
        ]
        reading.content = record_content(self.columns.schema(rows.schema) for rows in opened)
        for is_compressed in (False, True):
            part = [file for file in lines if file.is_compressed is is_compressed]
            if part:
                frames.append(
                    read_lines(
                        session, _paths(part), self.max_line_bytes, is_compressed=is_compressed
                    )
                )
        if frames:
            everything = reduce(
                lambda frame, other: frame.unionByName(other, allowMissingColumns=True), frames
            )
            self._fill(reading, self.scratch.cache(everything), reasons)
        reject_files(reading, {uri: f"{FOREIGN}: {why}" for uri, why in reasons.items()})
        reject_files(reading, skipped_lines(reading, self.max_line_bytes))
        return reading

    def _fill(self, reading: Reading, everything: DataFrame, reasons: dict[str, str]) -> None:
        connection = self.scratch.statements
        more = _OF_UNREAD_LINES if "line" in everything.columns else None
        groups = groups_of(connection, self.scratch.view(everything), more)
        blocks = blocks_of(groups)
        reading.places = places_of(reading.entries, blocks)
        reading.missing_bytes = missing_bytes(reading.entries, blocks, reasons)
        reading.count(groups)
        for group in groups:
            reading.entries[group.path].lines += group.rows
        rows = everything.where(F.col("state").isin(RECORD, REJECTED))
        exact = _lines_of_records(reading, groups, reasons)
        if exact:
            paths = list({group.path for group in exact})
            lines = everything.where((F.col("state") == LINE) & F.col("path").isin(paths))
            count = sum(group.rows for group in exact)
            total_bytes = sum(group.line_bytes for group in exact)
            read = read_exactly(self.scratch.session, lines, count, total_bytes)
            if not fit_the_driver(count, total_bytes):
                read = self.scratch.cache(read)
            read_groups = groups_of(connection, self.scratch.view(read))
            reading.count(read_groups)
            groups += read_groups
            rows = rows.unionByName(read, allowMissingColumns=True)
        reading.rows = self.scratch.view(rows)
        reading.has_rejected = any(group.state == REJECTED for group in groups)


def read_or_find_broken(
    scratch: Scratch, read: Callable[[], Result], read_again: Callable[[], Result | None]
) -> Result:
    """Return a reading, without the files that make the whole query fail.

    Args:
        scratch: what the readings keep.
        read: reads all files.
        read_again: reads those that can be read; returns None if each of them can.

    Raises:
        Exception: that of `read`, for another cause.
    """
    try:
        return read()
    except (InputError, ConfigError):
        raise
    except Exception:  # some failures of the JVM reach Python as errors of py4j
        scratch.release()
        reading = read_again()
        if reading is None:
            raise
        return reading


def reject_files(reading: Reading, reasons: Mapping[str, str]) -> None:
    """Add rejections of whole files.

    Args:
        reading: with an entry for each file.
        reasons: by uri.
    """
    reading.problems += [
        Problem(reading.entries[uri].file.name, reason) for uri, reason in reasons.items()
    ]


def skipped_lines(reading: Reading, max_line_bytes: int) -> dict[str, str]:
    """Return by uri why files with lines that Spark skipped because of their length are wrong."""
    return {
        uri: f"{OVERSIZED}: at least {missing} bytes of the file are lines of more than"
        f" {spark_line_limit(max_line_bytes)} bytes, and were not read; at most"
        f" {max_line_bytes} bytes of a line are (`max_line_bytes`)"
        for uri, missing in reading.missing_bytes.items()
    }


def _lines_of_records(
    reading: Reading, groups: Iterable[Group], reasons: dict[str, str]
) -> list[Group]:
    """Return the lines to read exactly; add the reason for each file that has no records."""
    unread: dict[str, list[Group]] = defaultdict(list)
    for group in groups:
        if group.state == LINE:
            unread[group.path].append(group)
    exact = []
    for path, of_file in unread.items():
        entry = reading.entries[path]
        is_like_records = entry.file.is_named_like_records or any(
            group.like_record for group in of_file
        )
        if entry.records or is_like_records:
            exact += of_file
        else:
            reasons[path] = f"none of its {entry.lines} lines is a record"
    return exact


def _paths(files: Iterable[File]) -> list[str]:
    return [file.readable_path for file in files]
