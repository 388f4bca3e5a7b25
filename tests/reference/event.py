"""Read one Kafka record as an event of a table: envelope forms, positions, identity."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.reference.placeholder import is_placeholder
from tests.reference.record import KafkaRecord, canonical_json

TOMBSTONE = "tombstone"
ROW_OPS = ("c", "u", "d", "r")
# Sorts after every text a log sequence number can be.
AFTER_ALL_LSNS = "~"


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
    keyless: bool = False
    key: tuple[str, ...] = ()
    columns: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Event:
    """A staged event. `position` and `stream_position` start with the epoch; None: has none."""

    record: KafkaRecord
    incarnation: int
    op: str
    key: str | None
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    position: tuple[Any, ...] | None = None
    stream_position: tuple[Any, ...] | None = None
    incremental: bool = False
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
    def identity(self) -> tuple[Any, ...]:
        """What a redelivery repeats; the key is that of the walk it is compared in.

        Without a position nothing but the content tells two changes apart.
        """
        if self.position is None:
            return (None, self.op, canonical_json([self.before, self.after]))
        return (self.position, self.op)


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
        key = _payload(record.key)
        value = _payload(record.value)
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
    position, stream_position = POSITIONS[config.connector](source, op)
    headers = dict(record.headers)
    old_key = headers.get("__debezium.oldkey")
    return Event(
        record,
        created,
        op,
        key_text,
        before,
        after,
        None if position is None else (epoch, position),
        None if stream_position is None else (epoch, stream_position),
        incremental=op == "r" and source.get("snapshot") == "incremental",
        old_key=None if old_key is None else _key_text(_payload(old_key), config),
        run_id=headers.get("__debezium.context.runId"),
        unavailable=_unavailable(after, config),
        before_unavailable=_unavailable(before, config),
    )


def _payload(text: str | None) -> Any:
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


def _integer(value: Any) -> int | None:
    """Return a number that may be quoted."""
    return None if value is None else int(value)


def _postgresql(source: Mapping[str, Any], op: str) -> tuple[Any, Any]:
    """Return (lsn, (last commit's lsn or 0, lsn)). Incremental reads have only the second."""
    row = _integer(source.get("lsn"))
    commit, change = (_integer(part) for part in json.loads(source.get("sequence") or "[0,null]"))
    change = row if change is None else change
    return row, None if change is None else (commit or 0, change)


def _sqlserver(source: Mapping[str, Any], op: str) -> tuple[Any, Any]:
    """Return (commit_lsn, change_lsn, event_serial_no) for both.

    A read of an initial snapshot has no change_lsn: it saw every commit up to commit_lsn.
    """
    commit, change = source.get("commit_lsn"), source.get("change_lsn")
    if commit is None:
        return None, None
    if change is None:
        position = (commit, AFTER_ALL_LSNS, 0)
    else:
        position = (commit, change, _integer(source.get("event_serial_no")) or 0)
    return position, position


def _oracle(source: Mapping[str, Any], op: str) -> tuple[Any, Any]:
    """Return (scn, rs_id, ssn) for both, of XStream the LCR position.

    No row's position have incremental reads and changes that the last two do not tell apart.
    """
    incremental = source.get("snapshot") == "incremental"
    lcr = source.get("lcr_position")
    if lcr is not None:
        stream = (1, int(lcr, 16))
        return None if incremental else stream, stream
    scn = _integer(source.get("scn"))
    if scn is None:
        return None, None
    record = (source.get("rs_id") or "").strip().lower()
    statement = _integer(source.get("ssn")) or 0
    place: tuple[Any, ...] = (0, scn, record or AFTER_ALL_LSNS)
    place += (float("inf") if statement < 0 else statement,)
    unordered = op in ("c", "u", "d") and (not record or statement < 0)
    return None if incremental or unordered else place, place


POSITIONS = {"oracle": _oracle, "postgresql": _postgresql, "sqlserver": _sqlserver}
