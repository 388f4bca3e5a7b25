"""All cases: importing this module lists them."""

from tests.cases import (
    closing,
    key_changes,
    keyless,
    record_keys,
    replays,
    truncates,
    unavailable,
)
from tests.cases.case import CASES

__all__ = [
    "CASES",
    "closing",
    "key_changes",
    "keyless",
    "record_keys",
    "replays",
    "truncates",
    "unavailable",
]
