"""The interfaces between landing and the types of input, which know it, not it them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.run import Run
from dbt_debezium_spark.landing.scratch import Scratch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


class Origin(Protocol):
    """Where a source's records come from."""

    def read(self, scratch: Scratch, run: Run) -> Reading:
        """Return records that may be new; `repeats` finds those that landed before.

        Args:
            scratch: the session, and what the run keeps in it.
            run: the run, with the tables as earlier runs left them.

        Returns:
            A reading; it has no entries and no problems if nothing is new.
        """


class Decoder(Protocol):
    """Makes text of keys and values that are bytes."""

    def applies(self, rows: DataFrame) -> bool:
        """Return whether rows have a side to decode; a nested side was decoded by its writer."""

    def has_bytes(self, rows: DataFrame) -> bool:
        """Return whether there are bytes to decode; text was decoded by the writer of the rows."""

    def decode(self, session: SparkSession, rows: DataFrame) -> DataFrame:
        """Return rows with key and value as text, their bytes, and a `reason` if decoding failed.

        Raises:
            InputError: a schema cannot be had.
        """
