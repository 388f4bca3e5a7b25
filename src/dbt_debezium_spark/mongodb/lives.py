"""The versions of one document, from the steps of its walk (docs/history.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

ID = "_id"


@dataclass(slots=True)
class Content:
    """What a document held: its text, which columns it lacks, and its typed columns."""

    text: str
    unavailable: Sequence[str]
    values: Mapping[str, Any]

    def column(self, key: str, name: str) -> Any:
        """Return the value of a column of the table."""
        if name in (ID, "document"):
            return key if name == ID else self.text
        return self.values.get(name)


@dataclass(slots=True)
class Step:
    """An applied event: an upsert with its content, or the end of the document.

    Attributes:
        how: what a version that it begins or ends says.
        transaction: of the event, None if it has none.
    """

    how: str
    at: datetime | None
    event_id: str
    pos: str | None
    source_at: datetime | None
    transaction: str | None
    tx_id: str | None
    incarnation: int
    content: Content | None = None
    is_upsert: bool = False


@dataclass(frozen=True)
class HistoryOptions:
    """Options of a history that make versions; `tracked` are columns, None for all."""

    every_change: bool = False
    tracked: tuple[str, ...] | None = None
    deleted_rows: bool = False


@dataclass(slots=True)
class _Version:
    """A version on its way into the table."""

    row: dict[str, Any]
    content: Content | None


@dataclass
class Lives:
    """Cut the steps of one document into versions, which are returned when they are complete."""

    key: str
    options: HistoryOptions
    _life: int = 0
    _number: int = 0
    _instant: datetime | None = None
    _open: _Version | None = None  # the version that the document has
    _ended: _Version | None = None  # the last one of a document that is gone
    _group: list[Step] = field(default_factory=list)  # steps of a transaction that goes on

    def take(self, step: Step) -> Iterator[dict[str, Any]]:
        """Take the next step, and yield rows that no later step changes."""
        if self._group and step.transaction != self._group[-1].transaction:
            yield from self._flush()
        if self._group and not self.options.every_change:
            self._group[-1].content = None  # a later step replaces it
        self._group.append(step)
        if step.transaction is None:
            yield from self._flush()

    def finish(self) -> Iterator[dict[str, Any]]:
        """Yield the last rows."""
        yield from self._flush()
        last = self._open or self._ended
        if last is not None:
            yield _row(self.key, last)

    def _flush(self) -> Iterator[dict[str, Any]]:
        group, self._group = self._group, []
        if not group:
            return
        instant = _latest(self._instant, group[-1].at)
        steps = group if self.options.every_change else self._net(group)
        for place, step in enumerate(steps):
            if step.is_upsert:
                yield from self._upsert(step, instant)
            else:
                is_replaced = not self.options.every_change and place + 1 < len(steps)
                self._end(step, instant, is_replaced)

    def _net(self, group: list[Step]) -> list[Step]:
        """Return what a transaction left: the first end, and the document that is there then."""
        ends = [step for step in group if not step.is_upsert]
        last = group[-1]
        if not last.is_upsert:
            return ends[:1]
        is_live, born = self._open is not None, None
        for step in group:
            if step.is_upsert and not is_live:
                born = step.how
            is_live = step.is_upsert
        last.how = born or last.how  # what began the life that is there
        return [*ends[:1], last]

    def _end(self, step: Step, instant: datetime | None, is_replaced: bool) -> None:
        version, self._open = self._open, None
        if version is None:
            return
        _close(version, "", step, instant, step.how)
        version.row["_cdc_is_current"] = False
        version.row["_cdc_has_gap"] = not is_replaced
        self._instant, self._ended = instant, version

    def _upsert(self, step: Step, instant: datetime | None) -> Iterator[dict[str, Any]]:
        before, ended = self._open, self._ended
        if before is not None:
            if self._is_same(before, step):
                before.content = step.content
                return
            _close(before, "", step, instant, "update")
            before.row["_cdc_is_current"] = False
            yield _row(self.key, before)
        if ended is not None:
            if ended.row.get("_cdc_has_gap"):
                _close(ended, "gap_", step, instant, step.how)
            yield _row(self.key, ended)
            self._ended = None
        self._life += before is None
        self._number += 1
        self._instant = instant
        self._open = _Version(self._begun(step, instant), step.content)

    def _begun(self, step: Step, instant: datetime | None) -> dict[str, Any]:
        name = f"{self.key}|{step.incarnation}|{step.event_id}"
        return {
            "_cdc_life": self._life,
            "_cdc_version": self._number,
            "_cdc_scd_id": hashlib.md5(name.encode(), usedforsecurity=False).hexdigest(),
            "_cdc_valid_from": instant,
            "_cdc_is_current": True,
            "_cdc_source_at": step.source_at,
            "_cdc_from_pos": step.pos,
            "_cdc_from_event_id": step.event_id,
            "_cdc_tx_id": step.tx_id,
            "_cdc_began_by": step.how,
            "_cdc_from_is_exact": step.how != "read",
            "_cdc_has_gap": False,
        }

    def _is_same(self, version: _Version, step: Step) -> bool:
        """Return whether an upsert makes no version."""
        before, now, tracked = version.content, step.content, self.options.tracked
        if before is None or now is None:
            return False
        if tracked is None:
            # typed columns follow from the text
            is_same = before.text == now.text and set(before.unavailable) == set(now.unavailable)
            return step.how == "read" and is_same
        counted = set(tracked)
        return counted & {*before.unavailable} == counted & {*now.unavailable} and all(
            _equal(before.column(self.key, name), now.column(self.key, name)) for name in tracked
        )


def _close(
    version: _Version, prefix: str, step: Step, instant: datetime | None, ended_by: str
) -> None:
    """Say when and by what a version ended, or the gap behind it."""
    valid_to = "gap_to" if prefix else "valid_to"
    version.row |= {
        f"_cdc_{valid_to}": instant,
        f"_cdc_{prefix}to_pos": step.pos,
        f"_cdc_{prefix}to_event_id": step.event_id,
        f"_cdc_{prefix}to_tx_id": step.tx_id,
        f"_cdc_{prefix}ended_by": ended_by,
    }


def _row(key: str, version: _Version) -> dict[str, Any]:
    """Return a version as a row of the table."""
    row = {"_cdc_key": key, **version.row}
    content = version.content
    if content is not None:
        row |= {**content.values, ID: key, "document": content.text}
        row["_cdc_unavailable"] = list(content.unavailable) or None
    return row


def _equal(value: Any, other: Any) -> bool:
    """Return whether SQL calls two values of a column equal: NaN is."""
    return bool(value == other or (value != value and other != other))


def _latest(*moments: datetime | None) -> datetime | None:
    return max((moment for moment in moments if moment is not None), default=None)
