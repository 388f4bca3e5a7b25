"""What a query as of an instant must show: the state of the fold that is cut there.

docs/history.md#time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reference.config import Config
from reference.document_versions import document_changes
from reference.documents import FoldedDocuments, fold_documents
from reference.envelope import payload_of
from reference.event import Event
from reference.fold import Walked, fold, walked
from reference.folded import Row
from reference.record import KafkaRecord, time_of
from reference.version_steps import Change, Changes, event_id
from reference.versions import Version

Rows = dict[str, tuple[Row, frozenset[str]]]


@dataclass(frozen=True)
class Cut:
    """The rows of a table, and which columns of each no event shows, at an instant."""

    instant: int
    rows: Rows


def shown_at(versions: Iterable[Version], instant: int) -> Rows:
    """Return what the versions show as of an instant; no key has two rows."""
    rows: Rows = {}
    for version in versions:
        if version.holds_at(instant):
            assert version.key not in rows, f"two rows of {version.key} at {instant}"
            rows[version.key] = (_known(version.row), version.unknown)
    return rows


def cuts(
    records: Sequence[KafkaRecord],
    config: Config,
    choose: Callable[[list[int]], Iterable[int]] = lambda instants: instants,
) -> list[Cut]:
    """Fold the records up to instants, for each at which the log can be cut.

    It cannot where clocks went back: an event of the time after lies before one of the time
    before. `choose` says which of the events' times are taken.
    """
    log = walked(records, config)
    changes = Changes(log, config)
    of_keys = {key: list(changes.of(key)) for key in log.walks}
    times = {_place(record): _time(record) for record in records}
    instants = sorted({change.at for of_key in of_keys.values() for change in of_key})
    found = []
    for instant in choose(instants):
        until = [record for record in records if times[_place(record)] <= instant]
        if not _is_whole(log, times, instant):
            continue
        if _splits_a_key_change(of_keys, instant):
            continue
        part = walked(until, config)
        if all(
            _ends_at(of_keys[key], instant) == [event_id(s.event) for s in part.walks.get(key, [])]
            for key in of_keys
        ):
            folded = fold(until, config)
            found.append(
                Cut(
                    instant,
                    {
                        key: (_known(row), frozenset(folded.unknown.get(key, ())))
                        for key, row in folded.rows.items()
                    },
                )
            )
    return found


def document_cuts(
    records: Sequence[KafkaRecord],
    config: Config,
    choose: Callable[[list[int]], Iterable[int]] = lambda instants: instants,
) -> list[tuple[int, FoldedDocuments]]:
    """Fold the records of a collection up to instants, as `cuts` does."""
    of_keys = document_changes(records, config)
    instants = sorted({change.at for changes in of_keys.values() for change in changes})
    found = []
    for instant in choose(instants):
        until = [record for record in records if _time(record) <= instant]
        part = document_changes(until, config)
        if all(
            _ends_at(changes, instant) == [change.event_id for change in part.get(key, [])]
            for key, changes in of_keys.items()
        ):
            found.append((instant, fold_documents(until, config)))
    return found


def _is_whole(log: Walked, times: dict[Any, int], instant: int) -> bool:
    """Tell whether truncates are in order, and snapshots on one side."""
    is_past = [times[_place(truncate.record)] <= instant for truncate in _in_order(log.truncates)]
    if is_past != sorted(is_past, reverse=True):
        return False
    return all(
        len({times[_place(read.record)] <= instant for read in snapshot}) == 1
        for snapshot in log.snapshots
    )


def _splits_a_key_change(of_keys: Mapping[str, Sequence[Change]], instant: int) -> bool:
    """Tell whether a row that was renamed before an instant held changes of the time after."""
    past, ahead = [], []
    for key, changes in of_keys.items():
        latest = 0
        for change in changes:
            latest = max(latest, change.at)
            if latest > instant:
                ahead.append((key, change.place))
            elif change.how == "key_change" and change.is_upsert:
                past.append((change.other_key, change.place))
    return any(
        key == other and (place is None or here is None or place <= here)
        for other, here in past
        for key, place in ahead
    )


def _in_order(truncates: Iterable[Event]) -> list[Event]:
    return sorted(
        truncates, key=lambda one: (one.position is None, one.position or (), one.record.offset)
    )


def _ends_at(changes: Sequence[Change], instant: int) -> list[str] | None:
    """Return the walk's events up to an instant, None if it lies within a transaction."""
    latest, place = 0, 0
    for change in changes:
        latest = max(latest, change.at)
        if latest > instant:
            break
        place += 1
    if 0 < place < len(changes):
        before, behind = changes[place - 1].transaction, changes[place].transaction
        if before is not None and before == behind:
            return None
    return [
        one.event_id for one in changes[:place] if one.how not in ("truncate", "drop", "unseen")
    ]


def _time(record: KafkaRecord) -> int:
    value = payload_of(record.value)
    source = value.get("source") if isinstance(value, dict) else None
    time = time_of(source) if isinstance(source, dict) else None
    return record.timestamp_ms * 1000 if time is None else time


def _place(record: KafkaRecord) -> tuple[Any, ...]:
    return (record.topic, record.partition, record.offset, record.timestamp_ms, record.value)


def _known(row: Row) -> Row:
    return {name: value for name, value in row.items() if value is not None}
