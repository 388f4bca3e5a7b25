"""The reference fold: incarnations."""

from __future__ import annotations

from reference import Config
from tests.support.reference_log import Log


def test_a_topic_created_anew_starts_offsets_again():
    log = Log().add("c", 1, 10, "a", offset=5).add("u", 1, 20, "b", offset=0)
    log.add("u", 1, 30, "c", offset=5, at=2_000)
    assert log.values(Config("postgresql", incarnations=(1_001,))) == {1: "c"}
    assert log.values() == {1: "b"}
