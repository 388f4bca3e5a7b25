"""The key of an event: one text in every form of a converter."""

from __future__ import annotations

from typing import Any

from reference.config import Config
from reference.record import canonical_json, payload_of


def canonical_key(key: Any, config: Config) -> str:
    """Return the canonical key; a scalar is the value of the only key column."""
    if not isinstance(key, dict) and len(config.key) == 1:
        key = {config.key[0]: key}
    return canonical_json(key)


def key_of_header(text: str | None) -> dict[str, Any] | None:
    """Return the key that a header holds, with or without its schema; None: it holds none."""
    try:
        key = payload_of(text)
    except ValueError:
        return None  # of a converter that writes no JSON
    return key if isinstance(key, dict) else None
