"""Events of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from reference.arrival import Arrival


@dataclass(frozen=True)
class Event(Arrival):
    """A staged event. `position` and `stream_position` start with the epoch; None: has none.

    `content` is what a redelivery repeats of a change without a position, with the epoch in front;
    None: the position is enough, or nothing tells repeats. `told` is what tells the event from
    others of its key and op; changes of one connector run can share it when it is not `unique`.
    `settled`: it lies before the horizon of a retention, and is not applied.
    """

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
    settled: bool = False

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
