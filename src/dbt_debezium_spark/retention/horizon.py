"""The horizon of a table: up to where its records are settled. macros/retention/horizon.sql."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

OPEN_SECONDS = 86_400


@dataclass(frozen=True)
class Horizon:
    """Up to where the records of a table are settled; times are in microseconds.

    `late_us`: the record timestamp at or below which a record is late; `offsets`: of each
    partition (`topic:incarnation:number`) the highest such offset;
    `until_us`: the record timestamp up to which events are settled; `changes`, `reads_us`,
    `unplaced_us`: by topic, the highest place in the source's log of a settled change, and the
    highest time at the source of a settled read and of a settled change without a place;
    `open_seconds`: the open time.
    """

    late_us: int
    until_us: int
    open_seconds: int
    offsets: Mapping[str, int] = field(default_factory=dict)
    changes: Mapping[str, str] = field(default_factory=dict)
    reads_us: Mapping[str, int] = field(default_factory=dict)
    unplaced_us: Mapping[str, int] = field(default_factory=dict)

    def behind(self, earlier: Horizon | None) -> Horizon:
        """Return this horizon, nowhere before an earlier one."""
        if earlier is None:
            return self
        return replace(
            self,
            late_us=max(self.late_us, earlier.late_us),
            until_us=max(self.until_us, earlier.until_us),
            offsets=_highest(self.offsets, earlier.offsets),
            changes=_highest(self.changes, earlier.changes),
            reads_us=_highest(self.reads_us, earlier.reads_us),
            unplaced_us=_highest(self.unplaced_us, earlier.unplaced_us),
        )

    def to_json(self) -> str:
        """Return the horizon as text that a table keeps."""
        return json.dumps(asdict(self), sort_keys=True)


def horizon(told: str, late_us: int, until_us: int, earlier: Horizon | None) -> Horizon:
    """Return the horizon of a retention.

    Args:
        told: JSON by the macro `horizon_of`.
        late_us: of the horizon.
        until_us: of the horizon.
        earlier: the horizon before; None without one.
    """
    members = {name: value for name, value in json.loads(told).items() if value}
    found = Horizon(late_us, until_us, OPEN_SECONDS, **members)
    return found.behind(earlier)


def from_json(text: str) -> Horizon:
    """Return the horizon of a text by `to_json`."""
    return Horizon(**json.loads(text))


def _highest(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    return {name: max(of[name] for of in (one, other) if name in of) for name in {**one, **other}}
