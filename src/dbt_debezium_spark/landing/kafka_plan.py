"""Which offsets a run reads: from where each partition was left to its end, or to the limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dbt_debezium_spark.landing.kafka_broker import EARLIEST, Partition, Span


@dataclass(frozen=True)
class Progress:
    """How far a partition was read.

    Attributes:
        next_offset: the first offset that no run has read.
        last_landed: the last offset read that held a record.
    """

    next_offset: int
    last_landed: int | None


def spans_to_read(
    available: Mapping[Partition, Span],
    progress: Mapping[Partition, Progress],
    created_anew: frozenset[Partition],
    limit: int | None,
) -> dict[Partition, Span]:
    """Return what to read of each partition that has something new.

    Args:
        available: what the broker holds.
        progress: what earlier runs read.
        created_anew: partitions of topics whose offsets started again: read from their beginning.
        limit: how many offsets to read at most, over all partitions.
    """
    spans = {}
    for partition, held in sorted(available.items()):
        known = progress.get(partition)
        if known is None or partition in created_anew:
            if held.end > 0:
                spans[partition] = Span(EARLIEST, held.end)
        elif known.next_offset < held.end:
            spans[partition] = Span(known.next_offset, held.end)
    if limit is None:
        return spans
    firsts = {one: _first(span, available[one]) for one, span in spans.items()}
    shares = _shares({one: span.end - firsts[one] for one, span in spans.items()}, limit)
    return {
        one: Span(span.start, firsts[one] + shares[one])
        for one, span in spans.items()
        if shares[one]
    }


def _first(span: Span, held: Span) -> int:
    # What has expired takes no part in the limit.
    return max(span.start, held.start)


def _shares(sizes: Mapping[Partition, int], limit: int) -> dict[Partition, int]:
    """Divide a limit evenly; what small partitions leave goes to the large ones."""
    shares = {}
    left = limit
    for place, one in enumerate(sorted(sizes, key=lambda one: (sizes[one], one))):
        even = max(1, left // (len(sizes) - place))
        shares[one] = min(even, left, sizes[one])
        left -= shares[one]
    return shares
