"""A table that lands by SQL alone, on connections that run no Python: thrift servers, warehouses.

A SELECT that somebody else's rows come from is read as `table_origin` reads tables, and `run`
finishes the run. Only two things differ. The candidates are written to a table of this run, because
several statements read them and the input may grow in between. And a MERGE appends the new records.
The tables and their rows are those of the other way, so a source may change its way of landing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pyspark.sql import types as T

from dbt_debezium_spark.config import SourceConfig, TableInput
from dbt_debezium_spark.landing import table_progress
from dbt_debezium_spark.landing.kafka_columns import ColumnProblem, KafkaColumns, kafka_columns
from dbt_debezium_spark.landing.raw_append import OverlappingRunError
from dbt_debezium_spark.landing.reading_result import Reading, groups_of
from dbt_debezium_spark.landing.relations import unreadable_relation
from dbt_debezium_spark.landing.row_reading import path_of_row
from dbt_debezium_spark.landing.row_rules import candidate_select
from dbt_debezium_spark.landing.run import NewRecords, Run
from dbt_debezium_spark.landing.schemas import RAW_COLUMNS, RECORD, REJECTED
from dbt_debezium_spark.landing.statements import Statements, moment
from dbt_debezium_spark.landing.table_progress import KIND, Extent
from dbt_debezium_spark.landing.tables import Tables
from dbt_debezium_spark.spark import overlap
from dbt_debezium_spark.text.sql_text import quoted_name

# Types of columns that hold a record and are no text.
_NESTED = ("struct<", "map<", "array<", "variant")


@dataclass(frozen=True)
class Landed:
    """What a run did: the number of records that landed, and a text for dbt's log."""

    records: int
    text: str


class SqlLanding:
    """The landing of one source whose input is a table."""

    def __init__(
        self,
        connection: Statements,
        config: SourceConfig,
        tables: Tables,
        *,
        rows: str,
        file_format: str,
    ) -> None:
        """Prepare a run.

        Args:
            connection: where the statements are executed.
            config: the source.
            tables: the raw table, which exists, and its side tables.
            rows: name of the table that the run writes its rows to, and drops.
            file_format: file format of the tables.
        """
        if not isinstance(config.input, TableInput):
            raise ValueError(
                f"debezium_spark: source `{config.name}` has no table as input, and only a table"
                " lands by SQL. Let the Python model `raw_" + config.name + "` land it."
            )
        self._connection = connection
        self._config, self._input = config, config.input
        self._tables, self._format = tables, file_format
        self._rows = rows

    def land(self, select: str) -> Landed:
        """Land the new rows of a SELECT.

        Raises:
            ValueError: the SELECT cannot be read, or lacks a column.
            OverlappingRunError: another run landed records meanwhile.
        """
        kafka_select, types = self._kafka_select(select)
        run = Run(self._connection, self._tables, self._config, self._format)
        changed = self._keep_rows(run, kafka_select, types)
        try:
            reading = self._count(changed) if changed else Reading()
            if not run.has_work(reading):
                return Landed(0, "no new records")
            new = run.new_records(reading)
            if new.count:
                self._append(run, new)
            new.commit()
        finally:
            if changed:
                purge = " purge" if self._format == "iceberg" else ""
                self._connection.execute(f"drop table if exists {self._rows}{purge}")
        return Landed(new.count, new.text)

    def _kafka_select(self, select: str) -> tuple[str, dict[str, str]]:
        """Return the SELECT of the input's rows with Kafka's names, and the types of these."""
        try:
            described = self._connection.query(f"describe query\n{select}")
        except self._connection.refused as error:
            raise unreadable_relation(self._config.name, self._input, error) from error
        types = {row[0]: row[1] for row in described}
        # Members of structs are columns of no record here, so their types do not matter.
        schema = T.StructType([T.StructField(name, T.StringType()) for name in types])
        try:
            columns = kafka_columns(schema, self._input.columns)
        except ColumnProblem as problem:
            raise problem.error(self._config.name, self._input.place) from problem
        found = {name: path[0] for name, path in columns.columns.items()}
        self._refuse_nested(columns, {name: types[theirs] for name, theirs in found.items()})
        renamed = ", ".join(
            f"{quoted_name(theirs)} as {quoted_name(name)}" for name, theirs in found.items()
        )
        return (
            f"select {renamed}\nfrom (\n{select}\n)",
            {name: types[theirs] for name, theirs in found.items()},
        )

    def _refuse_nested(self, columns: KafkaColumns, types: Mapping[str, str]) -> None:
        """Refuse records in typed columns: SQL would make a text of them that is no JSON."""
        nested = [
            f"its column `{columns.columns[side][0]}` is of type {types[side][:40]}"
            for side in ("key", "value")
            if types.get(side, "").startswith(_NESTED)
        ]
        if "value" not in types:
            nested.append(
                "its columns are flattened rows"
                if columns.row
                else "its columns are members of a record"
            )
        if nested:
            raise ValueError(
                f"debezium_spark: source `{self._config.name}` reads {self._input.place} by SQL,"
                f" and {nested[0]}. Remove `landing: sql`: Python lands typed columns. Or select"
                " key and value as text."
            )

    def _keep_rows(self, run: Run, select: str, types: Mapping[str, str]) -> list[Extent]:
        """Write the candidates of changed partitions to the table of this run."""
        columns = table_progress.place_columns("topic", "`partition`", "`offset`")
        placed = f"(select *, {', '.join(columns)}, 0 as _relation from (\n{select}\n))"
        extents = table_progress.extents(run, placed)
        changed = table_progress.changed(extents, self._config.name, self._input.place)
        if changed:
            rows = table_progress.rows_to_read(placed, changed)
            candidates = candidate_select(
                rows, types, path=path_of_row(KIND), seq="monotonically_increasing_id()"
            )
            self._connection.execute(
                f"create table {self._rows} using {self._format} as\n{candidates}"
            )
        return changed

    def _count(self, changed: Sequence[Extent]) -> Reading:
        groups = groups_of(self._connection, self._rows)
        records = [group for group in groups if group.state == RECORD]
        return Reading(
            rows=self._rows,
            entries=table_progress.entries(changed, records),
            files=table_progress.read_whole(changed),
            has_rejected=any(group.state == REJECTED for group in groups),
        )

    def _append(self, run: Run, new: NewRecords) -> None:
        """Append new records, all or none.

        It is a MERGE, because table formats commit one only if the rows that it read are still the
        same; they commit an INSERT in any case. It reads the batches above the highest one that the
        run saw. If there are any, they match each record, and nothing is inserted.

        Raises:
            OverlappingRunError: another run appended records meanwhile.
        """
        raw, names = self._tables.raw, [quoted_name(name) for name in RAW_COLUMNS]
        statement = f"""\
merge into {raw} as landed
using (
{new.select}
) as new
on landed._cdc_batch_id > {run.before.raw_batch or 0}
when matched and false then delete
when not matched then insert ({", ".join(names)})
values ({", ".join(f"new.{name}" for name in names)})"""
        try:
            self._connection.execute(statement)
        except self._connection.refused as error:
            if overlap.is_overlap(error):
                raise self._overlap() from error
            raise
        appended = self._connection.number(
            f"select count(*) from {raw}"
            f" where _cdc_batch_id = {new.batch} and _cdc_landed_at = {moment(run.now)}"
        )
        if appended != new.count:
            raise self._overlap()

    def _overlap(self) -> OverlappingRunError:
        return OverlappingRunError(overlap.refusal(self._connection.query, self._tables.raw))
