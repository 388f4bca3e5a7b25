"""Parquet that Confluent's and Parquet's own classes wrote lands as the JSON converter's text."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.avro.parquet_files import write_files
from tests.support.landing_lake import Lake
from tests.support.paths import REPOSITORY

pytestmark = pytest.mark.slow

CONNECTORS = ("postgresql", "sqlserver", "oracle", "mysql", "mariadb")
CONNECT = "org.apache.kafka.connect.data"
OPTIONAL = {"optional": True, "version": 1}
TYPES = [
    {**OPTIONAL, "type": "int32", "field": "day", "name": f"{CONNECT}.Date"},
    {**OPTIONAL, "type": "int32", "field": "clock", "name": f"{CONNECT}.Time"},
    {**OPTIONAL, "type": "int64", "field": "at", "name": f"{CONNECT}.Timestamp"},
    {"type": "int8", "optional": True, "field": "tiny"},
    {"type": "int16", "optional": False, "field": "small", "default": 7},
    {"type": "float", "optional": True, "field": "single"},
    {"type": "boolean", "optional": True, "field": "yes"},
    {
        "type": "array", "optional": True, "field": "list",
        "items": {"type": "string", "optional": True},
    },
    {
        "type": "map", "optional": True, "field": "pairs",
        "keys": {"type": "int32", "optional": False},
        "values": {"type": "bytes", "optional": True},
    },
    *[
        {
            "type": "bytes", "optional": True, "field": f"number{digits}", "version": 1,
            "name": f"{CONNECT}.Decimal",
            "parameters": {"scale": "2"} | (
                {"connect.decimal.precision": str(digits)} if digits else {}
            ),
        }
        for digits in (0, 9, 38, 65)
    ],
]  # fmt: skip
SCHEMA = {
    "type": "struct", "optional": False, "name": "p.s.types.Envelope",
    "fields": [
        {"type": "struct", "optional": True, "field": "after", "name": "Row", "fields": TYPES},
        {"type": "string", "optional": False, "field": "op"},
    ],
}  # fmt: skip
ROWS: list[dict[str, Any]] = [
    {
        "day": -719162, "clock": 86399999, "at": -62135596799999, "tiny": -128, "small": -32768,
        "single": 0.1, "yes": True, "list": ["a", "\U0001d11e"], "pairs": [[1, "AP8="], [2, ""]],
        "number0": "AP////////////////////////////8=", "number9": "gA==",
        "number38": "S7UcC3w9yZ2v8kQ=", "number65": "AP////////////////////////////8=",
    },
    {name: None for name in ("day", "clock", "at")} | {"small": 0},
]  # fmt: skip


def records_of(connector: str) -> dict[str, list[str]]:
    """Return the values with schemas of the demo's change events, by schema.

    Those with names that Avro does not have are left out: the sink would write other names. The
    simulator's schema changes lack members that Connect needs.
    """
    found: dict[str, list[str]] = defaultdict(list)
    folder = REPOSITORY / "dev" / "demo" / "data" / connector / "records"
    for part in sorted(folder.iterdir()):
        for line in part.read_text(encoding="utf-8").splitlines():
            value = json.loads(line).get("value")
            told = json.loads(value) if isinstance(value, str) else value
            is_described = isinstance(told, dict) and told.get("schema")
            if is_described and "op" in (told.get("payload") or {}):
                schema = json.dumps(told["schema"])
                names = re.findall(r'"field": "([^"]*)"', schema)
                if all(re.fullmatch(r"[A-Za-z_]\w*", name, re.ASCII) for name in names):
                    found[schema].append(json.dumps(told))
    return found


@pytest.fixture
def lake(spark: SparkSession, tmp_path: Path) -> Lake:
    one = Lake(spark, tmp_path)
    one.input = {"type": "files", "path": "data", "layout": "connect"}
    return one


def files_of(lake: Lake, groups: list[list[str]], *, old_lists: bool) -> list[dict[str, Any]]:
    """Return what to write: a file for each schema, as a sink does."""
    topic = "p.s.t"
    folder = lake.folder / "topics" / topic / "partition=0"
    folder.mkdir(parents=True)
    files, offset = [], 0
    for records in groups:
        path = folder / f"{topic}+0+{offset:010d}.parquet"
        file = {"path": str(path), "topic": topic, "old_lists": old_lists, "records": records}
        files.append(file)
        offset += len(records)
    return files


def assert_lands(lake: Lake, files: list[dict[str, Any]], texts: list[list[str]]) -> None:
    lake.run()
    assert lake.rejected() == []
    wanted = [json.loads(text) for group in texts for text in group]
    found = [json.loads(row.value) for row in lake.rows("value")]
    assert len(found) == len(wanted) > 0
    assert lake.offsets() == list(range(len(wanted)))
    for one, other in zip(found, wanted, strict=True):
        assert one["payload"] == other["payload"]
        assert one["schema"] == other["schema"]


@pytest.mark.parametrize("connector", CONNECTORS)
def test_records_of_every_connector_land_as_their_json(
    lake: Lake, tmp_path: Path, connector: str
) -> None:
    files = files_of(lake, list(records_of(connector).values()), old_lists=False)
    assert_lands(lake, files, write_files(tmp_path, files))


def test_values_of_every_type_land_as_their_json(lake: Lake, tmp_path: Path) -> None:
    """Among them types that Spark reads otherwise or not at all: see `parquet_items`."""
    texts = [json.dumps({"schema": SCHEMA, "payload": {"after": row, "op": "c"}}) for row in ROWS]
    files = files_of(lake, [texts], old_lists=True)
    assert_lands(lake, files, write_files(tmp_path, files))
