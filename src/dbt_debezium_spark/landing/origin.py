"""What landing asks of an input, and what it tells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from dbt_debezium_spark.landing.ledger import OffsetRange
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.tables import Tables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class Landed:
    """What earlier runs left.

    Attributes:
        raw: the raw table; None when nothing is in it.
        history: the ledger, empty when nothing is in the raw table.
        crashed_ranges: what a run appended that ended before it wrote the ledger.
    """

    raw: DataFrame | None
    history: DataFrame
    crashed_ranges: dict[tuple[str, int], OffsetRange]


class Origin(Protocol):
    """Where a source's records come from."""

    def read(
        self,
        session: SparkSession,
        tables: Tables,
        landed: Landed,
        *,
        has_open_foreign_files: bool,
    ) -> Reading:
        """Return what may be new; what has landed before is sorted out by its content later.

        Args:
            session: Spark.
            tables: the raw table and its side tables.
            landed: what earlier runs left.
            has_open_foreign_files: whether some rejection is of a file that holds no records.

        Returns:
            A reading without entries and rejections when there is nothing new.
        """
