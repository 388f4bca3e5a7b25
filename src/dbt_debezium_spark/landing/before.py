"""The tables of a source as earlier runs left them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dbt_debezium_spark.landing.ledger import OffsetRange
from dbt_debezium_spark.landing.rejections import IS_FOREIGN
from dbt_debezium_spark.landing.statements import Statements
from dbt_debezium_spark.landing.tables import Tables


@dataclass(frozen=True)
class Before:
    """What a run must know of the earlier ones.

    Attributes:
        entries: the entries of the ledger, as a relation; none if the raw table is empty.
        ledger_batch: the highest batch of the ledger, 0 for none.
        recorded: number of records that landed, by the ledger.
        raw_batch: the highest batch of the raw table; None if it is empty, because nothing landed
            or it was created anew.
        unrecorded: offsets that a run appended without writing the ledger, by partition.
        open_rejections: number of open rejections.
        open_foreign: how many of them are of whole files and relations.
    """

    entries: str
    ledger_batch: int
    recorded: int
    raw_batch: int | None
    unrecorded: Sequence[OffsetRange]
    open_rejections: int
    open_foreign: int

    @property
    def last_batch(self) -> int:
        """The highest batch of both tables."""
        return max(self.ledger_batch, self.raw_batch or 0)


def read_before(connection: Statements, tables: Tables) -> Before:
    """Return what earlier runs left.

    Args:
        connection: where it is executed.
        tables: the raw table and its side tables, which exist.
    """
    ledger, rejected = (
        connection.objects(select)[0]
        for select in (
            f"select max(_cdc_batch_id) as batch, sum(landed) as recorded from {tables.ledger}",
            f"select count(*) as open, count_if({IS_FOREIGN}) as foreign from {tables.rejected}",
        )
    )
    ledger_batch = ledger.get("batch") or 0
    # Both formats compute this from metadata, if nothing is around it.
    raw_batch = connection.query(f"select max(_cdc_batch_id) from {tables.raw}")[0][0]
    return Before(
        # The entries describe a raw table that does not exist any more.
        tables.ledger if raw_batch is not None else f"(select * from {tables.ledger} where false)",
        ledger_batch,
        ledger.get("recorded") or 0,
        raw_batch,
        _unrecorded_ranges(connection, tables.raw, ledger_batch, raw_batch or 0),
        rejected["open"],
        rejected["foreign"],
    )


def _unrecorded_ranges(
    connection: Statements, raw: str, ledger_batch: int, raw_batch: int
) -> list[OffsetRange]:
    """Return the ranges of a run that ended after the append, before it wrote the ledger."""
    if raw_batch <= ledger_batch:
        return []
    groups = connection.objects(
        "select topic, `partition`, min(`offset`) as min_offset, max(`offset`) as max_offset"
        f" from {raw} where _cdc_batch_id > {ledger_batch} group by topic, `partition`"
    )
    return [OffsetRange(**group) for group in groups]
