"""A real broker as input: each record lands once, and what is missing is told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from dev.servers.kafka import Broker
from tests.support.kafka_topics import Topics
from tests.support.landing_lake import BETWEEN, LATE, Lake

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def brokers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a broker that is there for this file."""
    folder = tmp_path_factory.mktemp("broker")
    with Broker(folder, {"log.cleaner.backoff.ms": 100}) as broker:
        yield broker.address


@pytest.fixture
def topics(brokers: str) -> Topics:
    return Topics(brokers)


@pytest.fixture
def lake(spark: SparkSession, tmp_path: Path, topics: Topics) -> Lake:
    one = Lake(spark, tmp_path)
    one.input = {"type": "kafka", "brokers": topics.brokers}
    one.topic_prefix = topics.prefix
    return one


def values(lake: Lake) -> list[str | None]:
    return [row.value for row in lake.rows("value")]


def test_a_broker_without_a_topic_of_ours_is_fine(lake: Lake, topics: Topics) -> None:
    topics.create("empty")
    lake.run()
    assert values(lake) == [] and lake.reasons() == []


@pytest.mark.covers("form JSON, keys, headers, tombstones: kafka")
def test_records_land_with_all_that_kafka_carries(lake: Lake, topics: Topics) -> None:
    topics.create("orders", partitions=2)
    topics.send("orders", ["a", None], partition=1, key="k")
    lake.run()
    row, tombstone = lake.rows()
    assert (row.topic, row.partition, row.offset) == (topics.name("orders"), 1, 0)
    assert (row.key, row.value, row.timestampType) == ("k", "a", 0)
    assert int(row.timestamp.timestamp() * 1000) == 1_795_000_000_000
    assert [(one.key, one.value) for one in row.headers] == [("h", "v")]
    assert (tombstone.key, tombstone.value) == ("k", None)


def test_a_run_reads_on_and_one_without_new_records_writes_nothing(
    lake: Lake, topics: Topics
) -> None:
    topics.create("orders")
    topics.create("lines")
    topics.send("orders", ["a", "b"])
    lake.run()
    before = lake.versions()
    lake.run()
    assert lake.versions() == before

    topics.send("orders", ["c"])
    topics.send("lines", ["x"])  # a topic with its first record
    topics.create("new", partitions=2)
    topics.send("new", ["y"], partition=1)
    topics.add_partitions("orders", 2)
    topics.send("orders", ["d"], partition=1)
    lake.run()
    assert sorted(str(one) for one in values(lake)) == ["a", "b", "c", "d", "x", "y"]
    assert lake.reasons() == []


def test_a_limit_is_kept_and_everything_lands(lake: Lake, topics: Topics) -> None:
    topics.create("orders", partitions=2)
    topics.send("orders", [f"a{n}" for n in range(7)])
    topics.send("orders", ["b"], partition=1)
    lake.input = {**lake.input, "max_records_per_run": 3}
    landed = []
    for _ in range(4):
        lake.run()
        landed.append(len(values(lake)))
    assert landed == [3, 6, 8, 8]


def test_a_killed_run_neither_loses_nor_doubles(lake: Lake, topics: Topics) -> None:
    topics.create("orders", partitions=2)
    topics.send("orders", ["a", "b"])
    topics.send("orders", ["c"], partition=1)
    lake.start()  # killed before the append
    lake.append(lake.start())  # killed after it
    topics.send("orders", ["d"])
    lake.append(lake.start())
    lake.run()
    assert sorted(str(one) for one in values(lake)) == ["a", "b", "c", "d"]
    assert lake.reasons() == []


def test_transactions_count_when_they_commit(lake: Lake, topics: Topics) -> None:
    topics.create("orders")
    topics.send_in_transaction("orders", ["a", "b"], commits=True)
    topics.send_in_transaction("orders", ["lost"], commits=False)
    lake.run()
    topics.send_in_transaction("orders", ["c"], commits=True)
    lake.run()
    before = lake.versions()
    lake.run()
    assert lake.versions() == before
    assert [(row.offset, row.value) for row in lake.rows("offset", "value")] == [
        (0, "a"),
        (1, "b"),
        (5, "c"),
    ]
    assert lake.reasons() == []


