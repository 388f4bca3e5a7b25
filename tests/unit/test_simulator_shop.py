"""The SQL Server demo: its records lead to its tables, and the committed files are its output."""

from __future__ import annotations

import base64
import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from dev.simulator.__main__ import main
from dev.simulator.shop import PREFIX, SCHEMA, Shop, run_shop
from reference import Config, KafkaRecord, fold
from tests.support.demo_checks import check_committed_demo, check_payloads_fit_their_schemas
from tests.support.paths import DEMO


@pytest.fixture(scope="module")
def shop() -> Shop:
    return run_shop(1)


def of_table(shop: Shop, table: str) -> list[KafkaRecord]:
    return [record for record in shop.records if record.topic.endswith(f".{table}")]


@pytest.mark.parametrize("table", list(SCHEMA))
def test_the_records_of_a_table_lead_to_its_rows(shop, table):
    got = fold(of_table(shop, table), Config("sqlserver", complete_before=True))
    expected = shop.encoded_rows(table)
    # Rows written before a column was added say nothing about it.
    rows = [dict.fromkeys(shop.columns[table]) | row for row in got.rows.values()]
    assert sorted(map(repr, rows)) == sorted(map(repr, expected))
    assert not got.unexplained and not got.unknown


def test_the_story_has_everything_a_reader_should_meet(shop):
    values = [json.loads(record.value)["payload"] for record in shop.records if record.value]
    met = Counter(value.get("op", "schema change") for value in values)
    assert {"c", "u", "d", "r", "schema change"} <= set(met)
    assert met["schema change"] == len(SCHEMA) + 1
    positions = Counter(
        (value["op"], value["source"]["change_lsn"], value["source"]["event_serial_no"])
        for value in values
        if "op" in value and value["op"] != "r"
    )
    assert sum(times > 1 for times in positions.values()) > 10
    assert {value["source"]["snapshot"] for value in values} >= {"first", "last", "incremental"}
    assert sum(record.value is None for record in shop.records) > 3
    serials = [value["source"]["event_serial_no"] for value in values if value.get("op") == "d"]
    assert set(serials) == {1}
    moved = [value["after"] for value in values if value.get("op") == "c" and value["after"]]
    assert any(row.get("sku") == "TEA-002/b" and "title" in row for row in moved)


def test_every_payload_fits_its_schema(shop):
    check_payloads_fit_their_schemas(shop.records)


def test_the_truth_is_what_the_newest_events_decode_to(shop):
    """Decode by the rules of the embedded schema, not with the code that encoded."""
    for table in SCHEMA:
        got = fold(of_table(shop, table), Config("sqlserver", complete_before=True))
        nodes: dict[str, Any] = {}
        for record in of_table(shop, table):
            if record.value:
                images = json.loads(record.value)["schema"]["fields"]
                nodes |= {node["field"]: node for node in images[1]["fields"]}
        decoded = [
            {name: decode(row.get(name), node) for name, node in nodes.items()}
            for row in got.rows.values()
        ]
        truth = [
            {name: comparable(value) for name, value in row.items()} for row in shop.truth()[table]
        ]
        assert sorted(map(repr, decoded)) == sorted(map(repr, truth))


def decode(value: Any, node: dict[str, Any]) -> Any:
    if value is None:
        return None
    name = node.get("name", "")
    if name.endswith("Decimal"):
        scale = int(node["parameters"]["scale"])
        unscaled = int.from_bytes(base64.b64decode(value), "big", signed=True)
        return str(Decimal(unscaled).scaleb(-scale))
    if node["type"] == "bytes":
        return base64.b64decode(value).hex()
    epoch = datetime(1970, 1, 1)
    if name.endswith("time.Date"):
        return str((epoch + timedelta(days=value)).date())
    if name.endswith("time.Time"):
        return str((epoch + timedelta(milliseconds=value)).time())
    if name.endswith("time.Timestamp"):
        return (epoch + timedelta(milliseconds=value)).isoformat(timespec="microseconds")
    if name.endswith("NanoTimestamp"):
        return (epoch + timedelta(microseconds=value // 1000)).isoformat(timespec="microseconds")
    if name.endswith("ZonedTimestamp"):
        moment = datetime.fromisoformat(value).astimezone(UTC)
        return moment.isoformat(timespec="microseconds")
    return value


def comparable(value: Any) -> Any:
    """Return timestamps with microseconds, as a reader with microseconds sees them."""
    if isinstance(value, str) and value[4:5] == "-" and "T" in value and "." in value:
        return datetime.fromisoformat(value).isoformat(timespec="microseconds")
    return value


def test_the_committed_demo_is_what_the_command_writes(tmp_path):
    check_committed_demo("sqlserver", tmp_path)
    assert len(list((DEMO / "sqlserver" / "records").glob("*.jsonl"))) == 3


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


def test_topics_are_named_as_the_connector_names_them(shop):
    assert {record.topic for record in shop.records} == {
        PREFIX,
        *(f"{PREFIX}.shop.dbo.{table}" for table in SCHEMA),
    }
