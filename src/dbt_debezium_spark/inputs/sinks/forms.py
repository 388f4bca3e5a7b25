"""The rows of files in each form that a sink writes: lines, Avro, Parquet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.config import sink_layouts as layouts
from dbt_debezium_spark.config.inputs import FilesInput
from dbt_debezium_spark.inputs.avro.errors import UnsupportedSchema
from dbt_debezium_spark.inputs.avro.rows import AvroRows
from dbt_debezium_spark.inputs.sinks import (
    aiven_line,
    avro_rows,
    lenses_line,
    parquet_rows,
    raw_line,
    value_line,
)
from dbt_debezium_spark.inputs.sinks.avro_blocks import AvroItems, read_containers
from dbt_debezium_spark.inputs.sinks.csv_lines import csv_fields, csv_lines
from dbt_debezium_spark.inputs.sinks.file_sets import SinkFile
from dbt_debezium_spark.inputs.sinks.header_lines import header_lines
from dbt_debezium_spark.inputs.sinks.line_rows import LineForm, line_rows, unread_lines
from dbt_debezium_spark.inputs.sinks.names import HEADERS, KEYS
from dbt_debezium_spark.inputs.sinks.records import placed_by_name
from dbt_debezium_spark.inputs.sinks.row_columns import as_rows, numbered_rows
from dbt_debezium_spark.inputs.sinks.value_lines import raw_lines, value_lines
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.rejections import FOREIGN
from dbt_debezium_spark.landing.schemas import BYTES
from dbt_debezium_spark.landing.scratch import Scratch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

AVRO, PARQUET, CSV, JSON, RAW = "avro", "parquet", "csv", "json", "raw"
# Forms of files that are read whole, and the most bytes of a value in Spark.
_WHOLE = (AVRO, PARQUET)
MAX_BYTES = 2**31 - 1
_JSON_SUFFIXES = (".json", ".jsonl", ".ndjson")
_AIVEN_FORMS = {
    layouts.CSV: CSV,
    layouts.JSONL: JSON,
    layouts.JSON: JSON,
    layouts.AVRO: AVRO,
    layouts.PARQUET: PARQUET,
}
AvroReader = Callable[[AvroItems], "DataFrame"]


@dataclass(frozen=True)
class FormSource:
    """What the forms of files need besides the files.

    Attributes:
        input: the source's input.
        avro: decodes keys and values with a registry's schemas; None for text.
        reasons: by uri the reason to reject a whole file; readers add some.
    """

    input: FilesInput
    avro: AvroRows | None
    reasons: dict[str, str]


def form_of(suffix: str, options: FilesInput) -> str:
    """Return the form of a file.

    Args:
        suffix: its extension, without that of a compression.
        options: the source's input.
    """
    if options.layout == layouts.AIVEN:
        return _AIVEN_FORMS[options.format]
    if suffix.endswith(".avro"):
        return AVRO
    if suffix.endswith(".parquet"):
        return PARQUET
    # Connect's ByteArrayFormat has an extension of its own, by default `.bin`.
    return JSON if options.layout == layouts.LENSES or suffix.endswith(_JSON_SUFFIXES) else RAW


def value_rows(
    scratch: Scratch, reading: Reading, files: Sequence[SinkFile], source: FormSource
) -> DataFrame:
    """Return the rows of values, with their place in Kafka.

    Args:
        scratch: Spark.
        reading: with an entry for each file.
        files: files of values.
        source: see `FormSource`.
    """
    session, options = scratch.session, source.input
    frames: list[DataFrame] = []
    for form, all_of_form in _by_form(files, options).items():
        of_form = all_of_form if form not in _WHOLE else _small(all_of_form, source.reasons)
        if not of_form:
            continue
        if form == AVRO:
            read = _container_rows(scratch, of_form, source, _avro_reader(options))
        elif form == PARQUET:
            read = parquet_rows.file_rows(
                session, of_form, source.reasons, options, _avro_reader(options)
            )
        else:
            plain = [file.file for file in of_form]
            line_form = form_of_lines(form, options)
            read = [line_rows(scratch, reading, plain, line_form, options.max_line_bytes)]
        for frame in read:
            rows = frame
            if form == CSV:
                rows = csv_fields(rows, options.fields, options.value_encoding)
            if options.layout != layouts.LENSES:
                rows = placed_by_name(session, rows, of_form)
            if form == CSV:
                rows = _decoded(session, rows, source.avro)
            frames.append(as_rows(rows))
    return _union(session, frames)


def sidecar_rows(
    scratch: Scratch,
    reading: Reading,
    files: Sequence[SinkFile],
    part: str,
    source: FormSource,
) -> DataFrame:
    """Return the rows of keys, whose text is the `value`, or of headers.

    Arguments: see `value_rows`; `part` is what the files hold.
    """
    session, options = scratch.session, source.input
    frames: list[DataFrame] = []
    for form, all_of_form in _by_form(files, options).items():
        of_form = all_of_form if form not in _WHOLE else _small(all_of_form, source.reasons)
        if not of_form:
            continue
        if form == AVRO:
            reader = avro_rows.value_rows if part == KEYS else avro_rows.header_rows
            frames += _container_rows(scratch, of_form, source, reader)
        elif form == PARQUET:
            frames += parquet_rows.sidecar_rows(session, of_form, source.reasons, part)
        else:
            line_form = (
                LineForm(header_lines, None) if part == HEADERS else form_of_lines(form, options)
            )
            plain = [file.file for file in of_form]
            frames.append(line_rows(scratch, reading, plain, line_form, options.max_line_bytes))
    return _union(session, frames)


def _small(files: Sequence[SinkFile], reasons: dict[str, str]) -> list[SinkFile]:
    """Return the files that Spark can hold as one value; add the reason for the others."""
    kept = []
    for file in files:
        if file.file.size > MAX_BYTES:
            reasons[file.file.uri] = (
                f"{FOREIGN}: has {file.file.size} bytes, and Spark reads at most {MAX_BYTES} at"
                " once: let the sink write smaller files (`flush.size`)"
            )
        else:
            kept.append(file)
    return kept


def _by_form(files: Sequence[SinkFile], options: FilesInput) -> dict[str, list[SinkFile]]:
    by_form: dict[str, list[SinkFile]] = defaultdict(list)
    for file in files:
        by_form[form_of(file.name.suffix, options)].append(file)
    return by_form


def form_of_lines(form: str, options: FilesInput) -> LineForm:
    """Return what a line is in files of a form: see `form_of`."""
    if form == CSV:
        return LineForm(partial(csv_lines, fields=options.fields), None)
    if form == RAW:
        return LineForm(raw_lines, raw_line)
    if options.layout == layouts.LENSES:
        return LineForm(unread_lines, lenses_line)
    is_array = options.layout == layouts.AIVEN and options.format == layouts.JSON
    # The first line of an array is its bracket.
    skipped = 1 if is_array else 0
    if options.layout == layouts.AIVEN and options.envelope:
        return LineForm(unread_lines, aiven_line, skipped)
    return LineForm(partial(value_lines, is_array=is_array), value_line, skipped)


def _avro_reader(options: FilesInput) -> AvroReader:
    if options.layout == layouts.LENSES:
        return avro_rows.envelope_rows
    if options.layout == layouts.AIVEN and options.envelope:
        return avro_rows.field_rows
    return avro_rows.value_rows


def _container_rows(
    scratch: Scratch,
    files: Sequence[SinkFile],
    source: FormSource,
    reader: AvroReader,
) -> list[DataFrame]:
    read = read_containers(scratch, [file.file.readable_path for file in files])
    frames = [as_rows(numbered_rows(problem)) for problem in read.problems]
    for items in read.items:
        try:
            frames.append(reader(items))
        except UnsupportedSchema as error:
            for row in items.rows.select("path").distinct().collect():
                source.reasons[row.path] = f"{FOREIGN}: its schema cannot be read: {error}"
    return frames


def _decoded(session: SparkSession, rows: DataFrame, avro: AvroRows | None) -> DataFrame:
    """Return rows whose key and value are bytes as rows with text."""
    if avro is None:
        return rows.withColumns({side: F.col(side).cast("string") for side in BYTES})
    decoded = avro.decode(session, rows.withColumn("line_reason", F.col("reason")))
    return decoded.withColumn("reason", F.coalesce("line_reason", "reason"))


def _union(session: SparkSession, frames: Sequence[DataFrame]) -> DataFrame:
    if not frames:
        return as_rows(session.range(0).select(F.lit(None).cast("string").alias("path")))
    return reduce(lambda frame, other: frame.unionByName(other), frames)
