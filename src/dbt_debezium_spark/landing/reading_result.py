"""The result of reading an input once, whatever its type, and the rows in it, counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from dbt_debezium_spark.landing.ledger import Entry, OffsetRange
from dbt_debezium_spark.landing.rejections import Problem
from dbt_debezium_spark.landing.repeats import CONTENT_HASH
from dbt_debezium_spark.landing.schemas import RECORD
from dbt_debezium_spark.landing.statements import Statements


@dataclass
class Reading:
    """The records and rejections of one run.

    Attributes:
        rows: relation with `schemas.CANDIDATE_COLUMNS`; None if there are none.
        entries: new entries of the ledger, by `path` of the rows.
        problems: what is rejected as a whole.
        places: SELECT of the blocks of files, see `block_numbers`; None for an input without files.
        has_rejected: whether a row is no record.
        has_unique_offsets: whether (topic, partition, offset) is unique in the records.
        files: names of what was read as a whole; their earlier rejections have the same names.
        missing_bytes: by path of an uncompressed file the number of bytes that were not read.
        content: SQL: what is equal in equal records.
    """

    rows: str | None = None
    entries: dict[str, Entry] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    places: str | None = None
    has_rejected: bool = False
    has_unique_offsets: bool = False
    files: list[str] = field(default_factory=list)
    missing_bytes: dict[str, int] = field(default_factory=dict)
    content: str = CONTENT_HASH

    @property
    def record_count(self) -> int:
        """The number of records, including repeated ones."""
        return sum(entry.records for entry in self.entries.values())

    def count(self, groups: Iterable[Group]) -> None:
        """Add the records of some groups to the entries of their paths."""
        for group in groups:
            if group.state == RECORD:
                entry = self.entries[group.path]
                entry.records += group.rows
                entry.ranges.append(group.range)


class Group(NamedTuple):
    """The rows of one partition, with one state, in one block of a file."""

    path: str
    state: str
    rows: int
    first_seq: int
    last_seq: int
    block: int = 0
    topic: str | None = None
    partition: int | None = None
    min_offset: int | None = None
    max_offset: int | None = None
    line_bytes: int = 0
    like_record: bool = False

    @property
    def range(self) -> OffsetRange:
        """The offsets of records."""
        assert self.topic is not None and self.partition is not None
        assert self.min_offset is not None and self.max_offset is not None
        return OffsetRange(self.topic, self.partition, self.min_offset, self.max_offset, self.rows)


def groups_of(
    connection: Statements, rows: str, more: Mapping[str, str] | None = None
) -> list[Group]:
    """Count the rows of a reading; this reads them for the first time.

    Args:
        connection: where it is executed.
        rows: relation with the columns of candidates.
        more: further members of a group, with their SQL.
    """
    further = "".join(f",\n    {sql} as {name}" for name, sql in (more or {}).items())
    groups = connection.objects(
        f"""\
select
    path,
    block,
    topic,
    `partition`,
    state,
    count(*) as rows,
    min(seq) as first_seq,
    max(seq) as last_seq,
    min(`offset`) as min_offset,
    max(`offset`) as max_offset{further}
from {rows}
group by path, block, topic, `partition`, state"""
    )
    return [Group(**group) for group in groups]
