"""The history of docs/history.md in plain Python: every version that a row had."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby

from reference.config import Config
from reference.fold import walked
from reference.folded import Row
from reference.record import KafkaRecord
from reference.version_steps import Change, Changes, time_at_source


@dataclass(frozen=True)
class Options:
    """The options of a history. Times are microseconds since 1970 in UTC, as in `Version`."""

    within_transaction: str = "last"
    track: tuple[str, ...] | None = None
    ignore: tuple[str, ...] = ()
    valid_to_current: int | None = None
    first_from: int | None = None
    deleted_rows: bool = False
    keep: int | None = None


@dataclass(frozen=True)
class Version:
    """A row of the history; names are those of its columns without `_cdc_`."""

    key: str
    life: int
    version: int
    scd_id: tuple[str | int, ...]
    valid_from: int
    valid_to: int | None
    is_current: bool
    source_at: int | None
    from_event_id: str
    to_event_id: str | None
    tx_id: str | None
    to_tx_id: str | None
    began_by: str
    ended_by: str | None
    from_is_exact: bool
    previous_key: str | None
    next_key: str | None
    row: Row = field(default_factory=dict)
    unknown: frozenset[str] = frozenset()
    is_deleted: bool = False

    def holds_at(self, instant: int) -> bool:
        """Tell whether a query as of an instant finds this version."""
        begun = self.valid_from <= instant
        return begun and not self.is_deleted and (self.valid_to is None or instant < self.valid_to)


def versions(
    records: Iterable[KafkaRecord],
    config: Config,
    options: Options = Options(),  # noqa: B008
    now: int | None = None,
) -> list[Version]:
    """Return all versions of all keys, in whatever order and however often records are given."""
    log = walked(records, config)
    changes = Changes(log, config)
    of_keys = ((key, changes.of(key)) for key in sorted(log.walks))
    times = (time for event in log.events if (time := time_at_source(event)) is not None)
    return versions_of_changes(of_keys, times, options, now)


def versions_of_changes(
    changes: Iterable[tuple[str, Iterator[Change]]],
    times: Iterable[int],
    options: Options,
    now: int | None = None,
) -> list[Version]:
    """Return the versions that the steps of each key make; `times`: of all events."""
    found = [one for key, steps in changes for one in _Lives(key, options).versions(steps)]
    times = list(times)
    if options.keep is not None and times:
        newest = max(times) if now is None else min(max(times), now)
        oldest = newest - options.keep
        found = [one for one in found if one.valid_to is None or one.valid_to >= oldest]
    if options.valid_to_current is not None:
        far = options.valid_to_current
        found = [replace(one, valid_to=far) if one.valid_to is None else one for one in found]
    return found


class _Lives:
    """Walk through the steps of one key and cut them into versions."""

    def __init__(self, key: str, options: Options) -> None:
        self._key = key
        self._options = options
        self._life = 0
        self._number = 0
        self._instant: int | None = None
        self._current: Version | None = None
        self._gap: Version | None = None

    def versions(self, changes: Iterator[Change]) -> Iterator[Version]:
        """Yield the versions in order, with the rows over gaps if they are wanted."""
        for group in _transactions(changes):
            last = group[-1].at
            instant = last if self._instant is None else max(last, self._instant)
            if self._options.within_transaction == "all":
                steps = group
            else:
                steps = _net(group, self._current is not None)
            for place, change in enumerate(steps):
                goes_on = self._options.within_transaction != "all" and place + 1 < len(steps)
                yield from self._step(change, instant, goes_on)
        for last_one in (self._current, self._gap):
            if last_one is not None:
                yield last_one

    def _step(self, change: Change, instant: int, goes_on: bool) -> Iterator[Version]:
        """Take a step; `goes_on`: the same transaction begins the next life."""
        current = self._current
        if not change.is_upsert:
            if current is not None:
                self._instant, self._current = instant, None
                ended = _ended(current, change, instant, change.how, change.other_key)
                yield ended
                if self._options.deleted_rows and not goes_on:
                    self._gap = _gap_behind(ended)
            return
        continues = current is not None and not change.begins_life
        if continues and current is not None and self._is_same(current, change):
            self._current = replace(current, row=change.row, unknown=change.unknown)
            return
        if current is not None:
            yield _ended(current, change, instant, "update", None)
        if self._gap is not None:
            yield replace(_ended(self._gap, change, instant, change.how, None), from_is_exact=True)
            self._gap = None
        self._life += not continues
        self._number += 1
        self._instant = instant
        self._current = self._begun(change, instant)

    def _begun(self, change: Change, instant: int) -> Version:
        first = self._options.first_from
        is_extended = self._number == 1 and change.how == "read" and change.source_at is not None
        if first is None or not is_extended:
            first = instant
        return Version(
            key=self._key,
            life=self._life,
            version=self._number,
            scd_id=(self._key, change.incarnation, change.event_id),
            valid_from=min(first, instant),
            valid_to=None,
            is_current=True,
            source_at=change.source_at,
            from_event_id=change.event_id,
            to_event_id=None,
            tx_id=change.tx_id,
            to_tx_id=None,
            began_by=change.how,
            ended_by=None,
            from_is_exact=change.how != "read",
            previous_key=change.other_key,
            next_key=None,
            row=change.row,
            unknown=change.unknown,
        )

    def _is_same(self, current: Version, change: Change) -> bool:
        """Tell whether an upsert makes no version."""
        options = self._options
        if options.track is None and not options.ignore:
            return change.how == "read" and _told(current, None) == _told(change, None)
        names = {*current.row, *change.row}
        tracked = names - {*options.ignore}
        if options.track is not None:
            tracked = names & {*options.track}
        return _told(current, tracked) == _told(change, tracked)


def _transactions(changes: Iterator[Change]) -> Iterator[list[Change]]:
    """Yield the steps of each transaction together; others alone."""
    by_transaction = groupby(
        enumerate(changes),
        key=lambda pair: pair[0] if pair[1].transaction is None else pair[1].transaction,
    )
    for _, group in by_transaction:
        yield [change for _, change in group]


def _net(group: list[Change], is_live: bool) -> list[Change]:
    """Return what a transaction did: what ended the row first, and what is there at its end."""
    ends = [change for change in group if not change.is_upsert]
    last = group[-1]
    if not last.is_upsert:
        return ends[:1]
    birth: Change | None = None
    for change in group:
        if not change.is_upsert:
            birth, is_live = None, False
        elif change.begins_life or not is_live:
            birth, is_live = change, True
    if birth is not None:
        last = replace(
            last, how=birth.how, other_key=birth.other_key, begins_life=birth.begins_life
        )
    return [*ends[:1], last]


def _ended(
    version: Version, change: Change, instant: int, ended_by: str, next_key: str | None
) -> Version:
    return replace(
        version,
        valid_to=instant,
        is_current=False,
        to_event_id=change.event_id,
        to_tx_id=change.tx_id,
        ended_by=ended_by,
        next_key=next_key,
    )


def _gap_behind(version: Version) -> Version:
    """Return the row over the gap behind an ended life."""
    assert version.valid_to is not None and version.to_event_id is not None
    return replace(
        version,
        scd_id=(*version.scd_id, "deleted"),
        valid_from=version.valid_to,
        valid_to=None,
        source_at=None,
        from_event_id=version.to_event_id,
        to_event_id=None,
        tx_id=version.to_tx_id,
        to_tx_id=None,
        began_by=version.ended_by or "",
        ended_by=None,
        from_is_exact=True,
        previous_key=None,
        next_key=None,
        is_deleted=True,
    )


def _told(said: Version | Change, names: set[str] | None) -> str:
    """Return a text of the columns' values, and which of them are unknown."""
    row = {
        name: value
        for name, value in said.row.items()
        if value is not None and (names is None or name in names)
    }
    unknown = [name for name in said.unknown if names is None or name in names]
    return json.dumps([row, sorted(unknown)], sort_keys=True)
