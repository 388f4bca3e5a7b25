"""Records of other tables: trap 38 of the specification. Other records: tests/cases/events.py."""

from __future__ import annotations

from tests.cases.log import late
from tests.cases.tables import PG, pg_log
from tests.support.examples import example

alive = pg_log().say("c", 1, 10, "a").records
SIGNALS = PG.story("signals", late(alive, 9) + example("seq_signal_table_events"))


def test_38_rows_of_the_signal_table_are_no_rows_of_another_table(built):
    assert built.values(SIGNALS, "email") == {1: "a"}
    assert [state["_cdc_op"] for state in built.state(SIGNALS)] == ["c"]
