"""Tables or views that somebody else fills, as the origin of records.

Rows may arrive late and in any order, and rows may be deleted. `table_progress` decides which
partitions are read. One relation that cannot be read stops no other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame

from dbt_debezium_spark.config import ConfigError, TableInput
from dbt_debezium_spark.config.errors import InputError
from dbt_debezium_spark.landing import rejections, table_progress
from dbt_debezium_spark.landing.file_problems import short
from dbt_debezium_spark.landing.nested.content import record_content
from dbt_debezium_spark.landing.nested.records import with_texts
from dbt_debezium_spark.landing.nested.value_types import UnsupportedType
from dbt_debezium_spark.landing.origin import Decoder
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.rejections import FOREIGN_RELATION, Problem
from dbt_debezium_spark.landing.relations import (
    OpenRelation,
    open_relations,
    relations_of,
    unreadable,
)
from dbt_debezium_spark.landing.row_reading import Sample, first_values, read_rows
from dbt_debezium_spark.landing.run import Run
from dbt_debezium_spark.landing.scratch import Scratch
from dbt_debezium_spark.landing.table_progress import KIND, Extent
from dbt_debezium_spark.text.progress import counted

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# These stop a run: the configuration, not a relation, is wrong.
_FATAL = (InputError, ConfigError)


@dataclass(frozen=True)
class TableOrigin:
    """The relations of one source.

    Attributes:
        source: name of the source.
        input: its relations and their columns.
        decoder: decodes keys and values that are bytes; None for text.
        topic_prefix: topic prefix of the source.
    """

    source: str
    input: TableInput
    decoder: Decoder | None = None
    topic_prefix: str = ""

    def read(self, scratch: Scratch, run: Run) -> Reading:
        """Read the rows above the highest offset read, or all rows of a changed partition.

        Raises:
            ValueError: the only relation does not exist, or lacks a column.
        """
        session = scratch.session
        relations = relations_of(session, self.source, self.input, self.topic_prefix)
        opened, problems = open_relations(session, self.source, self.input, relations)
        extents, unread = self._extents(scratch, run, opened)
        problems |= unread
        changed = table_progress.changed(extents, self.source, self.input.place)
        reading = Reading()
        if changed:
            reading, unread = self._read(scratch, opened, changed)
            problems |= unread
        labels = [f"{KIND}:{name}" for name in problems]
        if run.before.open_foreign:
            rejections.delete_missing(
                run.connection, run.tables.rejected, FOREIGN_RELATION, lambda _: labels
            )
        reading.problems += [
            Problem(label, f"{FOREIGN_RELATION}: {why}")
            for label, why in zip(labels, problems.values(), strict=True)
        ]
        reading.files += labels
        return reading

    def sample(self, session: SparkSession, most_rows: int) -> Sample:
        """Read some rows of each relation.

        Raises:
            ValueError: the only relation does not exist, or lacks a column.
        """
        relations = relations_of(session, self.source, self.input, self.topic_prefix)
        opened, problems = open_relations(session, self.source, self.input, relations)
        records: list[tuple[str | None, str | None]] = []
        for relation in opened:
            try:
                rows = with_texts(relation.rows(), self.input.nested)
                values, rejected = first_values(rows, most_rows)
                if rejected:
                    problems[relation.name] = rejected[0]
                # What was made of a name says nothing.
                has_topic = relation.columns.topic is None or self.input.topic is not None
                records += [(topic if has_topic else None, value) for topic, value in values]
            except Exception as error:  # of py4j or Spark, and columns of unsupported types
                problems[relation.name] = self._problem(error)
        looked = self.input.place
        if self.input.relation is None:
            looked = f"{counted(len(opened), 'relation')} like {looked}"
        return Sample(looked, records, [f"{name}: {why}" for name, why in problems.items()])

    def _extents(
        self, scratch: Scratch, run: Run, opened: Sequence[OpenRelation]
    ) -> tuple[list[Extent], dict[str, str]]:
        def extents(frames: Sequence[DataFrame]) -> list[Extent]:
            if not frames:
                return []
            return table_progress.extents(run, scratch.view(reduce(DataFrame.union, frames)))

        places = {relation.name: relation.places(number) for number, relation in enumerate(opened)}
        try:
            return extents(list(places.values())), {}
        except Exception:  # of py4j or Spark
            if self.input.relation is not None:
                raise
            problems = unreadable(places)
            if not problems:
                raise
        return extents([place for name, place in places.items() if name not in problems]), problems

    def _read(
        self, scratch: Scratch, opened: Sequence[OpenRelation], changed: Sequence[Extent]
    ) -> tuple[Reading, dict[str, str]]:
        """Read changed partitions, except those with rows in a relation that cannot be read."""
        problems: dict[str, str] = {}
        while True:
            wanted = [
                extent
                for extent in changed
                if not any(opened[number].name in problems for number in extent.relations)
            ]
            frames, unread = self._frames(scratch, opened, wanted)
            if not unread:
                try:
                    return self._reading(scratch, opened, frames, wanted), problems
                except _FATAL:
                    raise
                except Exception:  # of py4j or Spark
                    if self.input.relation is not None:
                        raise
                    unread = unreadable(
                        {opened[number].name: frame for number, frame in frames.items()}
                    )
                    if not unread:
                        raise
                    scratch.uncache(scratch.cached)
            problems |= unread

    def _frames(
        self, scratch: Scratch, opened: Sequence[OpenRelation], wanted: Sequence[Extent]
    ) -> tuple[dict[int, DataFrame], dict[str, str]]:
        """Return by number the rows of each relation with key and value as text or bytes."""
        frames: dict[int, DataFrame] = {}
        problems: dict[str, str] = {}
        for number in sorted({number for extent in wanted for number in extent.relations}):
            parts = [extent for extent in wanted if number in extent.relations]
            try:
                view = scratch.view(opened[number].rows())
                rows = scratch.session.sql(table_progress.rows_to_read(view, parts))
                frames[number] = with_texts(rows, self.input.nested)
                # A Spark Connect session checks the columns only when it needs the schema.
                _ = frames[number].schema
            except Exception as error:  # of py4j or Spark, and columns of unsupported types
                problems[opened[number].name] = self._problem(error)
        return frames, problems

    def _problem(self, error: Exception) -> str:
        if self.input.relation is None:
            return str(error) if isinstance(error, UnsupportedType) else short(error)
        if isinstance(error, UnsupportedType):
            raise ValueError(
                f"debezium_spark: source `{self.source}`: in {self.input.relation} {error}. Leave"
                " the column out in a view, or cast it there."
            ) from error
        raise error

    def _reading(
        self,
        scratch: Scratch,
        opened: Sequence[OpenRelation],
        frames: Mapping[int, DataFrame],
        wanted: Sequence[Extent],
    ) -> Reading:
        if not frames:
            return Reading(entries=table_progress.entries(wanted, []))
        labels = None if self.input.relation is not None else [relation.name for relation in opened]
        reading, groups = read_rows(scratch, frames, kind=KIND, decoder=self.decoder, labels=labels)
        reading.entries = table_progress.entries(wanted, groups)
        reading.files += table_progress.read_whole(wanted)
        reading.content = record_content(opened[number].rows().schema for number in frames)
        return reading
