"""The committed recording of a real PostgreSQL, checked without a server."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from dev.recorder import events
from dev.recorder.replay import mismatches
from tests.support.paths import DEMO

POSTGRESQL = DEMO / "postgresql"
LIMIT_BYTES = 3_000_000


def read_records(folder: Path) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for part in sorted((folder / "records").glob("*.jsonl"))
        for line in part.read_bytes().split(b"\n")
        if line
    ]


@pytest.fixture(scope="module")
def records() -> list[dict[str, Any]]:
    return read_records(POSTGRESQL)


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return json.loads((POSTGRESQL / "manifest.json").read_text())


def changes(records: list[dict[str, Any]], table: str) -> list[dict[str, Any]]:
    return [
        events.payload(record["value"])
        for record in records
        if record["topic"] == f"shop.{table}" and record["value"] is not None
    ]


def test_the_records_replayed_are_the_true_tables() -> None:
    assert mismatches(POSTGRESQL) == []


def test_a_recording_that_lost_a_record_is_found(tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(POSTGRESQL, broken)
    part = max((broken / "records").iterdir())
    lines = part.read_text().splitlines(keepends=True)
    last_change = max(
        index
        for index, line in enumerate(lines)
        if '"op\\":\\"c\\"' in line and '"shop.public.recorder_marker"' in line
    )
    part.write_text("".join(lines[:last_change] + lines[last_change + 1 :]))
    found = mismatches(broken)
    assert len(found) == 1
    assert found[0].startswith("public.recorder_marker: the records lack ")


def test_the_manifest_counts_what_is_there(
    records: list[dict[str, Any]], manifest: dict[str, Any]
) -> None:
    assert manifest["records"] == len(records)
    assert manifest["topics"] == events.counts(records)
    for table, rows in manifest["truth_rows"].items():
        assert (POSTGRESQL / "truth" / f"{table}.jsonl").read_bytes().count(b"\n") == rows


def test_it_is_small_enough_for_git() -> None:
    assert (
        sum(path.stat().st_size for path in POSTGRESQL.rglob("*") if path.is_file()) < LIMIT_BYTES
    )


def test_every_kind_of_change_is_in_it(manifest: dict[str, Any]) -> None:
    assert set(manifest["operations"]) == {"c", "u", "d", "r", "t", "m", "tombstone", "other"}
    assert manifest["redelivered"] > 0
    assert manifest["engine_runs"] == 3


def test_transactions_commit_in_another_order_than_they_wrote(
    records: list[dict[str, Any]],
) -> None:
    positions = [
        event["source"]["lsn"]
        for event in changes(records, "public.customers")
        if event["source"]["lsn"] is not None and event["op"] != "r"
    ]
    first_run = positions[: positions.index(max(positions)) + 1]
    assert first_run != sorted(first_run)


def test_a_key_change_leaves_out_its_out_of_line_values(records: list[dict[str, Any]]) -> None:
    moved = [
        record
        for record in records
        if record["topic"] == "shop.public.customers"
        and any(header["key"] == "__debezium.oldkey" for header in record["headers"] or [])
    ]
    assert any("__debezium_unavailable_value" in record["value"] for record in moved)


def test_full_replica_identity_gives_whole_rows_without_a_placeholder(
    records: list[dict[str, Any]],
) -> None:
    updates = [e for e in changes(records, "public.documents") if e["op"] == "u"]
    assert any(len(e["after"]["body"] or "") > 2_000 for e in updates)
    assert "__debezium_unavailable_value" not in json.dumps(updates)


def test_rows_of_one_copy_share_their_position(records: list[dict[str, Any]]) -> None:
    copied = [
        e
        for e in changes(records, "public.readings")
        if e["op"] == "c" and e["transaction"]["total_order"] <= 7
        and e["after"]["sensor"] == "gamma" and e["after"]["at"] == "2026-01-02T03:04:05.678901Z"
    ]  # fmt: skip
    positions = [(e["source"]["lsn"], e["source"]["sequence"]) for e in copied]
    assert positions.count(positions[0]) >= 7


def test_truncates_of_a_topic_with_several_partitions_lie_between_its_rows(
    records: list[dict[str, Any]],
) -> None:
    operations = [e["op"] for e in changes(records, "archive.orders")]
    first = operations.index("t")
    assert "c" in operations[:first] and "c" in operations[first:]
    partitions = {r["partition"] for r in records if r["topic"] == "shop.archive.orders"}
    assert len(partitions) == 3


def test_an_incremental_snapshot_overlaps_a_transaction_that_commits_after_it(
    records: list[dict[str, Any]],
) -> None:
    events_of_row = [
        e for e in changes(records, "public.customers") if (e["after"] or e["before"])["id"] == 9
    ]
    assert [e["source"]["snapshot"] for e in events_of_row][-2:] == ["incremental", "false"]
    assert events_of_row[-1]["op"] == "d"
    # The delete was written before the read that it must undo.
    read_at = int(json.loads(events_of_row[-2]["source"]["sequence"])[1])
    assert events_of_row[-1]["source"]["lsn"] < read_at


def test_columns_come_go_and_widen(records: list[dict[str, Any]]) -> None:
    rows = [e["after"] for e in changes(records, "public.customers") if e["after"]]
    assert "legacy_code" in rows[0] and "loyalty" not in rows[0]
    assert "legacy_code" not in rows[-1] and "loyalty" in rows[-1]
    quantities = [e["after"]["qty"] for e in changes(records, "public.order_lines") if e["after"]]
    assert max(quantities) > 32_767


def test_a_redelivery_starts_inside_a_transaction(records: list[dict[str, Any]]) -> None:
    rows = [
        event
        for record in records
        if record["value"] is not None
        and isinstance(event := events.payload(record["value"]), dict)
        and event.get("transaction") is not None
    ]
    transaction = next(
        e["source"]["txId"] for e in rows if (e.get("after") or {}).get("name") == "one of six"
    )
    orders = [e["transaction"]["total_order"] for e in rows if e["source"]["txId"] == transaction]
    assert orders == [1, 2, 3, 4, 5, 6, 4, 5, 6]


def test_the_embedded_schema_goes_back_during_a_redelivery(records: list[dict[str, Any]]) -> None:
    types: list[str] = []
    for record in records:
        if record["topic"] == "shop.public.order_lines" and record["value"] is not None:
            after = json.loads(record["value"])["schema"]["fields"][1]
            types += [f["type"] for f in after["fields"] if f["field"] == "qty"]
    changes_of_type = [t for i, t in enumerate(types) if i == 0 or types[i - 1] != t]
    assert changes_of_type == ["int16", "int32", "int16", "int32"]
