"""Incarnations: a topic that was deleted and created anew begins its offsets again."""

from __future__ import annotations

from tests.cases.table import Table
from tests.cases.tables import NAMES, column, pg_log

CREATED = "2030-01-01T00:00:00Z"
CREATED_MS = 1_893_456_000_000
RECREATED = Table(
    "pg_recreated",
    "postgresql",
    [column("id", "int32"), *NAMES],
    options={"incarnations": [CREATED]},
)
# by their offsets alone the read would come first, and the change of before be newer
log = pg_log().say("c", 1, 10, "before", offset=5)
log.say("r", 1, 10, "after", snapshot="last", commit=None, offset=0, at=CREATED_MS)
WHOLE = RECREATED.story("whole", log.records)
CUT = RECREATED.story("cut", *log.cut(1))


def test_a_topic_that_was_created_anew_arrives_after_the_one_before(built):
    for story in (WHOLE, CUT):
        assert built.values(story, "email") == {1: "after"}
        assert built.replays(story) == (0, 0)
