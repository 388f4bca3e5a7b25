"""The reference fold: tombstones."""

from __future__ import annotations

import pytest

from reference import KafkaRecord
from tests.support.reference_log import KEY_1, TOPIC, Log


@pytest.mark.parametrize("form", [None, "", "null", ' {"schema":null,"payload":null}'])
def test_a_tombstone_is_known_in_every_form(form):
    log = Log().add("c", 1, 10, "a")
    log.records.append(KafkaRecord(TOPIC, 0, 9, 2_000, KEY_1, form))
    assert log.values() == {}


def test_a_delete_and_its_tombstone_end_a_row_and_a_repeat_does_not_bring_it_back():
    log = Log().add("c", 1, 10, "a").add("d", 1, 20).tombstone(1)
    log.add("c", 1, 10, "a")
    assert log.values() == {}
    log.add("d", 1, 20).tombstone(1)
    assert log.values() == {}
    assert log.fold().replays == {KEY_1: 2}


def test_a_repeated_delete_with_its_tombstone_does_not_hurt_a_later_life():
    log = Log().add("c", 1, 10, "a").add("d", 1, 20).tombstone(1).add("c", 1, 30, "b")
    log.add("d", 1, 20).tombstone(1)
    assert log.values() == {1: "b"}


def test_a_tombstone_alone_deletes_and_whatever_follows_counts():
    log = Log().add("c", 1, 10, "a").tombstone(1)
    assert log.values() == {}
    log.add("c", 1, 10, "a")
    assert log.values() == {1: "a"}
