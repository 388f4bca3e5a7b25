"""The key of an event: one text in every form of a converter."""

from __future__ import annotations

from typing import Any

from tests.reference.config import Config
from tests.reference.record import canonical_json


def canonical_key(key: Any, config: Config) -> str:
    """Return the canonical key; a scalar is the value of the only key column."""
    if not isinstance(key, dict) and len(config.key) == 1:
        key = {config.key[0]: key}
    return canonical_json(key)
