"""The demos of MySQL and MariaDB: their records lead to their tables, as committed."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from dev.simulator import inventory, web
from dev.simulator.binlog_demo import BIGINT_UNSIGNED, BinlogDemo
from reference import Config, Folded, KafkaRecord, fold
from tests.property.plain_values import plain_value
from tests.support.demo_checks import (
    check_committed_demo,
    check_payloads_fit_their_schemas,
    columns_of,
    plain,
)

RUNS = {"mysql": inventory.run_inventory, "mariadb": web.run_web}
TABLES = [
    pytest.param(connector, table, id=f"{connector}-{table}")
    for connector, tables in (("mysql", inventory.SCHEMA), ("mariadb", web.SCHEMA))
    for table in tables
]


@pytest.fixture(scope="module")
def demos() -> dict[str, BinlogDemo]:
    return {connector: run(1) for connector, run in RUNS.items()}


def of_table(demo: BinlogDemo, table: str) -> list[KafkaRecord]:
    return [record for record in demo.records if record.topic.endswith(f".{table}")]


def folded(demo: BinlogDemo, connector: str, table: str) -> Folded:
    return fold(of_table(demo, table), Config(connector, complete_before=True))


def payloads(demo: BinlogDemo) -> list[dict[str, Any]]:
    return [json.loads(record.value)["payload"] for record in demo.records if record.value]


@pytest.mark.parametrize(("connector", "table"), TABLES)
def test_the_records_of_a_table_lead_to_its_rows(demos, connector, table):
    demo = demos[connector]
    got = folded(demo, connector, table)
    rows = [dict.fromkeys(demo.columns[table]) | row for row in got.rows.values()]
    assert sorted(map(repr, rows)) == sorted(map(repr, demo.encoded_rows(table)))
    assert rows and not got.unexplained and not got.unknown


@pytest.mark.parametrize("connector", RUNS)
def test_the_story_has_everything_a_reader_should_meet(demos, connector):
    demo = demos[connector]
    values = payloads(demo)
    assert {value.get("op") for value in values} == {None, "c", "u", "d", "r", "t"}
    changes = [value for value in values if value.get("op") in ("c", "u", "d")]
    places = Counter(
        (value["op"], *(value["source"][name] for name in ("file", "pos", "row")))
        for value in changes
    )
    assert sum(times > 1 for times in places.values()) > 5  # redelivered
    files = {value["source"]["file"].rpartition(".")[2] for value in changes}
    assert {len(number) for number in files} == {6, 7}
    assert {value["source"]["snapshot"] for value in values} >= {"first", "last", "incremental"}
    assert all(value["source"]["ts_ms"] % 1000 == 0 for value in values)
    headers = Counter(name for record in demo.records for name, _ in record.headers)
    assert headers["__debezium.oldkey"] and headers["__debezium.newkey"]


@pytest.mark.parametrize("connector", RUNS)
def test_the_schema_changes_are_those_of_a_first_snapshot_and_an_alter(demos, connector):
    demo = demos[connector]
    told = [value for value in payloads(demo) if "ddl" in value]
    kinds = [[change["type"] for change in value["tableChanges"]] for value in told]
    tables = len(demo.tables)
    assert kinds == [[]] + [["DROP"]] * tables + [[]] * 3 + [["CREATE"]] * tables + [["ALTER"]]
    assert told[-1]["ddl"].startswith("ALTER TABLE") and told[-1]["schemaName"] is None
    (change,) = told[-1]["tableChanges"]
    assert change["id"].count('"') == 4


@pytest.mark.parametrize("connector", RUNS)
def test_every_payload_fits_its_schema(demos, connector):
    check_payloads_fit_their_schemas(demos[connector].records)


@pytest.mark.parametrize(("connector", "table"), TABLES)
def test_the_truth_is_what_the_newest_events_decode_to(demos, connector, table):
    """Decode by the rules of the embedded schema, not with the code that encoded."""
    demo = demos[connector]
    nodes = columns_of(of_table(demo, table))
    unsigned = {name for name, (kind, _) in demo.columns[table].items() if kind is BIGINT_UNSIGNED}
    decoded = []
    for row in folded(demo, connector, table).rows.values():
        values = {name: plain_value(node, row.get(name)) for name, node in nodes.items()}
        values |= {name: values[name] % 2**64 for name in unsigned}
        decoded.append({name: plain(value) for name, value in values.items()})
    truth = [{name: plain(value) for name, value in row.items()} for row in demo.truth()[table]]
    assert sorted(map(repr, decoded)) == sorted(map(repr, truth))


@pytest.mark.parametrize("connector", RUNS)
def test_the_committed_demo_is_what_the_command_writes(connector, tmp_path):
    check_committed_demo(connector, tmp_path)
