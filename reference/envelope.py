"""Read one Kafka record as an event of a table: envelopes in every form of a converter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from reference.config import Config
from reference.epochs import epoch
from reference.event import Event
from reference.flattened import as_envelope
from reference.incarnations import incarnation
from reference.placeholder import unavailable_columns
from reference.positions import Position, position_of, version_of
from reference.record import KafkaRecord, payload_of
from reference.record_keys import canonical_key, key_of_header
from reference.tombstones import TOMBSTONE

ROW_OPS = ("c", "u", "d", "r")
MARKERS = (
    "true",
    "first",
    "first_in_data_collection",
    "last",
    "last_in_data_collection",
    "incremental",
)


def op_of(value: dict[str, Any]) -> Any:
    """Return the op of an envelope: what a snapshot read is `r`, whatever wrote it."""
    op, marker = value.get("op"), source_of(value).get("snapshot")
    return "r" if op in ("c", "u") and str(marker).lower() in MARKERS else op


def source_of(value: dict[str, Any]) -> dict[str, Any]:
    """Return the source block; an empty one if it is missing or no object."""
    source = value.get("source")
    return source if isinstance(source, dict) else {}


def read_event(record: KafkaRecord, config: Config) -> Event | None:
    """Return the event a record is, None when it is none (unreadable, `m`, key-less tombstone)."""
    created = incarnation(record, config)
    if config.flattened is not None:
        record = as_envelope(record, config.flattened)
    try:
        key = payload_of(record.key)
        value = payload_of(record.value)
    except ValueError:
        return None
    key_text = None if key is None else canonical_key(key, config)
    if value is None:
        if key is None:
            return None
        return Event(record, created, TOMBSTONE, key_text)
    if not isinstance(value, dict):
        return None
    op = op_of(value)
    before, after = (_with_key(value.get(image), key, config) for image in ("before", "after"))
    if op == "t":
        key_text = None
    elif op not in ROW_OPS or (key is None) != config.keyless:
        return None
    elif op != "d" and not isinstance(after, dict):
        return None
    source = source_of(value)
    started = epoch(record, config)
    position = position_of(value | {"op": op, "source": source}, config)
    if op != "r" and position == Position(None, None):
        # nothing tells where it lies in the log
        position = replace(position, content=record.value, unique=False)
    headers = dict(record.headers)
    told: Any = position.told or position.row
    unique = position.unique
    if op == "r":
        told, unique = record.value, version_of(source) >= (2, 6)
    elif position.content is not None:
        told = (started, position.content)
    elif position.row is not None:
        told = (started, told)
    old_key = key_of_header(headers.get("__debezium.oldkey"))
    return Event(
        record,
        created,
        op,
        key_text,
        before,
        after,
        None if position.row is None else (started, position.row),
        None if position.stream is None else (started, position.stream),
        None if position.content is None else (started, position.content),
        told=told,
        unique=unique,
        incremental=op == "r" and source.get("snapshot") == "incremental",
        first_of_snapshot=source.get("snapshot") in ("first", "first_in_data_collection"),
        last_of_snapshot=source.get("snapshot") in ("last", "last_in_data_collection"),
        old_key=None if old_key is None else canonical_key(old_key, config),
        run_id=headers.get("__debezium.context.runId"),
        unavailable=unavailable_columns(after, config),
        before_unavailable=unavailable_columns(before, config),
    )


def _with_key(image: Any, key: Any, config: Config) -> Any:
    """Return a row image with the columns of the key that it lacks."""
    if not isinstance(image, dict) or not isinstance(key, dict) or config.keyless:
        return image
    return {**{name: key[name] for name in config.key if name in key}, **image}
