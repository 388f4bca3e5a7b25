"""Records of the specification's examples, and JSON as Connect's converter writes it."""

from __future__ import annotations

import json
from typing import Any

from reference import KafkaRecord
from tests.support.paths import EXAMPLES

START_MS = 1_700_000_000_000
FIRST_TIMESTAMP_MS = 1_600_000_000_000


def compact(value: Any) -> str | None:
    """Return JSON as Connect's converter writes it."""
    if value is None:
        return None
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def messages(name: str) -> list[dict[str, Any]]:
    """Return the messages of an example file, which holds one or a sequence."""
    found = json.loads((EXAMPLES / f"{name}.json").read_text(encoding="utf-8"))
    return list(found.get("messages", [found]))


def example(*names: str, topic: str | None = None) -> list[KafkaRecord]:
    """Return the records of example files, one after another in one partition unless they say."""
    records: list[KafkaRecord] = []
    for message in (one for name in names for one in messages(name)):
        if topic is not None and message["topic"] != topic:
            continue
        key = message["key"]
        records.append(
            KafkaRecord(
                message["topic"],
                message.get("partition", 0),
                message.get("offset", len(records)),
                START_MS + len(records),
                # the key of a signal is plain text, not JSON
                key if isinstance(key, str) else compact(key),
                compact(message["value"]),
                tuple((h["key"], h["value"]) for h in message.get("headers", [])),
            )
        )
    return records


def example_lines(*names: str) -> list[dict[str, Any]]:
    """Return example files as lines of a record file: all records of a topic one after another.

    Offsets count up per topic in the order of the files, as do timestamps over all records.
    """
    lines: list[dict[str, Any]] = []
    offsets: dict[str, int] = {}
    for message in (one for name in names for one in messages(name)):
        topic = message["topic"]
        offsets[topic] = offsets.get(topic, -1) + 1
        lines.append(
            {
                "topic": topic,
                "partition": 0,
                "offset": offsets[topic],
                "timestamp": FIRST_TIMESTAMP_MS + 1000 * len(lines),
                "timestampType": 0,
                "key": compact(message["key"]),
                "value": compact(message["value"]),
                "headers": None,
            }
        )
    return lines
