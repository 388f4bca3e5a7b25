"""The values of columns that an upsert lacks. docs/semantics.md#unavailable-values."""

from __future__ import annotations

from typing import Any

from reference.config import Config
from reference.folded import Row
from reference.key_changes import Origins
from reference.walk import Step


class Values:
    """Resolve the values an upsert lacks."""

    def __init__(self, walks: dict[str, list[Step]], config: Config) -> None:
        """Take the walks of all keys."""
        self._origins = Origins(walks)
        self._complete_before = config.complete_before
        self._lives: dict[tuple[str, int], list[Step]] = {}
        for key, steps in walks.items():
            for step in steps:
                self._lives.setdefault((key, step.life), []).append(step)

    def after(self, step: Step) -> tuple[Row, set[str]]:
        """Return the row right after an applied upsert, and the columns nobody knows."""
        row = dict(step.event.after or {})
        unknown: set[str] = set()
        for column in step.event.unavailable:
            said = self._said(step, column)
            row[column] = said[0] if said else None
            if not said:
                unknown.add(column)
        return row, unknown

    def _said(self, step: Step, column: str) -> tuple[Any] | None:
        """Return what was said last of a column, in the row's life or where it came from."""
        seen: set[tuple[str, int]] = set()
        at: Step | None = step
        while at is not None:
            assert at.event.key is not None
            place = (at.event.key, at.life)
            if place in seen:
                return None  # while records are missing, origins can run in circles
            seen.add(place)
            life = self._lives[place]
            for one in reversed(life[: _place(life, at) + 1]):
                event = one.event
                if not one.upsert:
                    continue
                if column not in event.unavailable:
                    return ((event.after or {}).get(column),)
                if self._complete_before and event.before is not None:
                    if column in event.before and column not in event.before_unavailable:
                        return (event.before[column],)
            at = self._parent(life[0])
        return None

    def _parent(self, first: Step) -> Step | None:
        """Return the step whose row a life went on with, if it went on with any that is known."""
        assert first.event.key is not None
        origin = self._origins.key_of(first.event) if first.renames else None
        if origin is not None:
            return self._origins.step_of(first.event, origin)
        if first.was_alive:
            return self._lives[(first.event.key, first.life - 1)][-1]
        return None


def _place(steps: list[Step], step: Step) -> int:
    return next(place for place, one in enumerate(steps) if one is step)
