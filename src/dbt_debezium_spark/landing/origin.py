"""The interface between landing and the types of input."""

from __future__ import annotations

from typing import Protocol

from dbt_debezium_spark.landing.reading_result import Reading
from dbt_debezium_spark.landing.run import Run
from dbt_debezium_spark.landing.scratch import Scratch


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
