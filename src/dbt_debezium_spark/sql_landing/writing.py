"""Statements that write what a run found, into the tables of `landing`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dbt_debezium_spark.landing import rejection_rules
from dbt_debezium_spark.landing.ledger import Entry
from dbt_debezium_spark.landing.rejections import IDS_PER_DELETE
from dbt_debezium_spark.landing.schemas import (
    LEDGER_COLUMNS,
    RAW_COLUMNS,
    RECORD_COLUMNS,
    REJECTED_COLUMNS,
)
from dbt_debezium_spark.local_frames import ddl
from dbt_debezium_spark.sql_landing.input_rows import RECORD, REJECTED
from dbt_debezium_spark.sql_text import quoted_name, text_literal

_RECORD_NAMES = ", ".join(map(quoted_name, RECORD_COLUMNS))


def moment(time: datetime) -> str:
    """Return a time as SQL."""
    return f"cast('{time.isoformat()}' as timestamp)"


def create_table(table: str, columns: dict[str, str], file_format: str) -> str:
    """Return the statement that creates a side table unless it exists."""
    return f"create table if not exists {table} ({ddl(columns)}) using {file_format}"


def rejections(records: str, conflicts: str | None) -> str:
    """Return the SELECT of a run's rejections.

    Args:
        records: table of the run's rows.
        conflicts: SELECT of `path` and `seq` of the records that contradict a landed one.
    """
    bad = f"""\
select *, {rejection_rules.LINE_ID} as rejection_id
from (
    select
        path as file,
        {rejection_rules.LINE_OF_ROW} as line,
        reason,
        content,
        cast(null as string) as content_hash,
        {_RECORD_NAMES}
    from {records}
    where state = '{REJECTED}'
)"""
    if conflicts is None:
        return bad
    return f"""\
{bad}
union all
select
    cast(null as string) as file,
    cast(null as bigint) as line,
    reason,
    cast(null as string) as content,
    cast(null as string) as content_hash,
    {_RECORD_NAMES},
    rejection_id
from (
    select *, {rejection_rules.COPY} as copy
    from (
        select
            *,
            {rejection_rules.CONFLICT_REASON} as reason,
            {rejection_rules.CONFLICT_ID} as rejection_id
        from (
            select path, cast(0 as bigint) as block, seq, {_RECORD_NAMES}
            from {records}
            where state = '{RECORD}'
        )
        left semi join (
{conflicts}
        )
            using (path, seq)
    )
)
where copy = 1"""


def new_rejections(found: str, rejected: str) -> str:
    """Return the SELECT of those rejections that the rejected table does not have."""
    return f"""\
select found.*
from (
{found}
) as found
left anti join {rejected} as known
    on found.rejection_id = known.rejection_id"""


def resolved_rejections(found: str | None, rejected: str, paths: Sequence[str]) -> str:
    """Return the SELECT of the ids of rejections that a run has not found again.

    Args:
        found: SELECT of the rejections of this run; None for none.
        rejected: the rejected table.
        paths: of the partitions of which all rows were read.
    """
    resolved = f"""\
select known.rejection_id
from {rejected} as known"""
    if found is not None:
        resolved += f"""
left anti join (
{found}
) as found
    on found.rejection_id = known.rejection_id"""
    return f"""\
{resolved}
where not ({rejection_rules.IS_CONFLICT}) and file in ({", ".join(map(text_literal, paths))})"""


def insert_rejections(new: str, rejected: str, batch: int, now: datetime) -> str:
    """Return the statement that adds rejections to the rejected table."""
    names = [quoted_name(name) for name in REJECTED_COLUMNS if not name.startswith("_cdc_")]
    return f"""\
insert into {rejected} ({", ".join(names)}, _cdc_batch_id, _cdc_landed_at)
select {", ".join(names)}, cast({batch} as bigint), {moment(now)}
from (
{new}
)"""


def delete_rejections(rejected: str, ids: Sequence[str]) -> list[str]:
    """Return the statements that delete rejections by id."""
    return [
        f"delete from {rejected} where rejection_id in"
        f" ({', '.join(map(text_literal, ids[start : start + IDS_PER_DELETE]))})"
        for start in range(0, len(ids), IDS_PER_DELETE)
    ]


def append(
    records: str, repeated: str | None, raw: str, *, after: int, batch: int, now: datetime
) -> str:
    """Return the statement that appends a run's new records, all or none.

    It is a MERGE, because table formats commit one only if the rows that it read are still the
    same; they commit an INSERT in any case. It reads the batches above the highest one that the run
    saw. If there are any, they match each record, and nothing is inserted.

    Args:
        records: table of the run's rows.
        repeated: SELECT of `path` and `seq` of the records that do not land; None for none.
        raw: the raw table.
        after: the highest batch that this run saw.
        batch: number of this run.
        now: time of this run.
    """
    names = [quoted_name(name) for name in RAW_COLUMNS]
    without = f"\n    left anti join (\n{repeated}\n    )\n        using (path, seq)"
    return f"""\
merge into {raw} as landed
using (
    select
        {_RECORD_NAMES},
        cast({batch} as bigint) as _cdc_batch_id,
        {moment(now)} as _cdc_landed_at
    from (select * from {records} where state = '{RECORD}'){without if repeated else ""}
) as new
on landed._cdc_batch_id > {after}
when matched and false then delete
when not matched then insert ({", ".join(names)})
values ({", ".join(f"new.{name}" for name in names)})"""


def insert_entries(ledger: str, entries: Sequence[Entry], batch: int, now: datetime) -> str:
    """Return the statement that adds entries to the ledger."""
    rows = []
    for entry in entries:
        ranges = ", ".join(
            f"named_struct('topic', {text_literal(one.topic)}, 'partition', {one.partition},"
            f" 'min_offset', cast({one.min_offset} as bigint),"
            f" 'max_offset', cast({one.max_offset} as bigint),"
            f" 'records', cast({one.records} as bigint))"
            for one in entry.ranges
        )
        rows.append(
            f"({text_literal(entry.file.name)}, cast({entry.file.size} as bigint),"
            f" {moment(entry.file.modified_at)}, cast({entry.lines} as bigint),"
            f" cast({entry.records} as bigint), cast({entry.landed} as bigint), array({ranges}),"
            # only offsets of Kafka remain
            f" cast(null as bigint), cast({batch} as bigint), {moment(now)})"
        )
    names = ", ".join(map(quoted_name, LEDGER_COLUMNS))
    return f"insert into {ledger} ({names})\nvalues\n" + ",\n".join(rows)
