"""Transaction topics of simulated connectors: counts fit the events."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

import pytest

from dbt_debezium_spark.config import CONNECTORS
from dev.simulator.history import random_history
from dev.simulator.mongodb import document_history
from dev.simulator.several_tables import SeveralTables
from reference import KafkaRecord

RELATIONAL = ("postgresql", "sqlserver", "mysql", "mariadb", "oracle")


def payload(record: KafkaRecord) -> dict[str, Any]:
    value = json.loads(record.value or "{}")
    if not isinstance(value, dict):
        return {}
    found = value.get("payload", value) if "schema" in value else value
    return found or {}


def own_id(connector: str, value: str) -> str:
    return value.split(":")[0] if connector == "postgresql" else value


def check_counts(
    connector: str, boundaries: Iterable[KafkaRecord], records: Iterable[KafkaRecord]
) -> int:
    """Hold the counts of ENDs against the orders of events; return how many ENDs there were."""
    orders: dict[str, set[int]] = defaultdict(set)
    for record in records:
        block = payload(record).get("transaction")
        if block:
            orders[own_id(connector, block["id"])].add(int(block["total_order"]))
    begun: Counter[str] = Counter()
    ends = 0
    for record in boundaries:
        told = payload(record)
        assert set(told) == {"status", "id", "event_count", "data_collections", "ts_ms"}
        number = own_id(connector, told["id"])
        if told["status"] == "BEGIN":
            begun[number] += 1
            continue
        ends += 1
        assert told["status"] == "END" and begun[number]
        counts = [one["event_count"] for one in told["data_collections"]]
        assert sum(counts) == told["event_count"]
        assert orders[number] == set(range(1, told["event_count"] + 1)), number
    return ends


@pytest.mark.parametrize("connector", CONNECTORS)
def test_every_connector_has_a_simulator_with_a_transaction_topic(connector: str) -> None:
    for seed in range(1, 40):
        if connector == "mongodb":
            topic = "content.inventory.h"
            boundaries = document_history(seed, topic=topic, transactions=True).boundaries
        else:
            boundaries = random_history(seed, connector, transaction_topic=True).boundaries
        if {payload(record)["status"] for record in boundaries} == {"BEGIN", "END"}:
            return
    pytest.fail(f"no history of {connector} has both BEGIN and END")


@pytest.mark.parametrize("connector", RELATIONAL)
def test_counts_fit_the_events_of_several_tables(connector: str) -> None:
    ends = 0
    for seed in range(20):
        made = SeveralTables(seed, connector)
        made.run(10, ends=True)
        ends += check_counts(connector, made.boundaries, made.log)
    assert ends > 200


@pytest.mark.parametrize("connector", RELATIONAL)
def test_a_history_can_have_a_transaction_topic(connector: str) -> None:
    ends = 0
    for seed in range(30):
        history = random_history(
            seed, connector, transaction_topic=True, restore="no", recreate_topic=False,
            compaction=False, snapshot_again=False, second_topic=False,
        )  # fmt: skip
        ends += check_counts(connector, history.boundaries, history.records)
    assert ends > 30


@pytest.mark.parametrize("connector", RELATIONAL)
def test_a_history_is_the_same_with_a_transaction_topic(connector: str) -> None:
    for seed in range(5):
        plain = random_history(seed, connector)
        told = random_history(seed, connector, transaction_topic=True)
        assert not plain.boundaries
        assert plain.truth == told.truth and len(plain.records) == len(told.records)
        for one, other in zip(plain.records, told.records, strict=True):
            own, others = payload(one), payload(other)
            own.pop("transaction", None), others.pop("transaction", None)
            assert own == others and one.offset == other.offset


def test_documents_can_have_a_transaction_topic() -> None:
    ends = 0
    for seed in range(60):
        history = document_history(seed, topic="content.inventory.h", transactions=True)
        assert not document_history(seed, topic="content.inventory.h").boundaries
        for record in history.boundaries:
            ends += payload(record)["status"] == "END"
        for record in history.boundaries:
            for one in payload(record)["data_collections"] or []:
                assert one["data_collection"].endswith("inventory.customers")
    assert ends > 20


def test_a_connector_that_forgets_its_counters_begins_again() -> None:
    repeated = 0
    for seed in range(40):
        made = SeveralTables(seed, "postgresql", keeps_counters=False)
        made.run(10)
        begun = Counter(
            own_id("postgresql", payload(one)["id"])
            for one in made.boundaries
            if payload(one)["status"] == "BEGIN"
        )
        repeated += sum(count > 1 for count in begun.values())
    assert repeated > 10
