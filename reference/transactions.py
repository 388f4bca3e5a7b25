"""Transactions and the cut, from docs/transactions.md and not from the SQL."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reference.config import Config
from reference.envelope import payload_of, read_event
from reference.epochs import epoch
from reference.event import Event
from reference.incarnations import incarnation
from reference.record import KafkaRecord

Key = tuple[int, str]
Place = tuple[int, int]
STREAMING = ("c", "u", "d", "t")
BEHIND_ALL = "~~"


@dataclass(frozen=True)
class Boundary:
    """A BEGIN or END."""

    record: KafkaRecord
    key: Key
    status: str
    place: Place
    event_count: int | None = None
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Member:
    """An event of a transaction: its table, what tells it from others, and its position."""

    key: Key
    table: str
    identity: Any
    low: Any
    high: Any
    collection_order: int | None


@dataclass
class Transaction:
    """What is known of a transaction."""

    key: Key
    boundaries: list[Boundary] = field(default_factory=list)
    members: list[Member] = field(default_factory=list)
    expected: dict[str, int] = field(default_factory=dict)  # by table
    unmodelled: dict[str, int] = field(default_factory=dict)  # by data collection
    landed: dict[str, int] = field(default_factory=dict)
    status: str = ""

    @property
    def ends(self) -> list[Boundary]:
        """The ENDs that landed."""
        return [one for one in self.boundaries if one.status == "END"]

    @property
    def low(self) -> Any:
        """The lowest position of its span; None where the span is not known."""
        positions = [member.low for member in self.members]
        return None if not positions or None in positions else min(positions)

    @property
    def high(self) -> Any:
        """The highest position of its span."""
        positions = [member.high for member in self.members]
        return None if not positions or None in positions else max(positions)

    @property
    def places(self) -> dict[int, tuple[Place, Place]]:
        """Its first and last boundary in each partition."""
        found: dict[int, list[Place]] = defaultdict(list)
        for one in self.boundaries:
            found[one.record.partition].append(one.place)
        return {partition: (min(places), max(places)) for partition, places in found.items()}

    @property
    def has_gap(self) -> bool:
        """Whether the orders in a table show that events of it are missing."""
        orders: dict[str, set[int]] = defaultdict(set)
        for member in self.members:
            if member.collection_order is not None:
                orders[member.table].add(member.collection_order)
        return any(max(found) > len(found) for found in orders.values())

    @property
    def holds(self) -> bool:
        """Whether it holds the cut."""
        return self.status in ("incomplete", "open") or self.status == "no_end" and self.has_gap


@dataclass(frozen=True)
class Cut:
    """The cut: its position and transaction, and what holds it."""

    position: Any = None
    transaction: Key | None = None
    held_by: Key | None = None


def transactions(
    boundaries: Iterable[KafkaRecord],
    records: Mapping[str, Iterable[KafkaRecord]],
    configs: Mapping[str, Config],
    tables: Mapping[str, str],
) -> tuple[dict[Key, Transaction], list[KafkaRecord]]:
    """Return the transactions of a source, and the records of the topic that are no boundaries.

    Args:
        boundaries: the records of the transaction topic that landed.
        records: those of each modelled table.
        configs: the configuration of each modelled table.
        tables: the modelled table by data collection.
    """
    config = next(iter(configs.values()))
    found: dict[Key, Transaction] = {}
    unreadable = []
    for record in boundaries:
        if _has_no_value(record):
            continue
        boundary = read_boundary(record, config)
        if boundary is None:
            unreadable.append(record)
        else:
            found.setdefault(boundary.key, Transaction(boundary.key)).boundaries.append(boundary)
    for table, landed in records.items():
        for record in landed:
            member = read_member(record, table, configs[table])
            if member is not None:
                found.setdefault(member.key, Transaction(member.key)).members.append(member)
    for one in found.values():
        _count(one, tables)
    for one in found.values():
        one.status = _status(one, found)
    return found, unreadable


def _has_no_value(record: KafkaRecord) -> bool:
    try:
        return payload_of(record.value) is None
    except ValueError:
        return False


def read_boundary(record: KafkaRecord, config: Config) -> Boundary | None:
    """Return the boundary that a record is, None if it is none."""
    try:
        value = payload_of(record.value)
    except ValueError:
        return None
    if not isinstance(value, dict) or not value.get("id"):
        return None
    key = (_started(record, config), transaction_id(value["id"], config))
    place = (incarnation(record, config), record.offset)
    if value.get("status") == "BEGIN":
        return Boundary(record, key, "BEGIN", place)
    count, counts = value.get("event_count"), value.get("data_collections")
    if value.get("status") != "END" or count is None or (counts is None and int(count) != 0):
        return None
    return Boundary(
        record,
        key,
        "END",
        place,
        int(count),
        {one["data_collection"]: int(one["event_count"]) for one in counts or []},
    )


def transaction_id(text: str, config: Config) -> str:
    """Return what all records of a transaction have of its id."""
    if config.connector == "postgresql":
        return text.split(":")[0]
    return text.lower() if config.connector == "sqlserver" else text


def read_member(record: KafkaRecord, table: str, config: Config) -> Member | None:
    """Return the event of a transaction that a record is, None if it is none."""
    event = read_event(record, config)
    if event is None or event.op not in STREAMING:
        return None
    block = payload_of(record.value).get("transaction") or {}
    own_id = None if block.get("id") is None else transaction_id(block["id"], config)
    if config.connector == "sqlserver" and event.position is not None:
        own_id = event.position[1][0]
    if own_id is None:
        return None
    low, high = _span(event, config)
    order = block.get("data_collection_order")
    return Member(
        (_started(record, config), own_id),
        table,
        _identity(event, block.get("total_order")),
        low,
        high,
        None if order is None else int(order),
    )


def _started(record: KafkaRecord, config: Config) -> int:
    """Return the epoch, counted from those that begin at a moment."""
    epochs = tuple(one for one in config.epochs if one.from_ms is not None)
    return epoch(record, replace(config, epochs=epochs))


def _identity(event: Event, total_order: Any) -> Any:
    told = event.told
    shared = told is None or (not event.unique and event.op != "t")
    order = None if total_order is None or not shared else int(total_order)
    return (event.key, event.op, json.dumps(told, default=str), order)


def _span(event: Event, config: Config) -> tuple[Any, Any]:
    if config.connector == "sqlserver":
        if event.position is None:
            return None, None
        started, (commit,) = event.position
        return (started, (commit,)), (started, (commit, BEHIND_ALL))
    position = event.stream_position
    if config.connector == "oracle" and position is not None and position[1][0] == 0:
        return None, None  # of LogMiner: no order of commits
    return position, position


def _count(one: Transaction, tables: Mapping[str, str]) -> None:
    counts: dict[str, int] = {}
    for end in one.ends:
        for collection, count in end.counts.items():
            counts[collection] = max(count, counts.get(collection, 0))
    for collection, count in counts.items():
        table = tables.get(collection)
        if table is None:
            one.unmodelled[collection] = count
        else:
            one.expected[table] = one.expected.get(table, 0) + count
    identities: dict[str, set[Any]] = defaultdict(set)
    for member in one.members:
        identities[member.table].add(member.identity)
    one.landed = {table: len(told) for table, told in identities.items()}


def _status(one: Transaction, all_of_them: Mapping[Key, Transaction]) -> str:
    if one.ends:
        lacks = any(one.landed.get(table, 0) < count for table, count in one.expected.items())
        return "incomplete" if lacks else "complete"
    if not one.boundaries:
        ended = [other.high for other in all_of_them.values() if other.ends]
        highest = max((high for high in ended if high is not None), default=None)
        later = one.high is not None and highest is not None and one.high < highest
        return "no_end" if later else "open"
    for partition, (_, last) in one.places.items():
        for other in all_of_them.values():
            own = other.places.get(partition)
            if other is not one and own is not None and own[0] > last:
                return "no_end"
    return "open"


def cut(found: Mapping[Key, Transaction], connector: str) -> Cut:
    """Return the cut of a source; `found`: its transactions."""
    bounds: list[tuple[Any, Key]] = []
    for one in found.values():
        if one.holds:
            bounds.append((_bound(one, found), one.key))
    lowest = min(bounds, default=None)
    held_by = None if lowest is None else lowest[1]
    if connector == "mongodb":
        return Cut(held_by=held_by)
    passing = [
        one
        for one in found.values()
        if not one.holds
        and one.high is not None
        and (lowest is None or (0, one.high) < lowest[0] and lowest[0] != NOTHING)
    ]
    if not passing:
        return Cut(held_by=held_by)
    at = max(passing, key=lambda one: one.high)
    return Cut(at.high, at.key, held_by)


NOTHING = (-1,)


def _bound(one: Transaction, found: Mapping[Key, Transaction]) -> Any:
    """Return what positions must be below: (0, position), or just behind one: (0, position, 1)."""
    if one.low is not None:
        return (0, one.low)
    before = [
        other.high
        for other in found.values()
        for partition, (first, _) in one.places.items()
        if other.high is not None
        and partition in other.places
        and other.places[partition][0] < first
    ]
    return (0, max(before), 1) if before else NOTHING


def landed_by(batches: Sequence[Sequence[KafkaRecord]], count: int) -> list[KafkaRecord]:
    """Return the records of the first batches."""
    return [record for batch in batches[:count] for record in batch]


def up_to(records: Iterable[KafkaRecord], config: Config, position: Any) -> list[KafkaRecord]:
    """Return the events up to a cut, without tombstones: deletes tell what they do."""
    kept = []
    for record in records:
        event = read_event(record, config)
        place = None if event is None else place_in_log(event, config)
        if place is not None and place <= position:
            kept.append(record)
    return kept


def place_in_log(event: Event, config: Config) -> Any:
    """Return a position that compares with those of commits; None: it has none."""
    place = event.position if config.connector == "sqlserver" else event.logged_at
    if config.connector == "postgresql" and place is not None and place[1][0] == 0:
        # of a read, which knows no commit before it
        return (place[0], place[1][1:])
    return place
