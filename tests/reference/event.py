"""Read one Kafka record as an event of a table: envelope forms, positions, identity."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.reference.placeholder import is_placeholder
from tests.reference.positions import POSITIONS, version_of
from tests.reference.record import KafkaRecord, canonical_json

TOMBSTONE = "tombstone"
ROW_OPS = ("c", "u", "d", "r")


@dataclass(frozen=True)
class Epoch:
    """One configured epoch entry: positions started again, without a snapshot telling so.

    Either `from_ms` (record timestamp, milliseconds), or `topic` with `offsets` by partition.
    """

    from_ms: int | None = None
    topic: str | None = None
    offsets: Mapping[int, int] = field(default_factory=dict)

    def holds(self, record: KafkaRecord) -> bool:
        """Tell whether the record belongs to this epoch or a later one."""
        if self.from_ms is not None:
            return record.timestamp_ms >= self.from_ms
        first = self.offsets.get(record.partition)
        return record.topic == self.topic and first is not None and record.offset >= first


@dataclass(frozen=True)
class Config:
    """What the records cannot tell.

    `incarnations` are record timestamps in milliseconds. `columns` gives each column's Connect type
    (`type`, `semantic`, `items`), used to recognise placeholders exactly. `key` names the key's
    columns, used when a record's key is a bare scalar.
    """

    connector: str
    placeholder: str = "__debezium_unavailable_value"
    epochs: tuple[Epoch, ...] = ()
    incarnations: tuple[int, ...] = ()
    complete_before: bool = False
    close_unseen: bool = False
    keyless: bool = False
    key: tuple[str, ...] = ()
    columns: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    binlog_transaction_compression: bool = False


@dataclass(frozen=True)
class Event:
    """A staged event. `position` and `stream_position` start with the epoch; None: has none.

    `content` is what a redelivery repeats of a change without a position, with the epoch in front;
    None: the position is enough, or nothing tells repeats. `told` is what tells the event from
    others of its key and op; changes of one connector run can share it when it is not `unique`.
    """

    record: KafkaRecord
    incarnation: int
    op: str
    key: str | None
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    position: tuple[Any, ...] | None = None
    stream_position: tuple[Any, ...] | None = None
    content: tuple[Any, ...] | None = None
    told: Any = None
    unique: bool = True
    incremental: bool = False
    first_of_snapshot: bool = False
    last_of_snapshot: bool = False
    old_key: str | None = None
    run_id: str | None = None
    unavailable: frozenset[str] = frozenset()
    before_unavailable: frozenset[str] = frozenset()

    @property
    def place(self) -> tuple[str, int]:
        """The partition it lies in."""
        return (self.record.topic, self.record.partition)

    @property
    def order_in_place(self) -> tuple[int, int]:
        """Arrival order within one partition."""
        return (self.incarnation, self.record.offset)

    @property
    def order_across_places(self) -> tuple[int, int, str, int, int]:
        """Arrival order of a key that was seen in several partitions."""
        record = self.record
        return (
            self.incarnation,
            record.timestamp_ms,
            record.topic,
            record.partition,
            record.offset,
        )

    @property
    def full_read(self) -> bool:
        """A row read by an initial, repeated or blocking snapshot."""
        return self.op == "r" and not self.incremental

    @property
    def streaming(self) -> bool:
        """A change the source logged, in contrast to a read."""
        return self.op in ("c", "u", "d", "t")

    @property
    def logged_at(self) -> tuple[Any, ...] | None:
        """Its place in the source's log; None: it has no position."""
        return None if self.position is None else self.stream_position or self.position

    @property
    def identity(self) -> tuple[Any, ...] | None:
        """What another delivery has, too, and no other event of its key; None: nothing tells."""
        return None if self.told is None else (self.op, self.told)


def incarnation(record: KafkaRecord, config: Config) -> int:
    """Return how many times its topic had been deleted and created anew."""
    return sum(1 for start in config.incarnations if record.timestamp_ms >= start)


def in_arrival_order(events: list[Event]) -> list[Event]:
    """Sort one key's events as they arrived."""
    if len({event.place for event in events}) == 1:
        return sorted(events, key=lambda event: event.order_in_place)
    return sorted(events, key=lambda event: event.order_across_places)


def read_event(record: KafkaRecord, config: Config) -> Event | None:
    """Return the event a record is, None when it is none (unreadable, `m`, key-less tombstone)."""
    created = incarnation(record, config)
    try:
        key = payload_of(record.key)
        value = payload_of(record.value)
    except ValueError:
        return None
    key_text = None if key is None else _key_text(key, config)
    if value is None:
        if key is None:
            return None
        return Event(record, created, TOMBSTONE, key_text)
    if not isinstance(value, dict):
        return None
    op, before, after = value.get("op"), value.get("before"), value.get("after")
    if op == "t":
        key_text = None
    elif op not in ROW_OPS or (key is None) != config.keyless:
        return None
    elif op != "d" and not isinstance(after, dict):
        return None
    source = value.get("source") or {}
    epoch = sum(1 for entry in config.epochs if entry.holds(record))
    position = POSITIONS[config.connector](value, config)
    headers = dict(record.headers)
    told: Any = position.told or position.row
    unique = position.unique
    if op == "r":
        told, unique = record.value, version_of(source) >= (2, 6)
    elif position.content is not None:
        told = (epoch, position.content)
    elif position.row is not None:
        told = (epoch, told)
    old_key = headers.get("__debezium.oldkey")
    return Event(
        record,
        created,
        op,
        key_text,
        before,
        after,
        None if position.row is None else (epoch, position.row),
        None if position.stream is None else (epoch, position.stream),
        None if position.content is None else (epoch, position.content),
        told=told,
        unique=unique,
        incremental=op == "r" and source.get("snapshot") == "incremental",
        first_of_snapshot=source.get("snapshot") in ("first", "first_in_data_collection"),
        last_of_snapshot=source.get("snapshot") in ("last", "last_in_data_collection"),
        old_key=None if old_key is None else _key_text(payload_of(old_key), config),
        run_id=headers.get("__debezium.context.runId"),
        unavailable=_unavailable(after, config),
        before_unavailable=_unavailable(before, config),
    )


def payload_of(text: str | None) -> Any:
    """Return what a converter's text holds, without the schema; None for every form of null."""
    if text is None or text.strip() == "":
        return None
    value = json.loads(text)
    if isinstance(value, dict) and set(value) == {"schema", "payload"}:
        schema = value["schema"]
        if schema is None or (isinstance(schema, dict) and isinstance(schema.get("type"), str)):
            return value["payload"]
    return value


def _key_text(key: Any, config: Config) -> str:
    """Return the canonical key; a scalar is the value of the only key column."""
    if not isinstance(key, dict) and len(config.key) == 1:
        key = {config.key[0]: key}
    return canonical_json(key)


def _unavailable(row: Any, config: Config) -> frozenset[str]:
    if not isinstance(row, dict):
        return frozenset()
    return frozenset(
        name
        for name, value in row.items()
        if is_placeholder(value, config.placeholder, config.columns.get(name))
    )
