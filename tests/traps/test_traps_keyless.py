"""Tables without a key: how a record of nulls is staged, and how the log is read.

Which rows there are: `tests/cases/keyless.py`.
"""

from __future__ import annotations

import pytest

from tests.cases.keyless import APPENDED, AUDIT, FULL, Rows
from tests.support.examples import example

EXAMPLE = AUDIT.story("example", example("seq_postgres_no_primary_key"))
READ = [table.story("read", Rows().c(1, 10, "x").records) for table in (FULL, APPENDED)]


def test_26_a_record_of_nulls_means_nothing(built):
    last = built.staged(EXAMPLE)[-1]
    assert (last["_cdc_op"], last["_cdc_key"], last["_cdc_errors"]) == ("tombstone", None, None)


# The log, its topics, its truncates, and the topics once more beside the truncates.
MOST_SCANS = 4


@pytest.mark.parametrize("story", READ, ids=lambda story: story.told_on.name)
def test_the_log_is_not_read_again_for_every_rule(built, story):
    plan = built.state_plan(story)

    assert 1 <= plan.count("LogicalRDD [") <= MOST_SCANS
    # numbering the rows of a topic would need all of them in one task
    assert "Window [" not in plan
