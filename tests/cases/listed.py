"""All cases: importing this module lists them."""

from tests.cases import (
    arrival,
    epochs,
    events,
    positions,
    reads,
    recorded,
    replays,
    tombstones,
    truncates,
)
from tests.cases.case import CASES

__all__ = [
    "CASES",
    "arrival",
    "epochs",
    "events",
    "positions",
    "reads",
    "recorded",
    "replays",
    "tombstones",
    "truncates",
]
