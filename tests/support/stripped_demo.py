"""The records of the demo as a converter without schemas would have written them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import yaml

from tests.support.evidence_rows import events
from tests.support.paths import REPOSITORY

# By connector, its source in the demo.
SOURCES = {
    "postgresql": "shop",
    "sqlserver": "store",
    "oracle": "billing",
    "mysql": "inventory",
    "mariadb": "web",
}
EXPORTS = "tests/fixtures/column_exports"


def demo_options(connector: str) -> dict[str, Any]:
    """Return the options of the demo's source of a connector."""
    text = (REPOSITORY / "dbt_project.yml").read_text(encoding="utf-8")
    source: dict[str, Any] = yaml.safe_load(text)["vars"]["debezium_sources"][SOURCES[connector]]
    return source


def stripped_evidence(connector: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return what a catalog knows of the demo's records without their schemas.

    Returns:
        Rows of the evidence query, and what topics carried: one each for a table.
    """
    evidence, topics = {}, {}
    for topic, key, value in _events(connector):
        source = {name: one for name, one in value["source"].items() if one is not None}
        table = (topic, source["table"])
        fields = list(value["after"] or value["before"] or {})
        key_fields = list(key or {}) or None
        if table in evidence or not fields:
            continue
        row = events(None, topic=topic, value_fields=fields, key_fields=key_fields)
        evidence[table] = {**row, "source_block": json.dumps(source)}
        topics[table] = {
            "topic": topic,
            "kind": "data",
            "value_fields": fields,
            "key_fields": sorted(key_fields or []) or None,
            "has_key": key_fields is not None,
            "topic_prefix": source["name"],
            "database_name": source["db"],
            "schema_name": source.get("schema", source["db"]),
            "table_name": source["table"],
            "event_id": f"{topic}:0:0",
        }
    return list(evidence.values()), list(topics.values())


def _events(connector: str) -> Iterator[tuple[str, Any, dict[str, Any]]]:
    """Yield topic, key and value of each change event, the last one first."""
    folder = REPOSITORY / "dev/demo/data" / connector / "records"
    lines = [line for path in sorted(folder.glob("*.jsonl")) for line in path.open("rb")]
    for line in reversed(lines):
        record = json.loads(line)
        value = _payload(record.get("value"))
        if isinstance(value, dict) and value.get("op") in ("c", "r", "u"):
            yield record["topic"], _payload(record.get("key")), value


def _payload(text: Any) -> Any:
    value = json.loads(text) if isinstance(text, str) else text
    return value["payload"] if isinstance(value, dict) and "payload" in value else value
