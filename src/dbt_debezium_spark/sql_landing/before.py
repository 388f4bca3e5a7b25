"""The tables of a source as earlier runs left them."""

from __future__ import annotations

from dataclasses import dataclass

from dbt_debezium_spark.landing.ledger import OffsetRange
from dbt_debezium_spark.landing.tables import Tables
from dbt_debezium_spark.sql_landing.statements import Statements


@dataclass(frozen=True)
class Before:
    """What a run must know of the earlier ones.

    Attributes:
        ledger_batch: the highest batch of the ledger, 0 for none.
        recorded: number of records that landed, by the ledger.
        raw_batch: the highest batch of the raw table; None if it is empty.
    """

    ledger_batch: int
    recorded: int
    raw_batch: int | None

    @property
    def is_raw_empty(self) -> bool:
        """Whether nothing has landed, or the raw table was created anew."""
        return self.raw_batch is None

    @property
    def last_batch(self) -> int:
        """The highest batch of both tables."""
        return max(self.ledger_batch, self.raw_batch or 0)


def read_before(connection: Statements, tables: Tables) -> Before:
    """Return what earlier runs left."""
    (ledger,) = connection.objects(
        f"select max(_cdc_batch_id) as batch, sum(landed) as recorded from {tables.ledger}"
    )
    # Both formats compute this from metadata, if nothing is around it.
    raw_batch = connection.query(f"select max(_cdc_batch_id) from {tables.raw}")[0][0]
    return Before(
        ledger.get("batch") or 0,
        ledger.get("recorded") or 0,
        None if raw_batch is None else int(raw_batch),
    )


def unrecorded_ranges(connection: Statements, tables: Tables, before: Before) -> list[OffsetRange]:
    """Return the ranges that a run appended without writing the ledger."""
    if before.raw_batch is None or before.raw_batch <= before.ledger_batch:
        return []
    groups = connection.objects(
        f"""\
select topic, `partition`, min(`offset`) as lowest, max(`offset`) as highest
from {tables.raw}
where _cdc_batch_id > {before.ledger_batch}
group by topic, `partition`"""
    )
    return [
        OffsetRange(one["topic"], one["partition"], one["lowest"], one["highest"]) for one in groups
    ]
