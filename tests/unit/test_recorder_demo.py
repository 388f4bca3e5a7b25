"""The committed recording of a real PostgreSQL is sound, and has every kind of change."""

from __future__ import annotations

import json

from dev.recorder.replay import mismatches
from tests.support.paths import DEMO

POSTGRESQL = DEMO / "postgresql"


def test_the_records_replayed_are_the_true_tables() -> None:
    assert mismatches(POSTGRESQL) == []


def test_every_kind_of_change_is_in_it() -> None:
    manifest = json.loads((POSTGRESQL / "manifest.json").read_text())
    assert set(manifest["operations"]) == {"c", "u", "d", "r", "t", "m", "tombstone", "other"}
    assert manifest["redelivered"] > 0 and manifest["engine_runs"] >= 3
