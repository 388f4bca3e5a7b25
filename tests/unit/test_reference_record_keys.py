"""The reference fold: record keys."""

from __future__ import annotations

from reference import Config, KafkaRecord
from tests.support.reference_log import TOPIC, Log


def test_a_bare_scalar_is_the_only_key_column():
    log = Log().add("c", 1, 10, "a").add("u", 1, 20, "b")
    log.records.append(KafkaRecord(TOPIC, 0, 9, 2_000, "1", None))
    assert log.values(Config("postgresql", key=("id",))) == {}
    assert log.values() == {1: "b"}
