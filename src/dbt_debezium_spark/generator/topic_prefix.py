"""Finding a source's topic prefix in its records, so that a new user need not know it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dbt_debezium_spark.input_walk import printable_path, walk

# Enough to meet a record with a source block behind transaction, heartbeat and tombstone records.
LINES_PER_FILE = 500
FILES = 50
# Of a longer line no record is made.
LINE_CHARACTERS = 16 * 1024 * 1024
UNREAD_NAMED = 3


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
    unread: list[str] = []
    has_parquet = False
    for file in _files(path, unread):
        if file.suffix == ".parquet":
            has_parquet = True
            continue
        for record in _records(file, unread):
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
    why = "only Parquet files" if has_parquet else "no Debezium record with a source block"
    left_out = f" Not read: {'; '.join(unread[:UNREAD_NAMED])}." if unread else ""
    raise TopicPrefixError(
        f"debezium_spark: the topic prefix cannot be told: {why} in {path}.{left_out}"
        " Give --topic-prefix (the connector's `topic.prefix`, before 2.0 `database.server.name`)."
    )


def _files(path: str, unread: list[str]) -> Iterator[Path]:
    found = walk(path)
    unread += [f"{one.path}: {one.why}" for one in found.refused]
    return (Path(name) for name in found.files[:FILES])


def _records(file: Path, unread: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the records among a file's first lines, and note what could not be looked at."""
    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            for number in range(1, LINES_PER_FILE + 1):
                line = lines.readline(LINE_CHARACTERS)
                if len(line) == LINE_CHARACTERS:
                    unread.append(f"{_named(file)}: line {number} and what follows: too long")
                    return
                if not line:
                    return
                try:
                    record = _object(line)
                    _source_block(record)
                except RecursionError:
                    unread.append(f"{_named(file)}: line {number}: nested too deeply")
                    continue
                if record:
                    yield record
    except OSError as error:
        unread.append(f"{_named(file)}: {error.strerror}")


def _named(file: Path) -> str:
    return printable_path(str(file))


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
