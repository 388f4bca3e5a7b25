"""Incarnations of a topic: when it is deleted and created again, its offsets restart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import Column


def incarnation(boundaries: Sequence[str]) -> Column:
    """Return the number of boundaries at or before a record's `timestamp`.

    It is computed from the configuration and never stored, so that a boundary that is declared
    later also applies to records that landed before. A record without timestamp has incarnation 0.

    Args:
        boundaries: ISO timestamps in UTC.
    """
    passed = [
        F.coalesce(F.col("timestamp") >= F.lit(moment).cast("timestamp"), F.lit(False)).cast("int")
        for moment in boundaries
    ]
    return reduce(add, passed, F.lit(0))
