"""What a run reads of a table, from numbers of rows by partition."""

from __future__ import annotations

import pytest

from dbt_debezium_spark.landing.reading_result import Group
from dbt_debezium_spark.landing.schemas import RECORD
from dbt_debezium_spark.landing.table_progress import NO_OFFSET, Extent, entries

NOTHING_NEW = Extent("t", 0, 10, 0, 0, 2, 0, 9, 9, (0,))


@pytest.mark.parametrize(
    ("changes", "after", "rows"),
    [
        ({}, 9, 0),
        ({"above": 3, "placed": 13, "highest": 12}, 9, 3),
        ({"late": 1, "placed": 11}, None, 13),
        ({"late": -1, "placed": 9}, None, 11),
        ({"new_unplaced": 1, "unplaced": 3}, 9, 3),
        ({"new_unplaced": -2, "unplaced": 0}, 9, 0),
        ({"last": None, "above": 10}, None, 12),
    ],
)
def test_new_late_and_unplaced_rows_are_read(
    changes: dict[str, int | None], after: int | None, rows: int
) -> None:
    extent = NOTHING_NEW._replace(**changes)
    assert extent.is_new is bool(changes)
    assert (extent.after, extent.rows_to_read) == (after, rows)


def test_an_entry_ends_at_the_highest_offset_whatever_the_row_there_is() -> None:
    group = Group("table:t/0", RECORD, 4, 0, 3, 0, "t", 0, min_offset=3, max_offset=6)
    # two relations have rows of the partition
    groups = [group, group._replace(block=1, rows=3, min_offset=2)]
    found = entries([NOTHING_NEW, NOTHING_NEW._replace(partition=1)], groups)
    entry = found["table:t/0"]
    assert (entry.file.size, entry.records, entry.lines) == (10, 7, 9)
    assert (entry.ranges[0].min_offset, entry.ranges[0].max_offset) == (2, 9)
    # rows without a record have been read, too
    empty = found["table:t/1"]
    assert (empty.records, empty.lines, empty.ranges[0].max_offset) == (0, 2, 9)


def test_rows_without_a_topic_or_an_offset_have_an_entry() -> None:
    extent = Extent("", -1, 0, 0, 0, 1, 1, None, None, (0,))
    (path, entry), *_ = entries([extent], []).items()
    assert path == "table:/"
    assert (entry.file.size, entry.lines, entry.ranges[0].max_offset) == (0, 1, NO_OFFSET)
