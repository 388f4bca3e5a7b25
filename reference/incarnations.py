"""Incarnations: topics that were deleted and created anew. docs/semantics.md#words."""

from __future__ import annotations

from reference.config import Config
from reference.record import KafkaRecord


def incarnation(record: KafkaRecord, config: Config) -> int:
    """Return how many times its topic had been deleted and created anew."""
    return sum(1 for start in config.incarnations if record.timestamp_ms >= start)
