"""What a run reads of tables that somebody else fills: new, late and unplaced rows by partition.

For each partition, a few numbers that are cheap in columnar formats are compared with those of the
last run that read it. A row without an offset has no place: it is no record, and it is read again
only when the number of such rows changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from dbt_debezium_spark.landing.ledger import Entry, OffsetRange
from dbt_debezium_spark.landing.listing import File
from dbt_debezium_spark.landing.reading_result import Group
from dbt_debezium_spark.landing.run import Run
from dbt_debezium_spark.landing.statements import rows_as_sql
from dbt_debezium_spark.text.progress import counted, report

KIND = "table"
# Below every offset: the range of rows without one.
NO_OFFSET = -(2**63)
# A row without a topic has an empty one, and without a partition a negative one, as no record has.
NO_PARTITION = -1
_PLACE = ("_topic", "_partition", "_offset")
_WANTED = {
    "_wanted_topic": "string",
    "_wanted_partition": "int",
    "_wanted_after": "bigint",
    "_wanted_highest": "bigint",
    "_wanted_unplaced": "boolean",
}


class Extent(NamedTuple):
    """A partition of the tables, compared with its state in the last run that read it.

    Attributes:
        placed: number of rows with an offset.
        late: number of later rows up to the highest offset read. It is negative if rows were
            deleted; other rows may have been added as well.
        above: number of rows above the highest offset read.
        unplaced: number of rows without an offset.
        new_unplaced: how many more they are than in the last run that read the partition.
        last: highest offset read; None if nothing was read.
        highest: highest offset; None if no row has one.
        relations: numbers of the relations with its rows.
    """

    topic: str
    partition: int
    placed: int
    late: int
    above: int
    unplaced: int
    new_unplaced: int
    last: int | None
    highest: int | None
    relations: tuple[int, ...]

    @property
    def path(self) -> str:
        """The path of its rows, as in `row_reading`."""
        return f"{KIND}:{self.topic}/{'' if self.partition == NO_PARTITION else self.partition}"

    @property
    def is_new(self) -> bool:
        """Whether some of its rows may not have landed."""
        return self.late != 0 or self.above > 0 or self.new_unplaced != 0

    @property
    def after(self) -> int | None:
        """The offset above which rows are read; None for all rows."""
        return None if self.late else self.last

    @property
    def reads_unplaced(self) -> bool:
        """Whether the rows without an offset are read."""
        return self.after is None or self.new_unplaced != 0

    @property
    def rows_to_read(self) -> int:
        """The number of rows to read."""
        unplaced = self.unplaced if self.reads_unplaced else 0
        return (self.placed if self.late else self.above) + unplaced


def place_columns(topic: str, partition: str, offset: str) -> list[str]:
    """Return the columns with the place of a row, with types that a partition has.

    Args:
        topic: SQL of the row's topic; the others likewise.
        partition: any type.
        offset: any type.
    """
    columns = (
        f"make_valid_utf8(coalesce(cast({topic} as string), ''))",
        f"coalesce(try_cast({partition} as int), {NO_PARTITION})",
        f"try_cast({offset} as bigint)",
    )
    return [f"{sql} as {name}" for sql, name in zip(columns, _PLACE, strict=True)]


def extents(run: Run, places: str) -> list[Extent]:
    """Compare each partition with its state in the last run that read it.

    Args:
        run: the run.
        places: relation with the place of each row, and `_relation`, the number of its table.
    """
    found = run.connection.objects(
        f"""\
select /*+ broadcast(progress) */
    _topic as topic,
    _partition as `partition`,
    last,
    count(_offset) as placed,
    count_if(coalesce(_offset <= last, false)) - coalesce(max(known), 0) as late,
    count_if(_offset is not null and not coalesce(_offset <= last, false)) as above,
    count_if(_offset is null) as unplaced,
    count_if(_offset is null) - coalesce(max(known_unplaced), 0) as new_unplaced,
    max(_offset) as highest,
    collect_set(_relation) as relations
