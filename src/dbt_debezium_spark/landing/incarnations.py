"""Incarnations: a topic that was deleted and created anew starts its offsets again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

if TYPE_CHECKING:
    from pyspark.sql import Column


def incarnation(boundaries: Sequence[str]) -> Column:
    """Return how many boundaries lie at or before a record's `timestamp`.

    Computed from the configuration wherever it is needed and stored nowhere, so that a boundary
    declared later holds for what landed before. A record without timestamp is of incarnation 0.

    Args:
        boundaries: ISO timestamps in UTC.
    """
    passed = [
        F.coalesce(F.col("timestamp") >= F.lit(moment).cast("timestamp"), F.lit(False)).cast("int")
        for moment in boundaries
    ]
    return reduce(add, passed, F.lit(0))
