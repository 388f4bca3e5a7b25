"""The reference fold: what is an event. Other records: tests/cases/events.py."""

from __future__ import annotations

from reference import Config, fold
from tests.cases.log import Log


def test_a_column_may_be_called_payload():
    row = {"id": 1, "schema": "s", "payload": {"op": "d"}}
    assert fold(Log().c(1, 10, row).records, Config("postgresql")).rows == {'{"id":1}': row}
