"""Evidence of lost events. docs/lost.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reference.closing import complete_snapshots
from reference.config import Config
from reference.envelope import read_event
from reference.event import Event
from reference.folded import Folded
from reference.incarnations import incarnation
from reference.record import KafkaRecord
from reference.walk import distinct_events, walks_of_keys

Place = tuple[str, int, int]  # topic, incarnation, partition
# whose snapshots read all rows as of one position; others read them while they change
READ_AT_ONCE = ("postgresql", "oracle")
NOT_APPLIED = ("repeat", "moved", "unexplained", "tombstone of delete", "tombstone again")


@dataclass(frozen=True)
class Lost:
    """A row of the view; `offset` is the first that is missing, of gaps, else the event's."""

    kind: str
    topic: str
    partition: int
    offset: int
    key: str | None = None


def lost(records: Iterable[KafkaRecord], config: Config, offset_gaps: str) -> list[Lost]:
    """Return the evidence that all these records together hold.

    Args:
        records: in any order, as often as they were delivered.
        config: of the table and its source.
        offset_gaps: what offsets without a record are: lost, markers or compacted.
    """
    landed = list(records)
    events = distinct_events(landed, config, read_event)
    snapshots = complete_snapshots(events)
    holes = _holes(landed, config, events, offset_gaps == "compacted")
    is_compacted = offset_gaps == "compacted"
    found = [] if config.keyless else list(_of_keys(events, config, snapshots, holes, is_compacted))
    if offset_gaps == "lost":
        found += _of_offsets(landed, config, bool(snapshots))
    return found


def _place(event: Event) -> Place:
    return (event.record.topic, event.incarnation, event.record.partition)


def _offsets(records: Iterable[KafkaRecord], config: Config) -> dict[Place, list[int]]:
    offsets: dict[Place, set[int]] = {}
    for record in records:
        place = (record.topic, incarnation(record, config), record.partition)
        offsets.setdefault(place, set()).add(record.offset)
    return {place: sorted(of_place) for place, of_place in offsets.items()}


def _holes(
    records: Iterable[KafkaRecord], config: Config, events: Iterable[Event], is_compacted: bool
) -> Mapping[tuple[Place, int], int]:
    """Return how many offsets at or below each hold no event, of those that explain a break."""
    read = {(_place(event), event.record.offset) for event in events}
    holes: dict[tuple[Place, int], int] = {}
    for place, offsets in _offsets(records, config).items():
        unread = 0
        for number, offset in enumerate(offsets):
            unread += (place, offset) not in read
            holes[place, offset] = unread + (offset - number if is_compacted else 0)
    return holes


def _of_keys(
    events: list[Event],
    config: Config,
    snapshots: list[list[Event]],
    holes: Mapping[tuple[Place, int], int],
    is_compacted: bool,
) -> Iterator[Lost]:
    told: dict[str, list[tuple[Event, str]]] = {}
    changed_ms = [event.record.timestamp_ms for event in events if event.streaming]
    initial = [
        snapshot
        for snapshot in snapshots
        if config.connector in READ_AT_ONCE
        and not any(event.op == "t" for event in events)
        and all(read.record.timestamp_ms < min(changed_ms, default=0) for read in snapshot)
    ]
    walks_of_keys(events, Folded(), told=told)
    for key, walked in told.items():
        before: Event | None = None
        is_repeated = False  # since the event before
        # compaction may have taken what lay in another partition, or the first delivery
        is_moved = len({_place(event)[::2] for event, _ in walked}) > 1
        stays = not any(event.op in ("d", "tombstone") for event, _ in walked)
        for number, (event, verdict) in enumerate(walked):
            if verdict in NOT_APPLIED:
                is_repeated = is_repeated or verdict == "repeat"
                continue
            here = Lost(
                "broken_chain", event.record.topic, event.record.partition, event.record.offset, key
            )
            hole = holes[_place(event), event.record.offset]
            if before is not None:
                follows = _place(before) == _place(event)
                follows = follows and holes[_place(before), before.record.offset] == hole
                if is_compacted:
                    follows = follows and before.position != event.position
                    follows = follows and not is_moved and not is_repeated
                if config.complete_before and follows and _breaks(before, event, verdict):
                    yield here
            elif number == 0 and verdict == "change" and event.op == "u" and stays:
                if not hole and any(_is_behind(event, snapshot) for snapshot in initial):
                    yield Lost("unknown_row", here.topic, here.partition, here.offset, key)
            before, is_repeated = event, False


def _breaks(before: Event, event: Event, verdict: str) -> bool:
    """Tell whether an event does not follow the one that was applied before it."""
    if verdict != "change" or before.op == "r":
        return False  # a read may have seen changes that are delivered behind it
    if event.position is None or before.position is None:
        return False
    if before.position[0] != event.position[0] or event.position < before.position:
        return False  # another epoch, or not in the order of the source
    if event.op == "c" or event.before is None:
        return False
    if before.op == "d":
        return True
    stands = _known(before.before, before.before_unavailable) | _known(
        before.after, before.unavailable
    )
    old = _known(event.before, event.before_unavailable)
    return any(name in stands and stands[name] != value for name, value in old.items())


def _known(image: Mapping[str, Any] | None, unavailable: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in (image or {}).items() if name not in unavailable}


def _is_behind(event: Event, snapshot: list[Event]) -> bool:
    """Tell whether a snapshot ended before an event, at the source and in Kafka."""
    read = snapshot[0]
    at, read_at = event.stream_position, read.stream_position
    if at is None or read_at is None or at[0] != read_at[0] or at <= read_at:
        return False
    return all(
        one.record.topic == event.record.topic
        and one.incarnation == event.incarnation
        and one.record.timestamp_ms < event.record.timestamp_ms
        for one in snapshot
    )


def _of_offsets(
    records: Iterable[KafkaRecord], config: Config, has_snapshot: bool
) -> Iterator[Lost]:
    for (topic, _, partition), offsets in _offsets(records, config).items():
        if offsets[0] > 0 and not has_snapshot:
            yield Lost("late_beginning", topic, partition, 0)
        for one, following in zip(offsets, offsets[1:], strict=False):
            if following > one + 1:
                yield Lost("offset_gap", topic, partition, one + 1)