def test_what_expired_before_it_landed_is_told_and_the_rest_lands(
    lake: Lake, topics: Topics
) -> None:
    topics.create("orders")
    topics.create("lines")
    topics.send("orders", ["a", "b"])
    lake.run()
    topics.send("orders", ["lost", "lost", "c"])
    topics.send("lines", ["x"])
    topics.expire("orders", before=4)
    lake.run()
    lake.run()
    assert sorted(str(one) for one in values(lake)) == ["a", "b", "c", "x"]
    told = ["expired_offsets: offsets 2 to 3 had expired before they could land"]
    assert lake.reasons() == told

    topics.send("orders", ["lost"])
    topics.expire("orders")
    lake.run()
    assert lake.reasons() == [
        *told,
        "expired_offsets: offsets 5 to 5 had expired before they could land",
    ]


def test_what_expired_of_a_source_that_is_empty_now_is_told(lake: Lake, topics: Topics) -> None:
    topics.create("orders")
    topics.send("orders", ["a"])
    lake.run()
    topics.expire("orders")
    lake.run()
    assert lake.reasons() == []
    topics.send("orders", ["lost"])
    topics.expire("orders")
    lake.run()
    assert lake.reasons() == ["expired_offsets: offsets 1 to 1 had expired before they could land"]


def test_a_topic_that_is_gone_stays_landed(lake: Lake, topics: Topics) -> None:
    topics.create("orders")
    topics.send("orders", ["a"])
    lake.run()
    topics.delete("orders")
    lake.run()
    topics.create("lines")
    topics.send("lines", ["x"])
    lake.run()
    assert sorted(str(one) for one in values(lake)) == ["a", "x"] and lake.reasons() == []


def test_what_expired_before_the_first_run_was_never_expected(lake: Lake, topics: Topics) -> None:
    topics.create("orders")
    topics.send("orders", ["old", "a"])
    topics.expire("orders", before=1)
    lake.run()
    assert values(lake) == ["a"] and lake.reasons() == []


def test_a_compacted_topic_is_no_gap(lake: Lake, topics: Topics) -> None:
    topics.create(
        "orders",
        **{"cleanup.policy": "compact", "segment.ms": "100", "min.cleanable.dirty.ratio": "0.01"},
    )
    topics.send("orders", ["a"], key="k")
    lake.run()
    topics.send("orders", ["b", "c", "d"], key="k")
    topics.wait_for_compaction("orders", since=1)
    lake.run()
    assert values(lake)[:2] == ["a", "d"] and lake.reasons() == []


@pytest.mark.parametrize("again", [["a2"], ["a2", "b2"], ["a2", "b2", "c2"]])
def test_a_topic_created_anew_is_told_and_lands_once_declared(
    lake: Lake, topics: Topics, again: list[str]
) -> None:
    topics.create("orders")
    topics.send("orders", ["a", "b"])
    lake.run()
    topics.delete("orders")
    topics.create("orders")
    topics.send("orders", again, timestamp=LATE)
    lake.run()
    beyond = again[2:]
    if len(again) != 2:  # offsets alone cannot tell a topic that ends where the old one did
        assert values(lake) == ["a", "b", *beyond]
        assert [one.split(":")[0] for one in lake.reasons()] == ["conflicting_record"] * min(
            2, len(again)
        )
    topics.send("orders", ["z"], timestamp=LATE)
    lake.run(incarnations=[BETWEEN])
    lake.run(incarnations=[BETWEEN])
    assert sorted(str(one) for one in values(lake)) == sorted(["a", "b", *again, "z"])
    assert lake.reasons() == []


def test_a_change_from_files_to_kafka_lands_nothing_twice(lake: Lake, topics: Topics) -> None:
    topics.create("orders")
    topics.send("orders", ["a", "b"])
    kafka = lake.input
    lake.input = {"type": "files", "path": "data"}
    lake.write(
        "orders.jsonl",
        f'{{"topic":"{topics.name("orders")}","partition":0,"offset":0,"key":"a","value":"a"}}\n',
    )
    lake.run()
    lake.input = kafka
    lake.run()
    assert values(lake) == ["a", "b"]


