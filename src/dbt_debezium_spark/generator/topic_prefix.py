"""Find a source's topic prefix in its records, so that a new user need not know it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dbt_debezium_spark.flattened.recognised import flattened_source, is_flattened
from dbt_debezium_spark.generator.parquet_records import PARQUET_SUFFIXES, parquet_records
from dbt_debezium_spark.generator.recognised_layout import sink_records
from dbt_debezium_spark.input_walk import printable_path, walk

# Enough to find a record with a source block after transaction, heartbeat and tombstone records.
LINES_PER_FILE = 500
FILES = 50
# Longer lines are not read.
LINE_CHARACTERS = 16 * 1024 * 1024
MAX_UNREAD_NAMES = 3


class TopicPrefixError(ValueError):
    """The records do not contain the prefix."""


def infer_topic_prefix(path: str, connector: str, layout: dict[str, Any] | None = None) -> str:
    """Return the topic prefix in the records of an input.

    A record's source block has the prefix as `name`. It counts if the record's topic is the prefix
    or begins with it, so topics that a routing transform renamed do not count.

    Args:
        path: folder or glob of record files.
        connector: kind of the connector; records of other kinds do not count.
        layout: result of `recognised_layout`.

    Raises:
        TopicPrefixError: no record contains it, or there are several prefixes or other connectors.
    """
    prefixes: Counter[str] = Counter()
    connectors: Counter[str] = Counter()
    unread: list[str] = []
    has_avro = False
    for file in _files(path, unread):
        has_avro |= file.suffix == ".avro"
        for record in _first_records(file, layout, unread):
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
            " Choose one with --topic-prefix; the others are separate sources."
        )
    if connectors:
        found = ", ".join(f"`{name}`" for name in sorted(connectors))
        raise TopicPrefixError(
            f"debezium_spark: the records in {path} come from {found}, not from `{connector}`."
            " Correct --connector."
        )
    reason = "no Debezium record with a source block"
    if has_avro:
        reason = "only Avro files"
    unread_text = f" Not read: {'; '.join(unread[:MAX_UNREAD_NAMES])}." if unread else ""
    raise TopicPrefixError(
        f"debezium_spark: the topic prefix cannot be determined: {reason} in {path}.{unread_text}"
        " Add --topic-prefix (the connector's `topic.prefix`, before 2.0 `database.server.name`)."
    )


def has_flattened_records(path: str, layout: dict[str, Any] | None = None) -> bool:
    """Return whether the first records of an input's files include flattened ones.

    Args:
        path: folder or glob of record files.
        layout: result of `recognised_layout`.
    """
    unread: list[str] = []
    return any(
        is_flattened(_payload(record))
        for file in _files(path, unread)
        for record in _first_records(file, layout, unread)
    )


def _files(path: str, unread: list[str]) -> Iterator[Path]:
    folder = walk(path)
    unread += [f"{file.path}: {file.why}" for file in folder.refused]
    return (Path(name) for name in folder.files[:FILES])


def _first_records(
    file: Path, layout: dict[str, Any] | None, unread: list[str]
) -> Iterator[dict[str, Any]]:
    if file.suffix == ".avro":
        return iter(())
    if layout:
        return sink_records(file, layout, LINES_PER_FILE, unread)
    read = parquet_records if file.suffix.lower() in PARQUET_SUFFIXES else _records
    return read(file, unread)


def _records(file: Path, unread: list[str]) -> Iterator[dict[str, Any]]:
    """Yield the records in a file's first lines, and add unreadable ones to `unread`."""
    try:
        with file.open(encoding="utf-8", errors="replace") as lines:
            for number in range(1, LINES_PER_FILE + 1):
                line = lines.readline(LINE_CHARACTERS)
                if len(line) == LINE_CHARACTERS:
                    unread.append(f"{_display_path(file)}: from line {number} on: too long")
                    return
                if not line:
                    return
                try:
                    record = _object(line)
                    _source_block(record)
                except RecursionError:
                    unread.append(f"{_display_path(file)}: line {number}: nested too deeply")
                    continue
                if record:
                    yield record
    except OSError as error:
        unread.append(f"{_display_path(file)}: {error.strerror}")


def _display_path(file: Path) -> str:
    return printable_path(str(file))


def _source_block(record: dict[str, Any]) -> dict[str, Any]:
    value = _payload(record)
    return _object(value.get("source")) or flattened_source(value)


def _payload(record: dict[str, Any]) -> dict[str, Any]:
    # `kcat -J` calls the value of a record its payload.
    value = _object(record.get("value", record.get("payload")))
    if "op" in value or "tableChanges" in value or is_flattened(value):
        return value
    return _object(value.get("payload"))


def _object(text: Any) -> dict[str, Any]:
    """Return a JSON object from a text or a parsed value; an empty one for other values."""
    if isinstance(text, str):
        try:
            text = json.loads(text)
        except ValueError:
            # Landing reports lines that are no records, with their place.
            return {}
    return text if isinstance(text, dict) else {}
