"""A column that is dropped and added again. Traps 67 to 70: `tests/lab/test_catalog*.py`."""

from __future__ import annotations

import pytest

from tests.cases.table import Table
from tests.traps.listed_cases import ID, V, stories_of

# as the catalog says it: tests/lab/test_columns_again.py
AGAIN = Table("pg_again", "postgresql", [ID, {**V, "gone_until": "00000000000000000200"}])
STORIES_AGAIN = stories_of(AGAIN, "column-dropped-and-added-again")
FILLED = Table(
    "pg_again_filled",
    "postgresql",
    [ID, {**V, "gone_until": "00000000000000000200", "added_default": "new"}],
)
(STORY_FILLED, _) = stories_of(FILLED, "column-dropped-and-added-again")


@pytest.mark.covers("case column-dropped-and-added-again")
def test_values_of_a_column_that_was_dropped_do_not_come_back(built):
    for story in STORIES_AGAIN:
        assert built.values(story, "v") == dict.fromkeys((1, 2, 3, 4))
    assert built.values(STORY_FILLED, "v") == {1: "new", 2: "new", 3: "new", 4: None}
