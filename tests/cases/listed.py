"""All cases: importing this module lists them."""

from tests.cases import (
    arrival,
    closing,
    epochs,
    events,
    fold_plans,
    fold_plans_of_repeats,
    key_changes,
    keyless,
    positions,
    reads,
    record_keys,
    recorded,
    replays,
    tombstones,
    truncates,
    unavailable,
)
from tests.cases.case import CASES

__all__ = [
    "CASES",
    "arrival",
    "closing",
    "epochs",
    "events",
    "fold_plans",
    "fold_plans_of_repeats",
    "key_changes",
    "keyless",
    "positions",
    "reads",
    "record_keys",
    "recorded",
    "replays",
    "tombstones",
    "truncates",
    "unavailable",
]
