"""Finding a source's topic prefix in its records, so that a new user need not know it."""

from __future__ import annotations

import glob
import json
import os
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

# Enough to meet a record with a source block behind transaction, heartbeat and tombstone records.
LINES_PER_FILE = 500
FILES = 50


class TopicPrefixError(ValueError):
    """The records do not tell the prefix."""


def infer_topic_prefix(path: str, connector: str) -> str:
    """Return the topic prefix that the records of an input carry.

    A record's source block has the prefix as `name`; it counts when the record's topic is the
    prefix or begins with it, which tells it from topics that a routing transform renamed.

    Args:
        path: folder or glob of record files.
        connector: kind of the connector; records of other kinds do not count.

    Raises:
        TopicPrefixError: no record tells it, or several prefixes or other connectors were found.
    """
    prefixes: Counter[str] = Counter()
    connectors: Counter[str] = Counter()
    unreadable = set()
    for file in _files(path):
        if file.suffix == ".parquet":
            unreadable.add(file.suffix)
            continue
        for record in _records(file):
            block = _source_block(record)
            name, kind = block.get("name"), block.get("connector")
            topic = record.get("topic")
            if not isinstance(name, str) or not isinstance(topic, str):
                continue
            if topic != name and not topic.startswith(name + "."):
                continue
            if kind is not None and kind != connector:
                connectors[str(kind)] += 1
                continue
            prefixes[name] += 1
    if len(prefixes) == 1:
        return next(iter(prefixes))
    if prefixes:
        found = ", ".join(f"`{name}` ({count} records)" for name, count in prefixes.most_common())
        raise TopicPrefixError(
            f"debezium_spark: the records in {path} have several topic prefixes: {found}."
            " Choose one with --topic-prefix; the others are sources of their own."
        )
    if connectors:
        found = ", ".join(f"`{name}`" for name in sorted(connectors))
        raise TopicPrefixError(
            f"debezium_spark: the records in {path} come from {found}, not from `{connector}`."
            " Correct --connector."
        )
    why = "only Parquet files" if unreadable else "no Debezium record with a source block"
    raise TopicPrefixError(
        f"debezium_spark: the topic prefix cannot be told: {why} in {path}."
        " Give --topic-prefix (the connector's `topic.prefix`, before 2.0 `database.server.name`)."
    )


def _files(path: str) -> Iterator[Path]:
    pattern = os.path.join(path, "**") if os.path.isdir(path) else path
    found = (Path(name) for name in sorted(glob.iglob(pattern, recursive=True)))
    return islice((one for one in found if one.is_file() and not one.name.startswith("_")), FILES)


def _records(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8", errors="replace") as lines:
        for line in islice(lines, LINES_PER_FILE):
            record = _object(line)
            if record:
                yield record


def _source_block(record: dict[str, Any]) -> dict[str, Any]:
    # `kcat -J` calls the value of a record its payload.
    value = _object(record.get("value", record.get("payload")))
    if "op" not in value and "tableChanges" not in value:
        value = _object(value.get("payload"))
    return _object(value.get("source"))


def _object(text: Any) -> dict[str, Any]:
    """Return a JSON object, whether given as text or parsed; anything else is an empty one."""
    if isinstance(text, str):
        try:
            text = json.loads(text)
        except ValueError:
            # Lines that are no records are the landing's to report, with their place.
            return {}
    return text if isinstance(text, dict) else {}
