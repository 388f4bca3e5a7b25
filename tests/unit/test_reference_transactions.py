"""Transactions and the cut as docs/transactions.md says, on random logs and on a recorded one."""

from __future__ import annotations

import json

import pytest

from reference import Config, KafkaRecord
from reference.transactions import cut, transactions
from tests.property.transaction_sources import draw_source, lacking_at_the_cut
from tests.support.paths import DEMO
from tests.support.raw import kafka_record

CONNECTORS = ("postgresql", "sqlserver", "mysql", "mariadb", "oracle")


@pytest.mark.covers("support PostgreSQL, SQL Server, Oracle, MySQL, MariaDB: transactions")
@pytest.mark.parametrize("connector", CONNECTORS)
def test_no_transaction_within_a_cut_lacks_events(connector: str) -> None:
    reached = 0
    for seed in range(200, 240):
        # counters that begin again can hide an event
        source = draw_source(seed, connector, most=6, late=False, keeps_counters=True)
        lacking = list(lacking_at_the_cut(source))
        assert not lacking, lacking[:5]
        reached += source.expected(len(source.batches))[2].position is not None
    # LogMiner does not show the order of commits
    assert reached == 0 if connector == "oracle" else reached > 25, reached


def recorded() -> tuple[list[KafkaRecord], dict[str, list[KafkaRecord]]]:
    """Return the boundaries and the records of each table of the recorded PostgreSQL."""
    boundaries: list[KafkaRecord] = []
    records: dict[str, list[KafkaRecord]] = {}
    for path in sorted((DEMO / "postgresql" / "records").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            record = kafka_record(json.loads(line))
            if record.topic == "shop.transaction":
                boundaries.append(record)
            elif '"op"' in (record.value or '"op"'):
                records.setdefault(record.topic.removeprefix("shop."), []).append(record)
    return boundaries, records


def test_the_transactions_of_a_real_server_are_complete() -> None:
    boundaries, records = recorded()
    configs = {}
    for table, own in records.items():
        is_keyless = any(one.key is None and '"op":"t"' not in str(one.value) for one in own)
        configs[table] = Config("postgresql", keyless=is_keyless)

    found, odd = transactions(boundaries, records, configs, {table: table for table in records})

    assert not odd and len(found) > 100
    unlike = {key: one.status for key, one in found.items() if one.status != "complete"}
    assert not unlike, unlike
    reached = cut(found, "postgresql")
    assert reached.held_by is None
    assert reached.position == max(one.high for one in found.values() if one.high is not None)
