"""Files of a sink of Kafka Connect as the origin of records."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.config.inputs import FilesInput
from dbt_debezium_spark.config.sink_layouts import AIVEN, CONNECT
from dbt_debezium_spark.inputs.avro.rows import AvroRows
from dbt_debezium_spark.inputs.sinks.file_sets import (
    FilePlan,
    FileSet,
    Known,
    SinkFile,
    plan_files,
)
from dbt_debezium_spark.inputs.sinks.names import (
    CONNECT_PATH,
    TOMBSTONES,
    VALUES,
    NameProblem,
    SinkName,
    aiven_name,
    connect_name,
    suffix_of,
)
from dbt_debezium_spark.inputs.sinks.sink_reading import SinkReader
from dbt_debezium_spark.landing import ledger, rejections
from dbt_debezium_spark.landing.listing import File, list_files
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.run import Run
from dbt_debezium_spark.landing.scratch import Scratch
from dbt_debezium_spark.spark.local_frames import local_frame
from dbt_debezium_spark.text.progress import counted, report

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class SinkOrigin:
    """Files that a sink wrote.

    Attributes:
        source: name of the source.
        location: folder or glob, absolute or with a scheme.
        project_dir: absolute folder of the dbt project.
        input: the source's input.
        avro: decodes keys and values with a registry's schemas; None for text.
    """

    source: str
    location: str
    project_dir: str
    input: FilesInput
    avro: AvroRows | None = None

    def read(self, scratch: Scratch, run: Run) -> Reading:
        """Read the files that are new or changed, with the keys and headers beside them."""
        listing = list_files(scratch.session, self.location, self.project_dir)
        if run.before.open_foreign:
            rejections.delete_missing(
                run.connection, run.tables.rejected, rejections.FOREIGN, listing.existing
            )
        found = listing.files
        if self.input.layout == CONNECT:
            # The deletes are among the values already.
            found = found.where(~F.rlike("name", F.lit(TOMBSTONES)))
        new = ledger.not_in_ledger(found, run.before.entries)
        refused = {
            file.uri: listing.refused[file.uri] for file in new if file.uri in listing.refused
        }
        named: list[SinkFile] = []
        unnamed: list[SinkFile] = []
        for file in new:
            name = self._name(file, refused)
            (unnamed if file.uri in refused else named).append(SinkFile(file, name))
        plan = self._plan(scratch.session, found, run, named)
        refused |= plan.refused
        others = [*unnamed, *[file for file in named if file.file.uri in plan.refused]]
        if plan.waiting:
            report(
                f"{self.source}: {counted(len(plan.waiting), 'file')} wait for the values, keys or"
                " headers that belong to them"
            )
        if not plan.sets and not others:
            report(f"{self.source}: no new files")
            return Reading()
        read = [file.file for files in plan.sets for file in files.files]
        size = sum(file.size for file in read)
        report(
            f"{self.source}: reading {counted(len(read), 'new file')} ({size / 1024**2:,.1f} MiB)"
        )
        return SinkReader(scratch, self.input, self.avro, refused, others).read(plan.sets)

    def _name(self, file: File, refused: dict[str, str]) -> SinkName:
        """Return what a file's name tells; add the reason to `refused` if it tells too little."""
        try:
            if self.input.layout == CONNECT:
                return connect_name(file.name)
            if self.input.layout == AIVEN:
                return aiven_name(file.name, self.input.file_name)
        except NameProblem as problem:
            refused.setdefault(file.uri, str(problem))
        # Envelopes of Lenses' sinks tell their own place.
        return SinkName("", 0, 0, suffix=suffix_of(file.name))

    def _plan(
        self, session: SparkSession, listed: DataFrame, run: Run, new: list[SinkFile]
    ) -> FilePlan:
        if self.input.layout != CONNECT or not new:
            return FilePlan(sets=[FileSet(file) for file in new])
        names, highest = _read_before(session, run.before.entries, {file.name.base for file in new})
        new_names = frozenset(file.file.name for file in new)
        # Values whose keys changed are read again, and keys of values that grew.
        old = _files(session, listed, names - new_names)
        files = [*new, *[SinkFile(file, connect_name(file.name)) for file in old]]
        return plan_files(files, Known(names, highest), new_names)


def _read_before(
    session: SparkSession, entries: str, bases: set[str]
) -> tuple[frozenset[str], dict[tuple[str, int, str], int]]:
    """Return what the ledger tells of files: see `file_sets.Known`."""
    parts = {
        name: F.regexp_extract("path", CONNECT_PATH, number)
        for number, name in enumerate(("base", "topic", "partition", "first", "part"), 1)
    }
    parsed = session.sql(f"select path from {entries}").select(
        "path", *[column.alias(name) for name, column in parts.items()]
    )
    parsed = parsed.where("base != ''").withColumns(
        {
            "base": F.regexp_replace("base", "%2[Bb]", "+"),
            "part": F.coalesce(F.nullif("part", F.lit("")), F.lit(VALUES)),
            "partition": F.col("partition").try_cast("int"),
            "first": F.col("first").try_cast("bigint"),
        }
    )
    rows = (
        parsed.where("partition is not null and first is not null")
        .groupBy("topic", "partition", "part")
        .agg(F.max("first").alias("first"))
        .collect()
    )
    highest = {(row.topic, row.partition, row.part): row.first for row in rows}
    if not rows:
        return frozenset(), {}
    wanted = local_frame(session, [(base,) for base in sorted(bases)], "base string")
    same = parsed.join(F.broadcast(wanted), "base", "left_semi").select("path").distinct().collect()
    return frozenset(row.path for row in same), highest


def _files(session: SparkSession, listed: DataFrame, names: Iterable[str]) -> list[File]:
    wanted = sorted(names)
    if not wanted:
        return []
    frame = local_frame(session, [(name,) for name in wanted], "name string")
    rows = listed.join(F.broadcast(frame), "name", "left_semi").collect()
    return [File(row.name, row.uri, row.size, row.modified_at) for row in rows]
