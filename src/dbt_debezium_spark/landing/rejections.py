"""`raw_<source>__rejected`: lines, files and records that cannot land until they are resolved.

The table contains the open rejections. A test that expects no rows passes once all are resolved:

- A rejected line or file belongs to one version of a file. When a later version is read, landing
  deletes the rejections that no longer apply: a cut last line is complete, a line is repaired, a
  foreign file is replaced or removed.
- A conflicting record lands when a boundary in `incarnations` explains it.
- A rejection that a person deletes stays deleted until its file changes. This accepts a loss.

Nothing is stored twice: `rejection_id` is a hash of file, line and content, or of topic,
partition, offset and content.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from dbt_debezium_spark.landing.schemas import (
    RECORD,
    RECORD_COLUMNS,
    REJECTED,
    REJECTED_COLUMNS,
    RUN_COLUMNS,
)
from dbt_debezium_spark.landing.statements import Statements, moment, rows_as_sql
from dbt_debezium_spark.text.sql_text import quoted_name, text_literal

CONFLICT = "conflicting_record"
FOREIGN = "foreign_file"
FOREIGN_RELATION = "foreign_relation"
IS_CONFLICT = f"reason like '{CONFLICT}%'"
IS_FOREIGN = f"reason like '{FOREIGN}%' or reason like '{FOREIGN_RELATION}%'"
RETRIED = "rejected:"
IDS_PER_DELETE = 1_000

_RECORD_NAMES = ", ".join(map(quoted_name, RECORD_COLUMNS))
_NAMES = [name for name in REJECTED_COLUMNS if name not in RUN_COLUMNS]
# Of a line or row. Versions of a file that is none differ only in the reason.
_LINE_ID = (
    r"sha2(concat_ws('\u0001', file, coalesce(cast(line as string), ''),"
    " coalesce(content_hash, content, reason)), 256)"
)
# Of a record with the columns of the raw table. Null and empty are equal, as in `repeats`.
_CONFLICT_ID = (
    r"sha2(concat_ws('\u0001', "
    + ", ".join(
        f"coalesce(cast(`{name}` as string), '')"
        for name in ("topic", "partition", "offset", "key", "value")
    )
    + "), 256)"
)
_CONFLICT_REASON = (
    f"concat('{CONFLICT}: another record landed as ',"
    " concat_ws(':', topic, cast(`partition` as string), cast(`offset` as string)))"
)
# A compressed file does not show whether its last line has a newline. A whole record ends with a
# brace.
CUT_LINE_REASON = """\
if(
            seq = cut_seq
            and startswith(reason, 'malformed_line')
            and not (compressed and endswith(rtrim(content), '}')),
            regexp_replace(reason, '^malformed_line', 'truncated_line'),
            reason
        )"""
_PROBLEM_COLUMNS = {
    "file": "string",
    "reason": "string",
    "topic": "string",
    "partition": "int",
    "offset": "bigint",
    "rejection_id": "string",
}


class Problem(NamedTuple):
    """What is rejected as a whole: a file or a relation, or offsets of a partition."""

    file: str | None
    reason: str
    topic: str | None = None
    partition: int | None = None
    offset: int | None = None

    @property
    def rejection_id(self) -> str:
        """The id, as `rejections` gives one to lines."""
        of_file = (self.file, "", self.reason)
        parts = (self.reason, self.topic, self.partition) if self.file is None else of_file
        text = "\x01".join("" if part is None else str(part) for part in parts)
        return hashlib.sha256(text.encode()).hexdigest()


def rejections(
    candidates: str, places: str | None, conflicts: str | None, problems: Sequence[Problem]
) -> str:
    """Return the SELECT of a run's rejections; a repeated conflict is one.

    Args:
        candidates: SELECT with `schemas.CANDIDATE_COLUMNS`.
        places: SELECT of the blocks of files: see `block_numbers`. None for an input without
            files, where a rejection has the path of its row, and the offset as line.
        conflicts: SELECT of `path` and `seq` of the records that contradict a landed one.
        problems: what is rejected as a whole.
    """
    located = f"""\
    select
        *,
        if(state = '{REJECTED}', path, null) as file,
        if(state = '{REJECTED}', try_cast(get_json_object(content, '$.offset') as bigint), null)
            as line
    from (
{candidates}
    )"""
    if places is not None:
        located = f"""\
    select
        found.* except (reason),
        {CUT_LINE_REASON} as reason,
        place.file,
        seq + place.shift as line
    from (
{candidates}
    ) as found
    left join (
{places}
    ) as place
        using (path, block)"""
    parts = [
        f"""\
