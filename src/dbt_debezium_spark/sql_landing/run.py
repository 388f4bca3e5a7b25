"""One landing run by SQL: the steps of `landing.land`, as statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from dbt_debezium_spark import overlap
from dbt_debezium_spark.config import SourceConfig, TableInput
from dbt_debezium_spark.flattened.recognised import row_columns
from dbt_debezium_spark.landing import identity_rules, rejection_rules
from dbt_debezium_spark.landing.mapped_columns import mapped_columns, unreadable
from dbt_debezium_spark.landing.schemas import LEDGER_COLUMNS, REJECTED_COLUMNS
from dbt_debezium_spark.landing.table_progress import KIND
from dbt_debezium_spark.landing.tables import Tables
from dbt_debezium_spark.progress import counted, report
from dbt_debezium_spark.raw_append import OverlappingRunError
from dbt_debezium_spark.sql_landing import input_rows, repeats, writing
from dbt_debezium_spark.sql_landing.before import Before, read_before, unrecorded_ranges
from dbt_debezium_spark.sql_landing.input_rows import RETRIED
from dbt_debezium_spark.sql_landing.kept_rows import KeptRows, count_rows
from dbt_debezium_spark.sql_landing.statements import Statements

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
        self._records = rows
        self._boundaries = config.incarnations

    def land(self, select: str) -> Landed:
        """Land the new rows of a SELECT.

        Raises:
            ValueError: the SELECT cannot be read, or lacks a column.
            OverlappingRunError: another run landed records meanwhile.
        """
        now = datetime.now(UTC)
        rows, types = self._kafka_rows(select)
        self._create_side_tables()
        before = read_before(self._connection, self._tables)
        if before.is_raw_empty and before.recorded:
            report(
                f"{self._tables.raw} is empty although records have landed: landing all of them"
                " again"
            )
        found = input_rows.extents(
            self._connection, rows, self._tables, is_raw_empty=before.is_raw_empty
        )
        changed = [extent for extent in found if extent.is_new]
        retries = self._has_conflicts_to_retry()
        if not changed:
            report(f"{self._config.name}: no new rows in {self._input.place}")
            if not retries:
                return Landed(0, "no new records")
        else:
            number = counted(sum(extent.rows_to_read for extent in changed), "row")
            report(
                f"{self._config.name}: reading {number} of {self._input.place},"
                f" {counted(len(changed), 'partition')}"
            )
        selects = [input_rows.read_rows(rows, types, changed)] if changed else []
        if retries:
            selects.append(input_rows.retried_conflicts(self._tables))
        self._keep_rows(selects)
        try:
            kept = count_rows(self._connection, self._records, changed)
            return self._write(kept, before, now)
        finally:
            purge = " purge" if self._format == "iceberg" else ""
            self._connection.execute(f"drop table if exists {self._records}{purge}")

    def _kafka_rows(self, select: str) -> tuple[str, dict[str, str]]:
        """Return the SELECT of the input's rows with Kafka's names, and the types of these."""
        try:
            described = self._connection.query(f"describe query\n{select}")
        except self._connection.refused as error:
            raise unreadable(self._config.name, self._input.place, str(error)) from error
        types = {row[0]: row[1] for row in described}
        self._refuse_nested(types)
        columns = mapped_columns(self._config.name, self._input, list(types))
        return (
            input_rows.kafka_columns(select, columns),
            {ours: types[name] for ours, name in columns.items()},
        )

    def _refuse_nested(self, types: Mapping[str, str]) -> None:
        """Refuse records in typed columns: SQL would make a text of them that is no JSON."""
        sides = {self._input.columns.get(side, side).lower() for side in ("key", "value")}
        nested = [
            f"its column `{name}` is of type {kind[:40]}"
            for name, kind in types.items()
            if name.lower() in sides and kind.startswith(_NESTED)
        ]
        if row_columns(list(types)) and "value" not in self._input.columns:
            nested.append("its columns are flattened rows")
        if nested:
            raise ValueError(
                f"debezium_spark: source `{self._config.name}` reads {self._input.place} by SQL,"
                f" and {nested[0]}. Remove `landing: sql`: Python lands typed columns. Or select"
                " key and value as text."
            )

    def _create_side_tables(self) -> None:
        for table, columns in (
            (self._tables.rejected, REJECTED_COLUMNS),
            (self._tables.ledger, LEDGER_COLUMNS),
        ):
            self._connection.execute(writing.create_table(table, columns, self._format))

    def _has_conflicts_to_retry(self) -> bool:
        """Return whether a boundary may explain an open conflict."""
        if not self._boundaries:
            return False
        return 0 < self._connection.number(
            f"select count(*) from {self._tables.rejected} where {rejection_rules.IS_CONFLICT}"
        )

    def _keep_rows(self, selects: Sequence[str]) -> None:
        self._connection.execute(
            f"create table {self._records} using {self._format} as\n"
            + "\nunion all\n".join(f"select * from (\n{select}\n)" for select in selects)
        )

    def _write(self, rows: KeptRows, before: Before, now: datetime) -> Landed:
        batch = before.last_batch + 1
        repeated = self._repeated_records(rows, before)
        verdicts = self._verdicts(repeated)
        new = rows.total - sum(verdicts.values())
        added = self._write_rejections(rows, repeated, verdicts, batch, now)
        for path, entry in rows.entries.items():
            entry.landed = entry.records - sum(
                verdicts.get((path, verdict), 0)
                for verdict in (identity_rules.REDELIVERED, identity_rules.CONFLICTING)
            )
        text = (
            f"{counted(new, 'new record')}, {counted(rows.total - new, 'repeated record')},"
            f" {added:,} newly rejected"
        )
        report(f"{self._config.name}: {text}")
        explained = self._explained(rows, verdicts)
        if new:
            self._append(repeated if verdicts else None, before, new, now)
        self._delete_rejections(explained)
        if rows.entries:
            self._connection.execute(
                writing.insert_entries(
                    self._tables.ledger,
                    list(rows.entries.values()),
                    batch if new else before.last_batch,
                    now,
                )
            )
        return Landed(new, text)

    def _repeated_records(self, rows: KeptRows, before: Before) -> str | None:
        """Return the SELECT of the records that must not land; None if all of them are new."""
        if not rows.total:
            return None
        shared = repeats.shared_ranges(
            self._connection,
            self._tables,
            rows.ranges,
            is_raw_empty=before.is_raw_empty,
            unrecorded=unrecorded_ranges(self._connection, self._tables, before),
        )
        # The first run of a source usually has no repeats: check before comparing contents.
        if not shared and not repeats.has_repeated_identity(
            self._connection, self._records, self._boundaries
        ):
            return None
        return repeats.repeated_records(self._records, self._tables.raw, shared, self._boundaries)

    def _verdicts(self, repeated: str | None) -> dict[tuple[str, str], int]:
        if repeated is None:
            return {}
        groups = self._connection.objects(
            f"select path, verdict, count(*) as records from (\n{repeated}\n)"
            " group by path, verdict"
        )
        return {(one["path"], one["verdict"]): one["records"] for one in groups}

    def _write_rejections(
        self,
        rows: KeptRows,
        repeated: str | None,
        verdicts: Mapping[tuple[str, str], int],
        batch: int,
        now: datetime,
    ) -> int:
        has_conflicts = any(
            verdict == identity_rules.CONFLICTING and path.startswith(f"{KIND}:")
            for path, verdict in verdicts
        )
        found = None
        if rows.has_rejected or has_conflicts:
            conflicts = (
                f"select path, seq from (\n{repeated}\n)"
                f" where verdict = '{identity_rules.CONFLICTING}'"
            )
            found = writing.rejections(self._records, conflicts if has_conflicts else None)
        added = 0
        if found is not None:
            new = writing.new_rejections(found, self._tables.rejected)
            added = self._connection.number(f"select count(*) from (\n{new}\n)")
        if rows.reread:
            stale = self._connection.objects(
                writing.resolved_rejections(found, self._tables.rejected, rows.reread)
            )
            self._delete_rejections([one["rejection_id"] for one in stale])
        if found is not None and added:
            self._connection.execute(
                writing.insert_rejections(new, self._tables.rejected, batch, now)
            )
        return added

    def _delete_rejections(self, ids: Sequence[str]) -> None:
        for statement in writing.delete_rejections(self._tables.rejected, ids):
            self._connection.execute(statement)

    def _explained(self, rows: KeptRows, verdicts: Mapping[tuple[str, str], int]) -> list[str]:
        """Return the ids of open conflicts that a boundary explains now."""
        if not rows.has_retried:
            return []
        paths = self._connection.objects(
            f"select path from {self._records} where startswith(path, '{RETRIED}')"
        )
        return [
            one["path"].removeprefix(RETRIED)
            for one in paths
            if (one["path"], identity_rules.CONFLICTING) not in verdicts
        ]

    def _append(self, repeated: str | None, before: Before, new: int, now: datetime) -> None:
        raw, batch = self._tables.raw, before.last_batch + 1
        statement = writing.append(
            self._records, repeated, raw, after=before.raw_batch or 0, batch=batch, now=now
        )
        try:
            self._connection.execute(statement)
        except self._connection.refused as error:
            if overlap.is_overlap(error):
                raise self._overlap() from error
            raise
        appended = self._connection.number(
            f"select count(*) from {raw}"
            f" where _cdc_batch_id = {batch} and _cdc_landed_at = {writing.moment(now)}"
        )
        if appended != new:
            raise self._overlap()

    def _overlap(self) -> OverlappingRunError:
        return OverlappingRunError(overlap.refusal(self._connection.query, self._tables.raw))