def test_a_value_that_is_no_text_is_kept_aside(lake: Lake, topics: Topics) -> None:
    topics.create("orders")
    topics.send("orders", [b"\xff\xfe", "a"])
    lake.run()
    topics.send("orders", ["b"])
    lake.run()
    assert values(lake) == ["a", "b"]
    assert lake.reasons() == ["bad_value: key: not UTF-8"]


def test_secrets_are_not_repeated_when_brokers_refuse(
    lake: Lake, topics: Topics, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAAS", "not.a.Module required password='hunter2';")
    lake.input = {
        **lake.input,
        "options": {
            "kafka.security.protocol": "SASL_PLAINTEXT",
            "kafka.sasl.mechanism": "PLAIN",
            "kafka.default.api.timeout.ms": "2000",
            "kafka.request.timeout.ms": "1000",
            "fetchOffset.numRetries": "1",
        },
        "options_from_env": {"kafka.sasl.jaas.config": "JAAS"},
    }
    with pytest.raises(RuntimeError, match="could not read from the brokers") as raised:
        lake.run()
    assert "hunter2" not in str(raised.value)
    assert raised.value.__cause__ is None and raised.value.__suppress_context__


def test_brokers_that_do_not_answer_are_named(lake: Lake) -> None:
    lake.input = {
        "type": "kafka",
        "brokers": "127.0.0.1:1",
        "options": {"kafka.default.api.timeout.ms": "2000", "fetchOffset.numRetries": "1"},
    }
    with pytest.raises(RuntimeError, match=r"(?s)brokers `127\.0\.0\.1:1`.*Check `input\.brokers`"):
        lake.run()


@pytest.mark.covers("form heartbeats: kafka")
def test_heartbeats_land_by_default(lake: Lake, topics: Topics) -> None:
    beats = Topics(topics.brokers)
    beats.prefix = "__debezium-heartbeat"
    beats.create(topics.prefix)
    beats.create(f"{topics.prefix}0")
    beats.send(topics.prefix, ['{"ts_ms":1}'], key='{"serverName":"x"}')
    beats.send(f"{topics.prefix}0", ['{"ts_ms":2}'])
    topics.create("orders")
    topics.send("orders", ["a"])
    lake.run()
    assert [(row.topic, row.value) for row in lake.rows("topic", "value")] == [
        (beats.name(topics.prefix), '{"ts_ms":1}'),
        (topics.name("orders"), "a"),
    ]


def test_the_ledger_shows_what_a_limit_left(lake: Lake, topics: Topics) -> None:
    topics.create("orders")
    topics.create("lines")
    topics.send("orders", ["a", "b", "c", "d", "e"])
    topics.send("lines", ["x"])
    lake.input = {**lake.input, "max_records_per_run": 3}

    def left() -> dict[str, int]:
        rows = lake.session.sql(
            f"select path, max_by(remaining, _cdc_landed_at) as remaining"
            f" from {lake.raw}__files group by path"
        ).collect()
        return {row.path.split(".")[1].split("/")[0]: row.remaining for row in rows}

    lake.run()
    assert left() == {"orders": 3, "lines": 0}
    lake.run()
    assert left() == {"orders": 0, "lines": 0}
    assert sorted(str(value) for value in values(lake)) == ["a", "b", "c", "d", "e", "x"]


def test_a_partition_that_a_small_limit_does_not_reach_waits_in_the_ledger(
    lake: Lake, topics: Topics
) -> None:
    topics.create("orders")
    topics.create("lines")
    topics.send("orders", ["a", "b"])
    topics.send("lines", ["x", "y"])
    lake.input = {**lake.input, "max_records_per_run": 1}
    found = []
    for _ in range(4):
        lake.run()
        rows = lake.session.sql(
            f"select sum(remaining) as remaining from (select max_by(remaining, _cdc_landed_at) as"
            f" remaining from {lake.raw}__files group by path)"
        ).collect()
        found.append(rows[0].remaining)
    assert found == [3, 2, 1, 0]
    assert sorted(str(value) for value in values(lake)) == ["a", "b", "x", "y"]