select file, line, reason, content, {_RECORD_NAMES}, {_LINE_ID} as rejection_id
from (
{located}
)
where state = '{REJECTED}'"""
    ]
    if conflicts is not None:
        # Of equal conflicts the one that came first is kept, or its timestamp would be left to
        # chance.
        parts.append(
            f"""\
select file, line, reason, content, {_RECORD_NAMES}, rejection_id
from (
    select
        *,
        row_number() over (
            partition by rejection_id order by `timestamp` asc nulls last, path, block, seq
        ) as copy
    from (
        select * except (reason), {_CONFLICT_REASON} as reason, {_CONFLICT_ID} as rejection_id
        from (
{located}
        )
        left semi join (
{conflicts}
        )
            using (path, seq)
        where state = '{RECORD}'
    )
)
where copy = 1"""
        )
    if problems:
        rows = [(*problem, problem.rejection_id) for problem in problems]
        columns = ", ".join(
            f"cast({quoted_name(name) if name in _PROBLEM_COLUMNS else 'null'} as {kind})"
            for name, kind in REJECTED_COLUMNS.items()
            if name in _NAMES
        )
        parts.append(f"select {columns}\nfrom (\n{rows_as_sql(rows, _PROBLEM_COLUMNS)}\n)")
    return "\nunion all\n".join(parts)


def write_rejections(
    connection: Statements,
    table: str,
    found: str | None,
    names: Collection[str],
    batch: int,
    now: datetime,
) -> int:
    """Add new rejections, and delete old ones that no longer apply.

    Args:
        connection: where it is executed.
        table: the rejected table.
        found: SELECT of the rejections of this run; None for none.
        names: `file` of the files and partitions of which everything was read.
        batch: number of this run.
        now: time of this run.

    Returns:
        The number of rejections added.
    """
    added = 0
    new = ""
    if found is not None:
        found = connection.kept(found)
        new = (
            f"select found.* from {found} as found left anti join {table} as known"
            " on found.rejection_id = known.rejection_id"
        )
        added = connection.number(f"select count(*) from (\n{new}\n)")
    if names:
        again = (
            ""
            if found is None
            else f"left anti join {found} as again on again.rejection_id = known.rejection_id"
        )
        stale = connection.objects(
            f"""\
select known.rejection_id
from {table} as known
left semi join (
    {rows_as_sql([(name,) for name in sorted(names)], {"name": "string"})}
)
    on known.file = name
{again}
where not ({IS_CONFLICT})"""
        )
        delete(connection, table, [row["rejection_id"] for row in stale])
    if added:
        columns = ", ".join(map(quoted_name, _NAMES))
        connection.execute(
            f"""\
insert into {table} ({columns}, _cdc_batch_id, _cdc_landed_at)
select {columns}, cast({batch} as bigint), {moment(now)}
from (
{new}
)"""
        )
    return added


def open_conflicts(table: str, now: datetime) -> str:
    """Return the SELECT of the open conflicts, as candidates that a boundary may explain.

    Args:
        table: the rejected table.
        now: time of this run: the table is also read after this run added conflicts, which are not
            of earlier runs.
    """
    return f"""\
select
    concat('{RETRIED}', rejection_id) as path,
    cast(0 as bigint) as block,
    cast(0 as bigint) as seq,
    '{RECORD}' as state,
    {_RECORD_NAMES},
    cast(null as string) as reason,
    cast(null as string) as content,
    cast(null as string) as content_hash
from {table}
where {IS_CONFLICT} and _cdc_landed_at != {moment(now)}"""


def delete_missing(
    connection: Statements,
    table: str,
    code: str,
    existing: Callable[[Sequence[str]], Iterable[str]],
) -> None:
    """Delete rejections of whole files or relations that do not exist any more.

    Args:
        connection: where it is executed.
        table: the rejected table.
        code: `FOREIGN` or `FOREIGN_RELATION`.
        existing: returns those names among some whose rejections stay.
    """
    rows = connection.objects(f"select rejection_id, file from {table} where reason like '{code}%'")
    kept = set(existing([row["file"] for row in rows]))
    delete(connection, table, [row["rejection_id"] for row in rows if row["file"] not in kept])


def delete(connection: Statements, table: str, ids: Sequence[str]) -> None:
    """Delete rejections by id."""
    for start in range(0, len(ids), IDS_PER_DELETE):
        chosen = ", ".join(map(text_literal, ids[start : start + IDS_PER_DELETE]))
        connection.execute(f"delete from {table} where rejection_id in ({chosen})")
