"""The reference fold: what is an event, in every form of a converter."""

from __future__ import annotations

import json

from reference import KafkaRecord
from tests.support.reference_log import KEY_1, TOPIC, Log


def test_a_record_counts_once():
    log = Log().add("c", 1, 10, "a")
    log.records *= 3
    got = log.fold()
    assert got.rows == {KEY_1: {"id": 1, "v": "a"}} and not got.replays


def test_records_that_cannot_be_read_are_no_events():
    log = Log().add("c", 1, 10, "a").add("m", 1, 20, "b").add("x", 1, 30, "c")
    log.add("c", None, 40, "d").add("u", 1, 50, {"id": 1, "v": "e"})
    broken = log.records[-1]
    log.records[-1] = KafkaRecord(TOPIC, 0, 4, 1_004, broken.key, broken.value[:-3])  # type: ignore[index]
    assert log.values() == {1: "a"}


def test_key_and_value_may_carry_their_schemas():
    log = Log().add("c", 1, 10, "a")
    bare = log.records[0]
    assert bare.key is not None and bare.value is not None
    schema = {"type": "struct", "fields": []}
    log.records.append(
        KafkaRecord(
            TOPIC,
            0,
            1,
            2_000,
            json.dumps({"schema": schema, "payload": json.loads(bare.key)}),
            json.dumps(
                {
                    "schema": schema,
                    "payload": json.loads(bare.value.replace("10", "20").replace('"a"', '"b"')),
                }
            ),
        )
    )
    assert log.values() == {1: "b"}


def test_a_column_may_be_called_payload():
    row = {"id": 1, "schema": "s", "payload": {"op": "d"}}
    assert Log().add("c", 1, 10, row).fold().rows == {KEY_1: row}
