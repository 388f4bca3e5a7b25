"""Find the records of a run that repeat or contradict a landed record.

A record's identity is (topic, incarnation, partition, offset). Two records of one identity are
- a redelivery if key and value are equal; one copy lands. Null and empty are equal, because landing
  layers store a tombstone either way;
- a conflict otherwise: the topic was deleted and created again. The landed record stays. Within one
  run the record with the earlier timestamp lands, then by file and line, because it came first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dbt_debezium_spark.landing.before import Before
from dbt_debezium_spark.landing.ledger import OffsetRange
from dbt_debezium_spark.landing.statements import Statements, rows_as_sql
from dbt_debezium_spark.text.sql_text import quoted_name, text_literal

IDENTITY = ("topic", "incarnation", "partition", "offset")
REDELIVERED, CONFLICTING = "redelivered", "conflicting"
# For more ranges, a filter by topic and by lowest and highest offset is faster to plan.
MAX_RANGES_IN_FILTER = 200
_IDENTITY = ", ".join(map(quoted_name, IDENTITY))
# Of the records of one identity in one run, the one with the earlier timestamp came first.
_IN_ORDER = f"over (partition by {_IDENTITY} order by `timestamp` asc nulls last, path, block, seq)"
_RANGE = {"topic": "string", "partition": "int", "lowest": "bigint", "highest": "bigint"}


def hash_of(key: str, value: str) -> str:
    """Return the SQL of a hash of two texts that are not null, 128 bits in two words."""
    return (
        f"concat_ws('.', cast(xxhash64({key}, {value}) as string),"
        f" cast(xxhash64({value}, {key}, 1) as string))"
    )


CONTENT_HASH = hash_of("coalesce(key, '')", "coalesce(value, '')")


def incarnation(boundaries: Sequence[str]) -> str:
    """Return the SQL of the number of boundaries at or before a record's `timestamp`.

    When a topic is deleted and created again, its offsets restart. The number is computed from the
    configuration and never stored, so that a boundary that is declared later also applies to
    records that landed before. A record without timestamp has incarnation 0.

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
    if not ranges:
        return "false"
    if len(ranges) <= MAX_RANGES_IN_FILTER:
        return " or ".join(
            f"(topic = {text_literal(offsets.topic)} and `partition` = {offsets.partition}"
            f" and `offset` between {offsets.min_offset} and {offsets.max_offset})"
            for offsets in ranges
        )
    topics = ", ".join(
        text_literal(topic) for topic in sorted({offsets.topic for offsets in ranges})
    )
    return (
        f"topic in ({topics}) and `offset` between {min(offsets.min_offset for offsets in ranges)}"
        f" and {max(offsets.max_offset for offsets in ranges)}"
    )


def by_partition(ranges: Iterable[OffsetRange]) -> list[OffsetRange]:
    """Return one range for each partition, which includes those given."""
    merged: dict[tuple[str, int], OffsetRange] = {}
    for offsets in ranges:
        other = merged.get((offsets.topic, offsets.partition), offsets)
        merged[offsets.topic, offsets.partition] = OffsetRange(
            offsets.topic,
            offsets.partition,
            min(offsets.min_offset, other.min_offset),
            max(offsets.max_offset, other.max_offset),
        )
    return list(merged.values())


def shared_ranges(
    connection: Statements, before: Before, ranges: Sequence[OffsetRange]
) -> list[OffsetRange]:
    """Return those of `ranges` in which records landed before.

    Args:
        connection: where it is executed.
        before: what earlier runs left.
        ranges: offsets of the run's records, one range for each partition.
    """
    if before.raw_batch is None or not ranges:
        return []
    rows = [
        (offsets.topic, offsets.partition, offsets.min_offset, offsets.max_offset)
        for offsets in ranges
    ]
    hits = connection.objects(
        f"""\
select /*+ broadcast(new) */ distinct entry.topic as topic, entry.`partition` as `partition`
from (select explode(ranges) as entry from {before.entries} where records > 0)
inner join (
    {rows_as_sql(rows, _RANGE)}
) as new
    on entry.topic = new.topic
    and entry.`partition` = new.`partition`
    and entry.min_offset <= new.highest
    and entry.max_offset >= new.lowest"""
    )
    of_partition = {(offsets.topic, offsets.partition): offsets for offsets in ranges}
    shared = {(hit["topic"], hit["partition"]) for hit in hits}
    for landed in before.unrecorded:
        new = of_partition.get((landed.topic, landed.partition))
        if new is not None and (
            landed.min_offset <= new.max_offset and landed.max_offset >= new.min_offset
        ):
            shared.add((landed.topic, landed.partition))
    return [of_partition[place] for place in sorted(shared)]


def has_repeated_identity(connection: Statements, records: str, boundaries: Sequence[str]) -> bool:
    """Return whether two records of a run have the same identity.

    Args:
        connection: where it is executed.
        records: SELECT of the run's records.
        boundaries: start of each later incarnation, ISO timestamps in UTC.
    """
    # A bit for each of 64 offsets: most topics have all of them, so that there are few groups.
    return bool(
        connection.query(
            f"""\
select 1
from (select *, {incarnation(boundaries)} as incarnation from ({records}))
group by topic, incarnation, `partition`, shiftright(`offset`, 6)
having count(*) > bit_count(bit_or(shiftleft(1L, cast(`offset` & 63 as int))))
limit 1"""
        )
    )


def repeated_records(
    records: str,
    raw: str,
    shared: Sequence[OffsetRange],
    boundaries: Sequence[str],
    content: str = CONTENT_HASH,
) -> str:
    """Return the SELECT of `path`, `seq` and `verdict` of the records that must not land.

    Args:
        records: SELECT of the run's records.
        raw: the raw table.
        shared: ranges in which records landed before; no other files of the raw table are read.
        boundaries: start of each later incarnation, ISO timestamps in UTC.
        content: SQL: what is equal in equal records.
    """
    identity = (
        f"topic, {incarnation(boundaries)} as incarnation, `partition`, `offset`, {content} as hash"
    )
    # `landed`: hashes of the landed records of the identity, null if there are none.
    return f"""\
select
    path,
    seq,
    case
        when if(landed is null, hash = first_hash, array_contains(landed, hash))
            then '{REDELIVERED}'
        else '{CONFLICTING}'
    end as verdict
from (
    select
        new.*,
        row_number() {_IN_ORDER} as rank,
        first(hash) {_IN_ORDER} as first_hash
    from (select path, block, seq, `timestamp`, {identity} from ({records})) as new
)
left join (
    select {_IDENTITY}, collect_set(hash) as landed
    from (select {identity} from {raw} where {in_ranges(shared)})
    group by {_IDENTITY}
)
    using ({_IDENTITY})
where landed is not null or rank > 1"""
