"""Incarnations of a topic: when it is deleted and created again, its offsets restart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.landing import identity_rules

if TYPE_CHECKING:
    from pyspark.sql import Column


def incarnation(boundaries: Sequence[str]) -> Column:
    """Return the number of boundaries at or before a record's `timestamp`.

    It is computed from the configuration and never stored, so that a boundary that is declared
    later also applies to records that landed before. A record without timestamp has incarnation 0.

    Args:
        boundaries: ISO timestamps in UTC.
    """
    return F.expr(identity_rules.incarnation(boundaries))
