"""The large simulated source: its records lead to its rows, and it has what it promises."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

import pytest

from dev.simulator.warehouse import NAMES, PREFIX, WIDE, WIDE_COLUMNS, Warehouse
from reference import Config, KafkaRecord, fold


@pytest.fixture(scope="module")
def warehouse() -> Warehouse:
    return Warehouse(100)


def payload(record: KafkaRecord) -> dict[str, Any]:
    value = json.loads(record.value or "{}")
    return value.get("payload", value)


def test_the_records_of_each_table_lead_to_its_rows(warehouse):
    topics = defaultdict(set)
    for record in warehouse.records:
        source = payload(record).get("source", {})
        if record.topic != PREFIX and source:
            topics[source["schema"], source["table"]].add(record.topic)
    folded = 0
    for plan in warehouse.plans:
        (topic,) = topics[plan.schema, plan.name] or {None}
        others = [names for names, found in topics.items() if topic in found]
        # a topic of two tables, and one without keys, is more than this reference reads
        if not plan.key or len(others) > 1:
            continue
        records = [record for record in warehouse.records if record.topic == topic]
        got = fold(records, Config("sqlserver", complete_before=True))
        assert len(got.rows) == len(plan.rows), plan.name
        folded += bool(got.rows)
    assert folded == len(warehouse.plans) - 4


def test_every_table_is_defined_and_hard_ones_are_among_them(warehouse):
    names = {plan.name for plan in warehouse.plans}
    definitions = [payload(record) for record in warehouse.records if record.topic == PREFIX]
    kinds = [change["type"] for one in definitions for change in one["tableChanges"]]

    assert len(warehouse.plans) == 100
    assert {WIDE, *NAMES} <= names
    assert len(warehouse.plan(f"dbo.{WIDE}").columns) == WIDE_COLUMNS
    assert (kinds.count("CREATE"), kinds.count("ALTER")) == (100, 5)
    assert {plan.with_schema for plan in warehouse.plans} == {True, False}
