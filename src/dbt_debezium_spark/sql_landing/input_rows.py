"""The rows of an input that a run reads, and what it makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dbt_debezium_spark.landing import rejection_rules, row_rules
from dbt_debezium_spark.landing.relations import NO_PARTITION
from dbt_debezium_spark.landing.schemas import RECORD_COLUMNS
from dbt_debezium_spark.landing.table_progress import KIND, NO_OFFSET, Extent
from dbt_debezium_spark.landing.tables import Tables
from dbt_debezium_spark.sql_landing.statements import Statements
from dbt_debezium_spark.sql_text import quoted_name, text_literal

RECORD, REJECTED = "record", "rejected"
RETRIED = "rejected:"
_RECORD_NAMES = [quoted_name(name) for name in RECORD_COLUMNS]
# The place of a row: see `landing.relations`.
_PLACE = f"""\
    make_valid_utf8(coalesce(cast(topic as string), '')) as _topic,
    coalesce(try_cast(`partition` as int), {NO_PARTITION}) as _partition,
    try_cast(`offset` as bigint) as _offset"""
_PATH_OF_ROW = (
    "make_valid_utf8(coalesce(cast(topic as string), '')) || '/'"
    " || coalesce(cast(try_cast(`partition` as int) as string), '')"
)


def kafka_columns(select: str, columns: Mapping[str, str]) -> str:
    """Return the SELECT of an input's rows with Kafka's names.

    Args:
        select: SELECT of the input.
        columns: the input's column for each of Kafka's that it has.
    """
    members = [f"{quoted_name(name)} as {quoted_name(ours)}" for ours, name in columns.items()]
    return f"select {', '.join(members)}\nfrom (\n{select}\n)"


def extents(
    connection: Statements, rows: str, tables: Tables, *, is_raw_empty: bool
) -> list[Extent]:
    """Return the partitions of the input, compared with what was read of them.

    Args:
        connection: where it is executed.
        rows: SELECT of the input's rows with Kafka's names.
        tables: the raw table and its side tables.
        is_raw_empty: whether the ledger describes a raw table that does not exist any more.
    """
    found = connection.objects(
        f"""\
with places as (
    select
{_PLACE}
    from (
{rows}
    )
),
progress as (
    select
        entry.topic as _topic,
        entry.`partition` as _partition,
        nullif(max(entry.max_offset), {NO_OFFSET}) as last_offset,
        max_by(size, _cdc_landed_at) as known,
        max_by(lines - records, _cdc_landed_at) as known_unplaced
    from (
        select size, lines, records, _cdc_landed_at, explode(ranges) as entry
        from {tables.ledger}
        where startswith(path, '{KIND}:') and {"false" if is_raw_empty else "true"}
    )
    group by entry.topic, entry.`partition`
)
select /*+ broadcast(progress) */
    places._topic as topic,
    places._partition as `partition`,
    last_offset,
    count(_offset) as placed,
    count_if(coalesce(_offset <= last_offset, false)) - coalesce(max(known), 0) as late,
    count_if(_offset is not null and not coalesce(_offset <= last_offset, false)) as above,
    count_if(_offset is null) as unplaced,
    count_if(_offset is null) - coalesce(max(known_unplaced), 0) as new_unplaced,
    max(_offset) as highest
from places
left join progress
    on places._topic <=> progress._topic and places._partition <=> progress._partition
group by places._topic, places._partition, last_offset"""
    )
    return [
        Extent(
            row["topic"],
            row["partition"],
            row["placed"],
            row["late"],
            row["above"],
            row["unplaced"],
            row["new_unplaced"],
            row.get("last_offset"),
            row.get("highest"),
            (0,),
        )
        for row in found
    ]


def read_rows(rows: str, types: Mapping[str, str], wanted: Sequence[Extent]) -> str:
    """Return the SELECT that reads partitions, as `landing.record_rows.as_records` does.

    Args:
        rows: SELECT of the input's rows with Kafka's names.
        types: types of these columns, as Spark writes them.
        wanted: partitions to read.
    """
    typed = row_rules.typed_columns(types)
    checked = {
        name: f"case when reason is null then cast({quoted_name(name)} as {kind}) end"
        for name, kind in RECORD_COLUMNS.items()
    }
    return f"""\
with found as (
    select {", ".join(f"input.{quoted_name(name)}" for name in types)}
    from (
        select *,
{_PLACE}
        from (
{rows}
        )
    ) as input
    inner join (
        select
            cast(col1 as string) as wanted_topic,
            cast(col2 as int) as wanted_partition,
            cast(col3 as bigint) as after,
            cast(col4 as bigint) as highest,
            col5 as reads_unplaced
        from values
{_places(wanted)}
    ) as wanted
        on input._topic <=> wanted_topic and input._partition <=> wanted_partition
    where {_condition(wanted)}
),
typed as (
    select
        concat('{KIND}:', {_PATH_OF_ROW}) as path,
        monotonically_increasing_id() as seq,
        {_selected(typed, 8)},
        {row_rules.content(list(types))} as content,
        cast(null as string) as decode_error
    from found
),
checked as (
    select
        *,
{row_rules.REASON} as reason
    from typed
)
select
    path,
    seq,
    case when reason is null then '{RECORD}' else '{REJECTED}' end as state,
    {_selected(checked, 4)},
    reason,
    case when reason is not null then content end as content
from checked"""


def retried_conflicts(tables: Tables) -> str:
    """Return the SELECT of the open conflicts, as records that a boundary may explain."""
    return f"""\
select
    concat('{RETRIED}', rejection_id) as path,
    cast(0 as bigint) as seq,
    '{RECORD}' as state,
    {", ".join(_RECORD_NAMES)},
    cast(null as string) as reason,
    cast(null as string) as content
from {tables.rejected}
where {rejection_rules.IS_CONFLICT}"""


def _places(wanted: Sequence[Extent]) -> str:
    rows = [
        f"({'null' if one.topic is None else text_literal(one.topic)}, {_number(one.partition)},"
        f" {_number(one.after)}, {_number(one.highest)}, {str(one.reads_unplaced).lower()})"
        for one in wanted
    ]
    return ",\n".join(rows)


def _condition(wanted: Sequence[Extent]) -> str:
    # Rows that came after the partitions were counted are left to the next run.
    is_wanted = "(after is null or input._offset > after) and input._offset <= highest"
    condition = f"if(input._offset is null, reads_unplaced, {is_wanted})"
    starts = [one.after for one in wanted if one.after is not None]
    if len(starts) == len(wanted) and not any(one.reads_unplaced for one in wanted):
        # The table format skips files by this condition.
        condition += f" and input._offset > {min(starts)}"
    return condition


def _number(value: int | None) -> str:
    return "null" if value is None else str(value)


def _selected(columns: Mapping[str, str], spaces: int) -> str:
    separator = ",\n" + " " * spaces
    return separator.join(f"{sql} as {quoted_name(name)}" for name, sql in columns.items())
