"""The verdicts of a walk: the lines of the table of docs/semantics.md, in its order.

`macros/state/walk.sql` and `mongodb/walk.py` give them; `tests/unit/test_verdicts.py` compares all
three.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PAGE = "docs/semantics.md"

SETTLED: Final = "before the horizon"
REPEAT: Final = "repeat"
FULL_READ: Final = "full read"
INCREMENTAL_READ: Final = "incremental read"
WITHOUT_POSITION: Final = "change without position"
LATE_BIRTH: Final = "late birth"
MOVED: Final = "moved"
UNEXPLAINED: Final = "unexplained"
CHANGE: Final = "change"
TOMBSTONE_OF_DELETE: Final = "tombstone of delete"
TOMBSTONE_AGAIN: Final = "tombstone again"
DELETING_TOMBSTONE: Final = "deleting tombstone"


@dataclass(frozen=True)
class Verdict:
    """A line of the page's table.

    Attributes:
        line: its number on the page.
        is_applied: whether the event changes the row.
        rule: what the line says, in short.
    """

    line: int
    is_applied: bool
    rule: str

    @property
    def link(self) -> str:
        """The line, as a link from the root of the repository."""
        return f"{PAGE}#L{self.line}"


VERDICTS: Final = {
    SETTLED: Verdict(104, False, "it lies before the horizon of a retention"),
    REPEAT: Verdict(105, False, "an event with its identity arrived before"),
    FULL_READ: Verdict(106, True, "a full read sets the row, and no mark holds any more"),
    INCREMENTAL_READ: Verdict(107, True, "an incremental read sets the row"),
    WITHOUT_POSITION: Verdict(108, True, "it has no position: arrival decides"),
    LATE_BIRTH: Verdict(109, True, "an insert below the mark, right behind the delete: both hold"),
    MOVED: Verdict(110, False, "the row moved between partitions: only positions order its events"),
    UNEXPLAINED: Verdict(111, False, "its position lies below the mark, and it never came before"),
    CHANGE: Verdict(112, True, "its position is the new mark"),
    TOMBSTONE_OF_DELETE: Verdict(113, False, "it belongs to the delete before it"),
    TOMBSTONE_AGAIN: Verdict(114, False, "a producer sent the tombstone before it again"),
    DELETING_TOMBSTONE: Verdict(115, True, "no delete lies before it: it deletes the row"),
}
