from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from dev.recorder.broker import DEFAULT_PARTITIONS, STICKY_BATCH_BYTES, Broker, murmur2


def produced(topic: str = "shop.public.t", **changes: Any) -> dict[str, Any]:
    record = {
        "topic": topic,
        "kafka_partition": None,
        "timestamp": 1,
        "key": '{"id":1}',
        "value": "{}",
        "headers": None,
    }
    return {**record, **changes}


@pytest.mark.parametrize(
    ("data", "signed"),
    [
        # Kafka's own: clients/src/test/java/org/apache/kafka/common/utils/UtilsTest.java
        (b"21", -973932308),
        (b"foobar", -790332482),
        (b"a-little-bit-long-string", -985981536),
        (b"a-little-bit-longer-string", -1486304829),
        (b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58897971),
        (b"abc", 479470107),
    ],
)
def test_murmur2_is_kafkas(data: bytes, signed: int) -> None:
    assert murmur2(data) == signed & 0xFFFFFFFF


def test_a_key_stays_in_the_partition_that_kafka_gives_it() -> None:
    broker = Broker({"shop.public.t": 7}, seed=1)
    records = [broker.append(produced(key=f'{{"id":{n % 5}}}')) for n in range(50)]
    for record in records:
        expected = (murmur2(record["key"].encode()) & 0x7FFFFFFF) % 7
        assert record["partition"] == expected


def test_offsets_count_from_zero_in_every_partition() -> None:
    broker = Broker({}, seed=1)
    records = [broker.append(produced(key=f'{{"id":{n}}}')) for n in range(60)]
    assert {record["partition"] for record in records} == set(range(DEFAULT_PARTITIONS))
    for partition in range(DEFAULT_PARTITIONS):
        offsets = [r["offset"] for r in records if r["partition"] == partition]
        assert offsets == list(range(len(offsets)))


def test_records_without_a_key_move_on_when_a_batch_is_full() -> None:
    broker = Broker({}, seed=1)
    value = "x" * (STICKY_BATCH_BYTES // 4)
    partitions = [broker.append(produced(key=None, value=value))["partition"] for _ in range(40)]
    runs = [partitions[start : start + 4] for start in range(0, 40, 4)]
    assert all(len(set(run)) == 1 for run in runs)
    assert all(run[0] != following[0] for run, following in zip(runs, runs[1:], strict=False))


def test_one_partition_takes_every_record() -> None:
    broker = Broker({"shop.public.t": 1}, seed=1)
    value = "x" * STICKY_BATCH_BYTES
    records = [broker.append(produced(key=None, value=value)) for _ in range(5)]
    assert Counter(r["partition"] for r in records) == {0: 5}


def test_a_partition_that_debezium_asks_for_is_kept() -> None:
    broker = Broker({}, seed=1)
    assert [broker.append(produced(kafka_partition=2))["partition"] for _ in range(3)] == [2, 2, 2]


def test_a_tombstone_keeps_its_null_and_its_headers() -> None:
    headers = [{"key": "__debezium.newkey", "value": '{"id":2}'}]
    record = Broker({}, seed=1).append(produced(value=None, headers=headers))
    assert record == {
        "topic": "shop.public.t",
        "partition": record["partition"],
        "offset": 0,
        "timestamp": 1,
        "timestampType": 0,
        "key": '{"id":1}',
        "value": None,
        "headers": headers,
    }
