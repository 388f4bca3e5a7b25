"""Rules by which records repeat or contradict each other, as SQL: see `duplicates`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dbt_debezium_spark.sql_text import text_literal

if TYPE_CHECKING:
    from dbt_debezium_spark.landing.ledger import OffsetRange

IDENTITY = ("topic", "incarnation", "partition", "offset")
REDELIVERED, CONFLICTING = "redelivered", "conflicting"
# For more ranges, a filter by topic and by lowest and highest offset is faster to plan.
MAX_RANGES_IN_FILTER = 200

# A hash of key and value, 128 bits in two words. Null and empty are equal.
CONTENT_HASH = (
    "concat_ws('.', cast(xxhash64(coalesce(key, ''), coalesce(value, '')) as string),"
    " cast(xxhash64(coalesce(value, ''), coalesce(key, ''), 1) as string))"
)
# Of the records of one identity in one run, the one with the earlier timestamp came first.
_IN_ORDER = (
    "over (partition by topic, incarnation, `partition`, `offset`"
    " order by `timestamp` asc nulls last, path, block, seq)"
)
RANK = f"row_number() {_IN_ORDER}"
FIRST_HASH = f"first(hash) {_IN_ORDER}"
# `landed`: hashes of the landed records of the identity, null if there are none.
IS_NEW = "landed is null and rank = 1"
VERDICT = (
    "case when case when landed is not null then array_contains(landed, hash)"
    f" else hash = first_hash end then '{REDELIVERED}' else '{CONFLICTING}' end"
)


def incarnation(boundaries: Sequence[str]) -> str:
    """Return the SQL of the number of boundaries at or before a record's `timestamp`.

    A record without timestamp has incarnation 0.

    Args:
        boundaries: ISO timestamps in UTC.
    """
    passed = [
        f"cast(coalesce(`timestamp` >= cast({text_literal(moment)} as timestamp), false) as int)"
        for moment in boundaries
    ]
    return " + ".join(["0", *passed])


def in_ranges(ranges: Sequence[OffsetRange]) -> str:
    """Return the SQL of whether a record may lie in some offset ranges.

    Table formats skip the files of other records by it.
    """
    if len(ranges) <= MAX_RANGES_IN_FILTER:
        return " or ".join(
            f"(topic = {text_literal(one.topic)} and `partition` = {one.partition}"
            f" and `offset` between {one.min_offset} and {one.max_offset})"
            for one in ranges
        )
    topics = ", ".join(text_literal(topic) for topic in sorted({one.topic for one in ranges}))
    return (
        f"topic in ({topics}) and `offset` between {min(one.min_offset for one in ranges)}"
        f" and {max(one.max_offset for one in ranges)}"
    )
