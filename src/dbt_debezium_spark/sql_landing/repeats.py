"""Records of a run that repeat or contradict a landed record: `landing.duplicates` in SQL."""

from __future__ import annotations

from collections.abc import Sequence

from dbt_debezium_spark.landing import identity_rules
from dbt_debezium_spark.landing.ledger import OffsetRange
from dbt_debezium_spark.landing.tables import Tables
from dbt_debezium_spark.sql_landing.input_rows import RECORD
from dbt_debezium_spark.sql_landing.statements import Statements
from dbt_debezium_spark.sql_text import quoted_name, text_literal

_IDENTITY = ", ".join(map(quoted_name, identity_rules.IDENTITY))


def has_repeated_identity(connection: Statements, records: str, boundaries: Sequence[str]) -> bool:
    """Return whether two records of a run have the same identity.

    Args:
        connection: where it is executed.
        records: table of the run's rows.
        boundaries: start of each later incarnation, ISO timestamps in UTC.
    """
    repeated = connection.number(
        f"""\
select count(*)
from (
    select 1
    from (
        select *, {identity_rules.incarnation(boundaries)} as incarnation
        from {records}
        where state = '{RECORD}'
    )
    group by {_IDENTITY}
    having count(*) > 1
    limit 1
)"""
    )
    return repeated > 0


def shared_ranges(
    connection: Statements,
    tables: Tables,
    ranges: Sequence[OffsetRange],
    *,
    is_raw_empty: bool,
    unrecorded: Sequence[OffsetRange],
) -> list[OffsetRange]:
    """Return those of `ranges` in which records landed before.

    Args:
        connection: where it is executed.
        tables: the raw table and its side tables.
        ranges: offsets of the run's records, one range for each partition.
        is_raw_empty: whether nothing has landed.
        unrecorded: offsets that landed without a ledger entry.
    """
    if is_raw_empty or not ranges:
        return []
    rows = ",\n".join(
        f"({text_literal(one.topic)}, {one.partition}, {one.min_offset}, {one.max_offset})"
        for one in ranges
    )
    hits = connection.objects(
        f"""\
select distinct entry.topic as topic, entry.`partition` as `partition`
from (select explode(ranges) as entry from {tables.ledger} where records > 0)
inner join (
    select
        col1 as topic,
        cast(col2 as int) as `partition`,
        cast(col3 as bigint) as lowest,
        cast(col4 as bigint) as highest
    from values
{rows}
) as new
    on entry.topic = new.topic
    and entry.`partition` = new.`partition`
    and entry.min_offset <= new.highest
    and entry.max_offset >= new.lowest"""
    )
    shared = {(hit["topic"], hit["partition"]) for hit in hits}
    by_partition = {(one.topic, one.partition): one for one in ranges}
    for landed in unrecorded:
        one = by_partition.get((landed.topic, landed.partition))
        if one is not None and (
            landed.min_offset <= one.max_offset and landed.max_offset >= one.min_offset
        ):
            shared.add((landed.topic, landed.partition))
    return [by_partition[place] for place in sorted(shared)]


def repeated_records(
    records: str, raw: str, shared: Sequence[OffsetRange], boundaries: Sequence[str]
) -> str:
    """Return the SELECT of `path`, `seq` and `verdict` of the records that must not land.

    Args:
        records: table of the run's rows.
        raw: the raw table.
        shared: ranges in which records landed before.
        boundaries: start of each later incarnation, ISO timestamps in UTC.
    """
    incarnation = identity_rules.incarnation(boundaries)
    return f"""\
select path, seq, {identity_rules.VERDICT} as verdict
from (
    select
        new.*,
        {identity_rules.RANK} as rank,
        {identity_rules.FIRST_HASH} as first_hash
    from (
        select
            path,
            cast(0 as bigint) as block,
            seq,
            `timestamp`,
            topic,
            {incarnation} as incarnation,
            `partition`,
            `offset`,
            {identity_rules.CONTENT_HASH} as hash
        from {records}
        where state = '{RECORD}'
    ) as new
)
left join (
    select {_IDENTITY}, collect_set(hash) as landed
    from (
        select
            topic,
            {incarnation} as incarnation,
            `partition`,
            `offset`,
            {identity_rules.CONTENT_HASH} as hash
        from {raw}
        where {identity_rules.in_ranges(shared) if shared else "false"}
    )
    group by {_IDENTITY}
)
    using ({_IDENTITY})
where not ({identity_rules.IS_NEW})"""
