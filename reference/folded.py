"""The result of the fold."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

Row = dict[str, Any]


@dataclass
class Folded:
    """What the log says. Keys are canonical JSON texts, values raw JSON values.

    `rows`: live rows; a column whose value is not known is None and listed in `unknown`.
    `multiset`: canonical row text -> how often, for tables without a key.
    `replays`, `unexplained`: how many events per key were not applied, and how many of those are no
    repeat of another; keys without any are absent.
    `winners`: per key the (topic, partition, offset) of the last applied event.
    """

    rows: dict[str, Row] = field(default_factory=dict)
    unknown: dict[str, set[str]] = field(default_factory=dict)
    multiset: Counter[str] = field(default_factory=Counter)
    replays: Counter[str] = field(default_factory=Counter)
    unexplained: Counter[str] = field(default_factory=Counter)
    winners: dict[str, tuple[str, int, int]] = field(default_factory=dict)
