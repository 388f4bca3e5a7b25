"""Kafka records as they land, and the one text form of a JSON value."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any


@dataclass(frozen=True)
class KafkaRecord:
    """One record with Kafka's own columns.

    `timestamp_ms` is Kafka's record timestamp in milliseconds; `key` and `value` are the bytes as
    text, None where Kafka has null.
    """

    topic: str
    partition: int
    offset: int
    timestamp_ms: int
    key: str | None
    value: str | None
    headers: tuple[tuple[str, str], ...] = ()


def canonical_json(value: Any) -> str:
    """Return the one text of a JSON value: members sorted, no spaces, no escaped letters."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@lru_cache(maxsize=4096)
def payload_of(text: str | None) -> Any:
    """Return what a converter's text holds, without the schema; None for every form of null.

    The references read a text many times, and change nothing of what it holds.
    """
    if text is None or text.strip() == "":
        return None
    value = json.loads(text)
    if isinstance(value, dict) and set(value) == {"schema", "payload"}:
        schema = value["schema"]
        if schema is None or (isinstance(schema, dict) and isinstance(schema.get("type"), str)):
            return value["payload"]
    return value


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def time_of(block: Mapping[str, Any]) -> int | None:
    """Return the time of an envelope or of its source block in microseconds, None for no time."""
    for member, unit in (("ts_us", 1), ("ts_ms", 1000)):
        time = _microseconds(block.get(member), unit)
        if time is not None:
            return time
    return None


def _microseconds(value: Any, unit: int) -> int | None:
    """Return a time as a connector writes it, or as the text that a transform makes of it."""
    text = str(value)
    if re.fullmatch("[+-]?[0-9]+", text):
        return int(text) * unit
    if not re.match("[12][0-9]{3}-[0-9]{2}-[0-9]{2}[T ][0-9]", text):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (moment - _EPOCH) // timedelta(microseconds=1)
