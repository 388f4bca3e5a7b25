"""The versions of one document, from the steps of its walk (docs/history.md)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

ID = "_id"


@dataclass(slots=True)
class Content:
    """What a document held: its text, which columns it lacks, and its typed columns.

    `read` returns the typed columns of a text; most are never asked for.
    """

    text: str
    unavailable: Sequence[str]
    values: Mapping[str, Any] | None = None
    read: Callable[[str], Mapping[str, Any]] | None = None

    def column(self, key: str, name: str) -> Any:
        """Return the value of a column of the table."""
        if name in (ID, "document"):
            return key if name == ID else self.text
        if self.values is None:
            self.values = self.read(self.text) if self.read else {}
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
    """A version on its way into the table; `write`: see `_merge_versions_sql`."""

    row: dict[str, Any]
    write: str
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
    _is_first: bool = False
    last_transaction: str | None = None

    def resume(self, head: Mapping[str, Any], content: Content | None) -> None:
        """Go on from the last version of an earlier run; `content` is that of a live document."""
        self.last_transaction = head["last_tx"]
        self._is_first = not head["version"]
        if self._is_first:
            return
        self._number, self._life = head["version"], head["life"]
        self._instant = head["valid_to"] or head["valid_from"]
        version = _Version({f"_cdc_{name}": value for name, value in head.items()}, "close", None)
        version.row.pop("_cdc_last_tx")
        if head["is_current"]:
            version.content = content
            self._open = version
        else:
            self._ended = version

    def take(self, step: Step) -> Iterator[dict[str, Any]]:
        """Take the next step, and yield rows that no later step changes."""
        if self._group and step.transaction != self._group[-1].transaction:
            yield from self._flush()
        if self._group and not self.options.every_change:
            self._group[-1].content = None  # a later step replaces it
        self._group.append(step)
        self.last_transaction = step.transaction
        if step.transaction is None:
            yield from self._flush()

    def finish(self) -> Iterator[dict[str, Any]]:
        """Yield the last rows; the very last is the one that the next run goes on from."""
        yield from self._flush()
        last = self._open or self._ended
        if last is not None:
            yield _row(self.key, last)
            return
        yield {
            "_cdc_write": "row",
            "_cdc_key": self.key,
            "_cdc_scd_id": f"!{self.key}",
            "_cdc_life": 0,
            "_cdc_version": 0,
            "_cdc_is_current": False,
        }

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
                before.write = "amend" if before.write == "close" else before.write
                return
            _close(before, "", step, instant, "update")
            before.row["_cdc_is_current"] = False
            yield _row(self.key, before)
        if ended is not None:
            if ended.row.get("_cdc_has_gap"):
                _close(ended, "gap_", step, instant, step.how)
            yield _row(self.key, ended)
            self._ended = None
        if self._is_first:
            self._is_first = False
            yield {"_cdc_write": "gone", "_cdc_key": self.key, "_cdc_scd_id": f"!{self.key}"}
        self._life += before is None
        self._number += 1
        self._instant = instant
        self._open = _Version(self._begun(step, instant), "row", step.content)

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
    """Return a version as a row of the table; of one that is only closed, its values stay there."""
    row = {"_cdc_write": version.write, "_cdc_key": key, **version.row}
    content = version.content
    if content is not None and version.write != "close":
        if content.values is None and content.read is not None:
            content.values = content.read(content.text)
        row |= {**(content.values or {}), ID: key, "document": content.text}
        row["_cdc_unavailable"] = list(content.unavailable) or None
    return row


def _equal(one: Any, other: Any) -> bool:
    """Return whether SQL calls two values of a column equal: NaN is."""
    return bool(one == other or (one != one and other != other))


def _latest(*moments: datetime | None) -> datetime | None:
    return max((moment for moment in moments if moment is not None), default=None)