from {places}
left join (
    select
        entry.topic as _topic,
        entry.`partition` as _partition,
        max(entry.max_offset) as last,
        max_by(size, _cdc_landed_at) as known,
        max_by(lines - records, _cdc_landed_at) as known_unplaced
    from (
        select size, lines, records, _cdc_landed_at, explode(ranges) as entry
        from {run.before.entries}
        where startswith(path, '{KIND}:')
    )
    group by entry.topic, entry.`partition`
) as progress
    using (_topic, _partition)
group by _topic, _partition, last"""
    )
    return [
        Extent(
            **{"last": None, "highest": None, **row, "relations": tuple(sorted(row["relations"]))}
        )
        for row in found
    ]


def changed(extents: Iterable[Extent], source: str, place: str) -> list[Extent]:
    """Return the partitions to read, and report them.

    Args:
        extents: all partitions.
        source: name of the source.
        place: name of the input.
    """
    found = [extent for extent in extents if extent.is_new]
    if not found:
        report(f"{source}: no new rows in {place}")
    else:
        rows = counted(sum(extent.rows_to_read for extent in found), "row")
        report(f"{source}: reading {rows} of {place}, {counted(len(found), 'partition')}")
    return found


def read_whole(read: Iterable[Extent]) -> list[str]:
    """Return the paths of partitions of which all rows were read.

    Other rejections of theirs are resolved.
    """
    return [extent.path for extent in read if extent.after is None]


def rows_to_read(rows: str, wanted: Sequence[Extent]) -> str:
    """Return the SELECT of the rows to read of some partitions, without their place.

    Rows that came after the partitions were counted are left to the next run.

    Args:
        rows: relation with the columns of `place_columns` and others.
        wanted: the partitions.
    """
    places = [
        (extent.topic, extent.partition, extent.after, extent.highest, extent.reads_unplaced)
        for extent in wanted
    ]
    starts = [extent.after for extent in wanted if extent.after is not None]
    # The table format skips files by this condition.
    above = ""
    if starts and len(starts) == len(wanted):
        unplaced = " or _offset is null" if any(extent.reads_unplaced for extent in wanted) else ""
        above = f"\n    and (_offset > {min(starts)}{unplaced})"
    return f"""\
select /*+ broadcast(wanted) */ * except ({", ".join((*_PLACE, *_WANTED))})
from {rows}
inner join (
    {rows_as_sql(places, _WANTED)}
) as wanted
    on _topic = _wanted_topic and _partition = _wanted_partition
where
    if(
        _offset is null,
        _wanted_unplaced,
        (_wanted_after is null or _offset > _wanted_after) and _offset <= _wanted_highest
    ){above}"""


def entries(read: Sequence[Extent], groups: Iterable[Group]) -> dict[str, Entry]:
    """Return an entry of the ledger for each partition that was read.

    Its `size` is the number of rows with an offset, and `lines` exceeds `records` by that of rows
    without one. The range ends at the highest offset, also if the row there is no record.

    Args:
        read: the partitions.
        groups: the records of each partition; those of several relations are added up.
    """
    now = datetime.now(UTC)
    by_place: dict[tuple[str | None, int | None], list[Group]] = defaultdict(list)
    for group in groups:
        by_place[group.topic, group.partition].append(group)
    found = {}
    for extent in read:
        of_extent = by_place[extent.topic, extent.partition]
        records = sum(group.rows for group in of_extent)
        highest = NO_OFFSET if extent.highest is None else extent.highest
        lowest = min((group.range.min_offset for group in of_extent), default=highest)
        file = File(extent.path, extent.path, extent.placed, now)
        entry = Entry(file, lines=records + extent.unplaced, records=records)
        entry.ranges.append(OffsetRange(extent.topic, extent.partition, lowest, highest, records))
        found[extent.path] = entry
    return found
