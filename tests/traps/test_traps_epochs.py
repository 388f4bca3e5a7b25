"""Positions that start again: trap 20 of the specification. Their rows: tests/cases/epochs.py."""

from __future__ import annotations

from tests.cases.tables import PG, pg_log

log = pg_log().say("u", 1, 500, "old").say("u", 1, 10, "new").say("u", 1, 20, "newer")
UNDECLARED = PG.story("restored_undeclared", log.records)


def test_20_the_first_replay_that_is_unexplained_is_shown(built):
    (state,) = built.state(UNDECLARED)
    assert state["_cdc_fold_first_unexplained"] == f"{UNDECLARED.topic}:0:1"
