"""The reference fold: key changes."""

from __future__ import annotations

import pytest

from tests.support.reference_log import GONE, KEY_1, Log


@pytest.mark.parametrize("headers", [{}, {"__debezium.oldkey": '{"id": 1}'}])
def test_values_cross_a_chain_of_key_changes(headers):
    log = Log().add("c", 1, 10, "a").add("d", 1, 20).tombstone(1)
    log.add("c", 2, 20, GONE, headers=headers)
    log.add("d", 2, 30).tombstone(2)
    log.add("c", 3, 30, GONE, headers={"__debezium.oldkey": '{"id":2}'} if headers else {})
    assert log.values() == {3: "a"}


def test_the_old_key_may_live_again():
    log = Log().add("c", 1, 10, "a").add("d", 1, 20).tombstone(1).add("c", 2, 20, GONE)
    log.add("c", 1, 30, "other")
    assert log.values() == {1: "other", 2: "a"}


HEADER = {"__debezium.oldkey": KEY_1}


def test_without_the_delete_what_the_old_key_held_before_is_the_origin():
    log = Log().add("c", 1, 10, "a").tombstone(1).add("c", 1, 30, "b").tombstone(1)
    log.add("c", 2, 20, GONE, headers=HEADER)
    assert log.values() == {2: "a"}
    log = Log().add("c", 1, 10, "a").add("c", 2, 20, GONE, headers=HEADER).add("c", 1, 30, "b")
    assert log.values() == {1: "b", 2: "a"}


@pytest.mark.parametrize(
    "text", ["7", "\0\0\1", "Struct", '{"schema":{"type":"struct"},"payload":7}']
)
def test_a_header_without_a_struct_names_no_key(text):
    log = Log().add("c", 1, 10, "a").add("d", 1, 20)
    assert log.add("c", 2, 20, GONE, headers={"__debezium.oldkey": text}).values() == {2: "a"}


def test_a_header_may_have_its_schema():
    header = {"__debezium.oldkey": f'{{"schema":{{"type":"struct"}},"payload":{KEY_1}}}'}
    log = Log().add("c", 1, 10, "a").add("c", 2, 20, GONE, headers=header)
    assert log.values() == {1: "a", 2: "a"}


def test_without_positions_arrival_tells_what_lies_before():
    log = Log().add("c", 1, None, "a").add("c", 2, None, GONE, headers=HEADER)
    log.add("u", 1, None, "b")
    assert log.values() == {1: "b", 2: "a"}


def test_a_row_that_took_the_old_key_later_is_no_origin():
    log = Log().add("c", 2, 5, "under it").add("c", 1, 30, "b")
    log.add("c", 2, 20, GONE, headers=HEADER)
    assert log.values() == {1: "b", 2: None}


def test_a_row_that_was_deleted_before_is_no_origin():
    log = Log().add("c", 1, 10, "a").add("d", 1, 15).add("c", 2, 20, GONE, headers=HEADER)
    assert log.values() == {2: None}


def test_of_a_known_old_key_without_events_nothing_is_known():
    log = Log().add("c", 2, 5, "under it").add("c", 2, 20, GONE, headers=HEADER)
    assert log.values() == {2: None}


def test_only_a_first_c_looks_for_an_origin():
    log = Log().add("c", 1, 10, "a").add("d", 1, 20).add("u", 2, 20, GONE)
    assert log.values() == {2: None}


def test_an_origin_that_is_its_own_origin_is_unknown():
    log = Log().add("c", 1, 10, GONE, headers={"__debezium.oldkey": '{"id":2}'})
    log.add("c", 2, 10, GONE, headers={"__debezium.oldkey": '{"id":1}'})
    assert log.values() == {1: None, 2: None}
