"""The interface between landing and the types of input."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from dbt_debezium_spark.landing.ledger import OffsetRange
from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.tables import Tables

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class LandingState:
    """Tables as earlier runs left them.

    Attributes:
        raw: the raw table; None if it is empty.
        ledger: the ledger; empty if the raw table is empty.
        unrecorded_ranges: offsets that a run appended without writing the ledger.
    """

    raw: DataFrame | None
    ledger: DataFrame
    unrecorded_ranges: dict[tuple[str, int], OffsetRange]


class Origin(Protocol):
    """Where a source's records come from."""

    def read(
        self,
        session: SparkSession,
        tables: Tables,
        state: LandingState,
        *,
        has_open_foreign_files: bool,
    ) -> Reading:
        """Return records that may be new; `duplicates` removes those that landed before.

        Args:
            session: Spark.
            tables: the raw table and its side tables.
            state: tables as earlier runs left them.
            has_open_foreign_files: whether a file without records is still rejected.

        Returns:
            A reading; it has no entries and no rejections if nothing is new.
        """
