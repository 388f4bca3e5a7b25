"""Records of a connector that this package does not know are read by a declared table."""

from __future__ import annotations

import json

import pytest
import yaml

from reference import KafkaRecord
from tests.support.lab_source import LabSource


def record(offset: int, op: str | None, balance: float | None, topic: str) -> KafkaRecord:
    """Return a record of CockroachDB's enriched changefeed; without an op, a resolved timestamp."""
    row = None if balance is None else {"id": 1, "balance": balance}
    source = {"origin": "cockroachdb", "database_name": "bank", "table_name": "accounts"}
    value = {
        "before": None,
        "after": row,
        "op": op,
        "source": source,
        "ts_ns": 1_700_000_000 + offset,
    }
    texts = (json.dumps({"id": 1}), json.dumps(value))
    if op is None:
        texts = (None, json.dumps({"resolved": "1795294100000000000.0000000000"}))
    return KafkaRecord(topic, 0, offset, 1_700_000_000_000 + offset, *texts)


@pytest.mark.parametrize("topic", ["crdb.public.accounts", "accounts"])
def test_what_the_message_says_makes_the_records_a_table(spark, topic):
    options = {"connector": "postgresql", "topic_prefix": "crdb"}
    source = LabSource(spark, "crdb", options)
    changes = [("c", 10.5), ("u", 9), (None, None)]
    source.land([record(offset, *change, topic) for offset, change in enumerate(changes)])
    source.generate()

    (text,) = source.messages[:1]
    assert "are of connector 'cockroachdb'" in text
    tables = text.split("debezium_sources.crdb.tables: ")[1].split(". Records")[0]
    ignored = text.split("debezium_sources.crdb.ignore_records: ")[1].removesuffix(".")
    source.configure(tables=yaml.safe_load(tables), ignore_records=yaml.safe_load(ignored))
    source.catalogue()
    source.build()

    (table,) = source.models.values()
    assert source.current() == {table["table"]: [("1", "9")]}
    errors = [row["_cdc_errors"] for row in source.staged(table["table"])]
    assert errors == [None, None, ["record: ignored: no change event"]]
    source.land([record(3, "d", None, topic)])
    source.build()
    assert source.current() == {table["table"]: []}
