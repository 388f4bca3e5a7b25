"""What every landing run does with the rows that it has read, in SQL, on any connection."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from dbt_debezium_spark.config import SourceConfig
from dbt_debezium_spark.landing import ledger, rejections, repeats
from dbt_debezium_spark.landing.before import read_before
from dbt_debezium_spark.landing.ledger import OffsetRange
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.rejections import RETRIED
from dbt_debezium_spark.landing.schemas import CANDIDATE_COLUMNS, RECORD, RECORD_COLUMNS
from dbt_debezium_spark.landing.statements import Statements, moment
from dbt_debezium_spark.landing.tables import Tables, create_side_tables
from dbt_debezium_spark.text.progress import counted, report
from dbt_debezium_spark.text.sql_text import quoted_name

_CANDIDATE_NAMES = ", ".join(map(quoted_name, CANDIDATE_COLUMNS))
_RECORD_NAMES = ", ".join(map(quoted_name, RECORD_COLUMNS))


@dataclass(frozen=True)
class NewRecords:
    """What a run appends.

    Attributes:
        count: number of new records.
        batch: their batch number.
        select: SELECT of them, with the raw table's columns.
        text: what the run found, for dbt's log.
        commit: writes the ledger, after the records were appended.
    """

    count: int
    batch: int
    select: str
    text: str
    commit: Callable[[], None]


class Run:
    """One landing run of a source.

    Attributes:
        connection: where its statements are executed.
        source: the source's name.
        tables: the raw table and its side tables.
        before: what earlier runs left.
        now: time of the run.
    """

    def __init__(
        self, connection: Statements, tables: Tables, config: SourceConfig, file_format: str
    ) -> None:
        """Create the side tables, and look at what earlier runs left.

        Args:
            connection: where the statements are executed.
            tables: the raw table, which exists, and its side tables.
            config: the source.
            file_format: file format of the tables.
        """
        self.connection, self.tables = connection, tables
        self.source, self.boundaries = config.name, config.incarnations
        self.now = datetime.now(UTC)
        create_side_tables(connection, tables, file_format)
        self.before = read_before(connection, tables)
        if self.before.raw_batch is None and self.before.recorded:
            report(f"{tables.raw} is empty although records have landed: landing all of them again")
        # Open conflicts are read again if a boundary may explain one of them.
        self._conflicts = rejections.open_conflicts(tables.rejected, self.now)
        self._retried = self._conflict_ranges() if self.boundaries else []

    def has_work(self, reading: Reading) -> bool:
        """Return whether something is to be written."""
        return bool(reading.entries or reading.problems or self._retried)

    def new_records(self, reading: Reading) -> NewRecords:
        """Compare what was read with what landed, write the rejections, return the new records.

        A crash between two steps loses nothing and repeats nothing. Rejections have ids that depend
        on their content, the ledger is written last, and the batch number shows which records in
        the raw table have no ledger entry.
        """
        batch = self.before.last_batch + 1
        candidates = self._candidates(reading)
        total = reading.record_count + sum(offsets.records for offsets in self._retried)
        repeated = self._repeated(reading, candidates) if total else None
        verdicts = self._verdicts(repeated)
        count = total - sum(verdicts.values())
        added = self._write_rejections(reading, candidates, repeated, verdicts, batch)
        for path, entry in reading.entries.items():
            entry.landed = entry.records - sum(
                verdicts.get((path, verdict), 0)
                for verdict in (repeats.REDELIVERED, repeats.CONFLICTING)
            )
        explained = self._explained(verdicts)
        text = (
            f"{counted(count, 'new record')}, {counted(total - count, 'repeated record')},"
            f" {added:,} newly rejected"
        )
        report(f"{self.source}: {text}")

        def commit() -> None:
            rejections.delete(self.connection, self.tables.rejected, explained)
            written = batch if count else self.before.last_batch
            entries = list(reading.entries.values())
            ledger.add_entries(self.connection, self.tables.ledger, entries, written, self.now)

        without = "" if repeated is None else f"\nleft anti join {repeated} using (path, seq)"
        select = f"""\
select
    {_RECORD_NAMES},
    cast({batch} as bigint) as _cdc_batch_id,
    {moment(self.now)} as _cdc_landed_at
from ({_records(candidates)}){without}"""
        return NewRecords(count, batch, select, text, commit)

    def _conflict_ranges(self) -> list[OffsetRange]:
        groups = self.connection.objects(
            f"""\
select
    topic,
    `partition`,
    min(`offset`) as min_offset,
    max(`offset`) as max_offset,
    count(*) as records
from (
{self._conflicts}
)
group by topic, `partition`"""
        )
        return [OffsetRange(**group) for group in groups]

    def _candidates(self, reading: Reading) -> str:
        """Return the SELECT of the rows that were read, and of the conflicts to read again."""
        selects = []
        if reading.rows is not None:
            selects.append(f"select {_CANDIDATE_NAMES} from {reading.rows}")
        if self._retried or not selects:
            selects.append(self._conflicts)
        return "\nunion all\n".join(selects)

    def _repeated(self, reading: Reading, candidates: str) -> str | None:
        """Return the relation of the records that must not land; None if all of them are new."""
        ranges = [
            offsets
            for entry in reading.entries.values()
            for offsets in entry.ranges
            if offsets.records
        ]
        shared = repeats.shared_ranges(
            self.connection, self.before, repeats.by_partition([*ranges, *self._retried])
        )
        records = _records(candidates)
        if not shared:
            # The first run of a source usually has no repeats: check before comparing contents.
            is_unique = reading.has_unique_offsets and not self._retried
            if is_unique or not repeats.has_repeated_identity(
                self.connection, records, self.boundaries
            ):
                return None
        return self.connection.kept(
            repeats.repeated_records(
                records, self.tables.raw, shared, self.boundaries, reading.content
            )
        )

    def _verdicts(self, repeated: str | None) -> Mapping[tuple[str, str], int]:
        """Return the number of records by path and verdict."""
        if repeated is None:
            return {}
        groups = self.connection.objects(
            f"select path, verdict, count(*) as records from {repeated} group by path, verdict"
        )
        return {(row["path"], row["verdict"]): row["records"] for row in groups}

    def _write_rejections(
        self,
        reading: Reading,
        candidates: str,
        repeated: str | None,
        verdicts: Mapping[tuple[str, str], int],
        batch: int,
    ) -> int:
        conflicts = None
        if any(
            verdict == repeats.CONFLICTING and not path.startswith(RETRIED)
            for path, verdict in verdicts
        ):
            conflicts = f"select path, seq from {repeated} where verdict = '{repeats.CONFLICTING}'"
        found = None
        if reading.has_rejected or conflicts or reading.problems:
            found = rejections.rejections(candidates, reading.places, conflicts, reading.problems)
        elif not self.before.open_rejections:
            return 0
        return rejections.write_rejections(
            self.connection, self.tables.rejected, found, reading.files, batch, self.now
        )

    def _explained(self, verdicts: Mapping[tuple[str, str], int]) -> list[str]:
        """Return the ids of open conflicts that a boundary explains now."""
        if not self._retried:
            return []
        paths = self.connection.objects(f"select path from (\n{self._conflicts}\n)")
        return [
            row["path"].removeprefix(RETRIED)
            for row in paths
            if (row["path"], repeats.CONFLICTING) not in verdicts
        ]


def _records(candidates: str) -> str:
    return f"select * from (\n{candidates}\n) where state = '{RECORD}'"
