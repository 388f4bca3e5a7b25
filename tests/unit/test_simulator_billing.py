"""The Oracle demo: its records lead to its tables, and the committed files are its output."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from dev.simulator.billing import PREFIX, SCHEMA, Billing, run_billing
from reference import Config, Folded, KafkaRecord, fold
from tests.property.plain_values import plain_value
from tests.support.demo_checks import (
    check_committed_demo,
    check_payloads_fit_their_schemas,
    columns_of,
    plain,
)


@pytest.fixture(scope="module")
def billing() -> Billing:
    return run_billing(1)


def of_table(billing: Billing, table: str) -> list[KafkaRecord]:
    return [record for record in billing.records if record.topic.endswith(f".{table}")]


def folded(billing: Billing, table: str) -> Folded:
    config = Config("oracle", complete_before=True, close_unseen=table == "CUSTOMERS")
    return fold(of_table(billing, table), config)


@pytest.mark.parametrize("table", list(SCHEMA))
def test_the_records_of_a_table_lead_to_its_rows(billing, table):
    got = folded(billing, table)
    rows = [dict.fromkeys(billing.columns[table]) | row for row in got.rows.values()]
    assert sorted(map(repr, rows)) == sorted(map(repr, billing.encoded_rows(table)))
    assert not got.unexplained and not got.unknown


def test_the_story_has_everything_a_reader_should_meet(billing):
    values = [json.loads(record.value)["payload"] for record in billing.records if record.value]
    met = Counter(value.get("op", "schema change") for value in values)
    assert {"c", "u", "d", "r", "t"} <= set(met)
    assert met["schema change"] == 2 * len(SCHEMA) + 1
    changes = [value for value in values if value.get("op") in ("c", "u", "d")]
    places = [
        (value["op"], *(value["source"][n] for n in ("scn", "rs_id", "ssn"))) for value in changes
    ]
    assert len(places) - len(set(places)) > 8  # redelivered
    scns = {value["source"]["scn"] for value in changes}
    assert len({len(scn) for scn in scns}) > 1 and len(scns) < len(set(places))
    assert {value["source"]["snapshot"] for value in values} >= {"first", "last", "incremental"}
    headers = Counter(name for record in billing.records for name, _ in record.headers)
    assert headers["__debezium.oldkey"] >= 3 and headers["__debezium.newkey"] >= 6
    lobs = [value["after"]["TERMS"] for value in changes if "TERMS" in (value["after"] or {})]
    assert "__debezium_unavailable_value" in lobs and None in lobs and len(set(lobs)) > 4


def test_a_customer_is_gone_of_whom_no_event_says_so(billing):
    alive = fold(of_table(billing, "CUSTOMERS"), Config("oracle", complete_before=True)).rows
    assert len(alive) == len(billing.rows["CUSTOMERS"]) + 1


def test_every_payload_fits_its_schema(billing):
    check_payloads_fit_their_schemas(billing.records)


@pytest.mark.parametrize("table", list(SCHEMA))
def test_the_truth_is_what_the_newest_events_decode_to(billing, table):
    """Decode by the rules of the embedded schema, not with the code that encoded."""
    nodes = columns_of(of_table(billing, table))
    decoded = [
        {name: plain(plain_value(node, row.get(name))) for name, node in nodes.items()}
        for row in folded(billing, table).rows.values()
    ]
    truth = [{name: plain(value) for name, value in row.items()} for row in billing.truth()[table]]
    assert sorted(map(repr, decoded)) == sorted(map(repr, truth))


def test_the_committed_demo_is_what_the_command_writes(tmp_path):
    check_committed_demo("oracle", tmp_path)


def test_topics_are_named_as_the_connector_names_them(billing):
    assert {record.topic for record in billing.records} == {
        PREFIX,
        *(f"{PREFIX}.BILLING.{table}" for table in SCHEMA),
    }
