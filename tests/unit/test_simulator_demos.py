"""The relational demos: their records lead to their tables, and the committed files are theirs."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from dev.simulator.__main__ import DEMOS, main
from dev.simulator.demo_story import Demo
from reference import Config, Folded, KafkaRecord, fold
from tests.property.plain_values import plain_value
from tests.support.demo_checks import (
    check_committed_demo,
    check_payloads_fit_their_schemas,
    columns_of,
    plain,
)
from tests.support.paths import DEMO

RELATIONAL = {connector: demo for connector, demo in DEMOS.items() if connector != "mongodb"}
BINLOG = ("mysql", "mariadb")
TABLES = [
    pytest.param(connector, table, id=f"{connector}-{table}")
    for connector, demo in RELATIONAL.items()
    for table in demo.tables
]
# Fields of a source block that say a position.
PLACES = {
    "sqlserver": ("change_lsn", "event_serial_no"),
    "oracle": ("scn", "rs_id", "ssn"),
    "mysql": ("file", "pos", "row"),
    "mariadb": ("file", "pos", "row"),
}


@pytest.fixture(scope="module")
def demos() -> dict[str, Demo]:
    return {connector: demo(1) for connector, demo in RELATIONAL.items()}


def of_table(demo: Demo, table: str) -> list[KafkaRecord]:
    return [record for record in demo.records if record.topic.endswith(f".{table}")]


def folded(demo: Demo, connector: str, table: str, **options: Any) -> Folded:
    options = {"close_unseen": table == demo.unseen} | options
    return fold(of_table(demo, table), Config(connector, complete_before=True, **options))


def payloads(demo: Demo) -> list[dict[str, Any]]:
    return [json.loads(record.value)["payload"] for record in demo.records if record.value]


def places(demo: Demo, connector: str) -> Counter[tuple[Any, ...]]:
    """Count the changes at each place of the log, by operation."""
    return Counter(
        (value["op"], *(value["source"][name] for name in PLACES[connector]))
        for value in payloads(demo)
        if value.get("op") in ("c", "u", "d")
    )


@pytest.mark.parametrize(("connector", "table"), TABLES)
def test_the_records_of_a_table_lead_to_its_rows(demos, connector, table):
    demo = demos[connector]
    got = folded(demo, connector, table)
    # Rows written before a column was added say nothing about it.
    rows = [dict.fromkeys(demo.columns[table]) | row for row in got.rows.values()]
    assert sorted(map(repr, rows)) == sorted(map(repr, demo.encoded_rows(table)))
    assert rows and not got.unexplained and not got.unknown


@pytest.mark.parametrize("connector", RELATIONAL)
def test_the_story_has_everything_a_reader_should_meet(demos, connector):
    demo = demos[connector]
    values = payloads(demo)
    truncates = set() if connector == "sqlserver" else {"t"}
    assert {value.get("op") for value in values} == {None, "c", "u", "d", "r"} | truncates
    assert {value["source"]["snapshot"] for value in values} >= {"first", "last", "incremental"}
    assert sum(times > 1 for times in places(demo, connector).values()) > 10  # redelivered
    assert sum(record.value is None for record in demo.records) > 3
    assert len(values) > 120
    headers = Counter(name for record in demo.records for name, _ in record.headers)
    changes = ("__debezium.oldkey", "__debezium.newkey")
    # SQL Server tells of no key change
    assert all((headers[name] > 1) == (connector != "sqlserver") for name in changes)


def test_sql_server_tells_a_key_change_as_a_delete_and_a_create_at_one_place(demos):
    values = [value for value in payloads(demos["sqlserver"]) if value.get("op") in ("c", "d")]
    assert {v["source"]["event_serial_no"] for v in values if v["op"] == "d"} == {1}
    deleted = {v["source"]["change_lsn"]: v["before"] for v in values if v["op"] == "d"}
    moved = [v["after"] for v in values if v["source"]["change_lsn"] in deleted and v["op"] == "c"]
    assert any(row.get("sku") and "title" in row for row in moved)


def test_the_log_of_oracle_has_shared_and_longer_numbers_and_unwritten_lobs(demos):
    demo = demos["oracle"]
    changes = [value for value in payloads(demo) if value.get("op") in ("c", "u", "d")]
    scns = {value["source"]["scn"] for value in changes}
    assert len({len(scn) for scn in scns}) > 1 and len(scns) < len(places(demo, "oracle"))
    lobs = [value["after"]["TERMS"] for value in changes if "TERMS" in (value["after"] or {})]
    assert "__debezium_unavailable_value" in lobs and None in lobs and len(set(lobs)) > 4


def test_a_customer_of_oracle_is_gone_of_whom_no_event_says_so(demos):
    alive = folded(demos["oracle"], "oracle", "CUSTOMERS", close_unseen=False).rows
    assert len(alive) == len(demos["oracle"].rows["CUSTOMERS"]) + 1


@pytest.mark.parametrize("connector", BINLOG)
def test_a_binlog_passes_its_999_999th_file_and_counts_seconds(demos, connector):
    values = payloads(demos[connector])
    files = {
        value["source"]["file"].rpartition(".")[2]
        for value in values
        if value.get("op") in ("c", "u", "d")
    }
    assert {len(number) for number in files} == {6, 7}
    assert all(value["source"]["ts_ms"] % 1000 == 0 for value in values)


@pytest.mark.parametrize("connector", RELATIONAL)
def test_the_schema_changes_are_those_of_the_snapshots_and_an_alter(demos, connector):
    demo = demos[connector]
    told = [value for value in payloads(demo) if "ddl" in value]
    kinds = [[change["type"] for change in value["tableChanges"]] for value in told]
    created: list[list[str]] = [["CREATE"]] * len(demo.tables)
    before = [[], *([["DROP"]] * len(demo.tables)), [], [], []] if connector in BINLOG else []
    again = created if connector == "oracle" else []
    assert kinds == [*before, *created, ["ALTER"], *again]
    altered = told[kinds.index(["ALTER"])]
    assert altered["schemaName"] == (demo.schema or None)
    (change,) = altered["tableChanges"]
    assert change["id"].count('"') == (4 if connector in BINLOG else 6)
    assert altered["ddl"].startswith("N/A" if connector == "sqlserver" else "ALTER TABLE")


@pytest.mark.parametrize("connector", RELATIONAL)
def test_every_payload_fits_its_schema(demos, connector):
    check_payloads_fit_their_schemas(demos[connector].records)


@pytest.mark.parametrize(("connector", "table"), TABLES)
def test_the_truth_is_what_the_newest_events_decode_to(demos, connector, table):
    """Decode by the rules of the embedded schema, not with the code that encoded."""
    demo = demos[connector]
    nodes = columns_of(of_table(demo, table))
    kinds = demo.columns[table]
    unsigned = {name for name, (kind, _) in kinds.items() if kind.name == "BIGINT UNSIGNED"}
    decoded = []
    for row in folded(demo, connector, table).rows.values():
        values = {name: plain_value(node, row.get(name)) for name, node in nodes.items()}
        values |= {name: values[name] % 2**64 for name in unsigned}
        decoded.append({name: plain(value) for name, value in values.items()})
    truth = [{name: plain(value) for name, value in row.items()} for row in demo.truth()[table]]
    assert sorted(map(repr, decoded)) == sorted(map(repr, truth))


@pytest.mark.parametrize("connector", RELATIONAL)
def test_the_committed_demo_is_what_the_command_writes(connector, tmp_path):
    check_committed_demo(connector, tmp_path)
    assert len(list((DEMO / connector / "records").glob("*.jsonl"))) == 3


def test_the_command_writes_a_random_history_with_its_source_block(tmp_path):
    main(["--seed", "4", "--connector", "postgresql", "--out", str(tmp_path)])
    block = json.loads((tmp_path / "source.json").read_text())
    assert block["connector"] == "postgresql" and block["topic_prefix"] == "simulated"
    lines = [
        line
        for path in sorted((tmp_path / "records").glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]
    assert len(lines) > 5 and json.loads(lines[0])["topic"].startswith("simulated.")


@pytest.mark.parametrize(
    ("connector", "place"),
    [
        ("sqlserver", "store.shop.dbo."),
        ("oracle", "billing.BILLING."),
        ("mysql", "inventory.inventory."),
        ("mariadb", "web.web."),
    ],
)
def test_topics_are_named_as_the_connector_names_them(demos, connector, place):
    demo = demos[connector]
    named = {demo.prefix, *(f"{place}{table}" for table in demo.tables)}
    assert {record.topic for record in demo.records} == named
