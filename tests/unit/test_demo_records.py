"""The bundled records of the demo: they lead to the bundled truth, and show everything."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from dev.recorder.replay import mismatches
from reference import Config, Folded, KafkaRecord, fold
from reference.documents import fold_documents
from tests.property.plain_values import comparable, plain_value
from tests.support.paths import DEMO, REPOSITORY
from tests.support.raw import kafka_record

LIMIT_BYTES = 1_000_000
BINLOG = ("mysql", "mariadb")
# Fields of a source block that say a position.
PLACES = {
    "sqlserver": ("change_lsn", "event_serial_no"),
    "oracle": ("scn", "rs_id", "ssn"),
    "mysql": ("file", "pos", "row"),
    "mariadb": ("file", "pos", "row"),
}
RELATIONAL = tuple(PLACES)
SCHEMAS = {"sqlserver": "dbo", "oracle": "BILLING"}
# A row of it is deleted while the connector is down, loses its offsets and reads again.
UNSEEN = ("oracle", "CUSTOMERS")


@dataclass(frozen=True)
class Demo:
    """A bundled source: its records, and of each table the description and the rows."""

    records: list[KafkaRecord]
    tables: dict[str, Any]
    truth: dict[str, list[dict[str, Any]]]


@cache
def demo_of(connector: str) -> Demo:
    folder = DEMO / connector
    parts = sorted((folder / "records").glob("*.jsonl"))
    records = [kafka_record(line) for part in parts for line in lines_of(part)]
    tables = json.loads((folder / "truth" / "_columns.json").read_text("utf-8"))
    truth = {table: lines_of(folder / "truth" / f"{table}.jsonl") for table in tables}
    return Demo(records, tables, truth)


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").split("\n") if line]


TABLES = [
    pytest.param(connector, table, id=f"{connector}-{table}")
    for connector in RELATIONAL
    for table in demo_of(connector).tables
]


def of_table(connector: str, table: str) -> list[KafkaRecord]:
    return [one for one in demo_of(connector).records if one.topic.endswith(f".{table}")]


def folded(connector: str, table: str, **options: Any) -> Folded:
    options = {"close_unseen": (connector, table) == UNSEEN} | options
    return fold(of_table(connector, table), Config(connector, complete_before=True, **options))


def payloads(connector: str) -> list[dict[str, Any]]:
    return [json.loads(one.value)["payload"] for one in demo_of(connector).records if one.value]


def places(connector: str) -> Counter[tuple[Any, ...]]:
    """Count the changes at each place of the log, by operation."""
    return Counter(
        (value["op"], *(value["source"][name] for name in PLACES[connector]))
        for value in payloads(connector)
        if value.get("op") in ("c", "u", "d")
    )


def columns_of(records: Iterable[KafkaRecord]) -> dict[str, Any]:
    """Return the columns of a table as its records describe them, by name."""
    columns: dict[str, Any] = {}
    for record in records:
        if record.value:
            images = json.loads(record.value)["schema"]["fields"]
            columns |= {
                node["field"]: node | {"semantic": node.get("name")} for node in images[1]["fields"]
            }
    return columns


def plain(value: Any) -> str:
    """Return numbers, times and moments of either side as one text; a moment has microseconds."""
    text = comparable(value).removeprefix("'").removesuffix("'").removeprefix("decimal ")
    if text.startswith("datetime.date("):
        return str(value)
    if text[4:5] == "-" and "T" in text or text.count(":") == 2:
        head, _, fraction = text.removesuffix("Z").partition(".")
        return f"{head}.{fraction[:6]:0<6}"
    if text.startswith("x"):
        return text[1:]
    try:
        return f"{Decimal(text).normalize():f}"
    except ArithmeticError:
        return text


@pytest.mark.parametrize(("connector", "table"), TABLES)
def test_the_records_of_a_table_lead_to_its_rows(connector, table):
    """Decode by the rules of the embedded schema."""
    demo = demo_of(connector)
    got = folded(connector, table)
    assert got.rows and not got.unexplained and not got.unknown
    nodes = columns_of(of_table(connector, table))
    described = demo.tables[table]["columns"]
    assert list(nodes) == [column["name"] for column in described]
    unsigned = {column["name"] for column in described if column["type"] == "bigint unsigned"}
    decoded = []
    for row in got.rows.values():
        # Rows written before a column was added say nothing about it.
        values = {name: plain_value(node, row.get(name)) for name, node in nodes.items()}
        values |= {name: values[name] % 2**64 for name in unsigned}
        decoded.append({name: plain(value) for name, value in values.items()})
    truth = [{name: plain(value) for name, value in row.items()} for row in demo.truth[table]]
    assert sorted(map(repr, decoded)) == sorted(map(repr, truth))


@pytest.mark.parametrize("table", demo_of("mongodb").tables)
def test_the_records_of_a_collection_lead_to_its_documents(table):
    got = fold_documents(of_table("mongodb", table), Config("mongodb"))
    truth = {row["_id"]: row["document"] for row in demo_of("mongodb").truth[table]}
    as_values = [
        {json.dumps(json.loads(key), sort_keys=True): json.loads(text) for key, text in one.items()}
        for one in (got.documents, truth)
    ]
    assert truth and as_values[0] == as_values[1]
    assert not got.unexplained and not got.incomplete and got.replays.total()


@pytest.mark.parametrize("connector", RELATIONAL)
def test_the_story_has_everything_a_reader_should_meet(connector):
    records = demo_of(connector).records
    values = payloads(connector)
    truncates = set() if connector == "sqlserver" else {"t"}
    assert {value.get("op") for value in values} == {None, "c", "u", "d", "r"} | truncates
    assert {value["source"]["snapshot"] for value in values} >= {"first", "last", "incremental"}
    assert sum(times > 1 for times in places(connector).values()) > 10  # redelivered
    assert sum(record.value is None for record in records) > 3
    assert len(values) > 120
    headers = Counter(name for record in records for name, _ in record.headers)
    changes = ("__debezium.oldkey", "__debezium.newkey")
    # SQL Server tells of no key change
    assert all((headers[name] > 1) == (connector != "sqlserver") for name in changes)


def test_sql_server_tells_a_key_change_as_a_delete_and_a_create_at_one_place():
    values = [value for value in payloads("sqlserver") if value.get("op") in ("c", "d")]
    assert {v["source"]["event_serial_no"] for v in values if v["op"] == "d"} == {1}
    deleted = {v["source"]["change_lsn"]: v["before"] for v in values if v["op"] == "d"}
    moved = [v["after"] for v in values if v["source"]["change_lsn"] in deleted and v["op"] == "c"]
    assert any(row.get("sku") and "title" in row for row in moved)


def test_the_log_of_oracle_has_shared_and_longer_numbers_and_unwritten_lobs():
    changes = [value for value in payloads("oracle") if value.get("op") in ("c", "u", "d")]
    scns = {value["source"]["scn"] for value in changes}
    assert len({len(scn) for scn in scns}) > 1 and len(scns) < len(places("oracle"))
    lobs = [value["after"]["TERMS"] for value in changes if "TERMS" in (value["after"] or {})]
    assert "__debezium_unavailable_value" in lobs and None in lobs and len(set(lobs)) > 4


def test_a_customer_of_oracle_is_gone_of_whom_no_event_says_so():
    alive = folded(*UNSEEN, close_unseen=False).rows
    assert len(alive) == len(demo_of("oracle").truth["CUSTOMERS"]) + 1


@pytest.mark.parametrize("connector", BINLOG)
def test_a_binlog_passes_its_999_999th_file_and_counts_seconds(connector):
    values = payloads(connector)
    files = [value["source"]["file"] for value in values if value.get("op") in ("c", "u", "d")]
    assert {len(file.rpartition(".")[2]) for file in files} == {6, 7}
    assert all(value["source"]["ts_ms"] % 1000 == 0 for value in values)


@pytest.mark.parametrize("connector", RELATIONAL)
def test_the_schema_changes_are_those_of_the_snapshots_and_an_alter(connector):
    tables = demo_of(connector).tables
    told = [value for value in payloads(connector) if "ddl" in value]
    kinds = [[change["type"] for change in value["tableChanges"]] for value in told]
    created: list[list[str]] = [["CREATE"]] * len(tables)
    before = [[], *([["DROP"]] * len(tables)), [], [], []] if connector in BINLOG else []
    again = created if connector == "oracle" else []
    assert kinds == [*before, *created, ["ALTER"], *again]
    altered = told[kinds.index(["ALTER"])]
    assert altered["schemaName"] == SCHEMAS.get(connector)
    (change,) = altered["tableChanges"]
    assert change["id"].count('"') == (4 if connector in BINLOG else 6)
    assert altered["ddl"].startswith("N/A" if connector == "sqlserver" else "ALTER TABLE")


@pytest.mark.parametrize("connector", RELATIONAL)
def test_every_payload_fits_its_schema(connector):
    """Every member of a payload is a field of the schema beside it; of an image, each field one."""
    for record in demo_of(connector).records:
        if record.value is None:
            continue
        value = json.loads(record.value)
        fields = {node["field"]: node for node in value["schema"]["fields"]}
        for name, content in value["payload"].items():
            assert name in fields
            if name in ("before", "after", "source") and content is not None:
                assert set(content) == {node["field"] for node in fields[name]["fields"]}


# where the connectors name the topics of tables
TOPICS = {
    "sqlserver": "store.shop.dbo.",
    "oracle": "billing.BILLING.",
    "mysql": "inventory.inventory.",
    "mariadb": "web.web.",
}


@pytest.mark.parametrize("connector", RELATIONAL)
def test_topics_are_named_as_the_connector_names_them(connector):
    demo, place = demo_of(connector), TOPICS[connector]
    named = {place.partition(".")[0], *(f"{place}{table}" for table in demo.tables)}
    assert {record.topic for record in demo.records} == named


@pytest.mark.parametrize("connector", [*RELATIONAL, "mongodb"])
def test_it_is_small_enough_for_git(connector):
    files = [path for path in (DEMO / connector).rglob("*.json*")]
    assert len([path for path in files if path.parent.name == "records"]) == 3
    assert sum(path.stat().st_size for path in files) < LIMIT_BYTES


# -- the recording of a real PostgreSQL -----------------------------------------------------------


POSTGRESQL = DEMO / "postgresql"


def test_the_records_replayed_are_the_true_tables() -> None:
    assert mismatches(POSTGRESQL) == []


def test_every_kind_of_change_is_in_it() -> None:
    manifest = json.loads((POSTGRESQL / "manifest.json").read_text())
    assert set(manifest["operations"]) == {"c", "u", "d", "r", "t", "m", "tombstone", "other"}
    assert manifest["redelivered"] > 0 and manifest["engine_runs"] >= 3


def test_the_instant_of_the_page_lies_within_the_recording() -> None:
    page = (REPOSITORY / "docs" / "history.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"of\(\n.*\n?.*timestamp '([^']+)'", page[page.index("on the demo") :])
    instant = datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000
    records = [one for part in (POSTGRESQL / "records").glob("*.jsonl") for one in lines_of(part)]
    told = [one["value"] for one in records if one["topic"] == "shop.public.customers"]
    values = [json.loads(value) for value in told if value]
    times = [int(value.get("payload", value)["source"]["ts_ms"]) for value in values]

    assert min(times) < instant < max(times)
