"""Which offsets a run reads: from the next offset of each partition to its end, or to the limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dbt_debezium_spark.landing.kafka_broker import EARLIEST, Partition, Span


@dataclass(frozen=True)
class Progress:
    """Progress of the runs on a partition.

    Attributes:
        next_offset: the first offset that no run has read.
        last_landed: the last offset that contained a record.
    """

    next_offset: int
    last_landed: int | None


def spans_to_read(
    available: Mapping[Partition, Span],
    progress: Mapping[Partition, Progress],
    recreated: frozenset[Partition],
    limit: int | None,
) -> dict[Partition, Span]:
    """Return the offsets to read of each partition that has new ones.

    Args:
        available: offsets that the broker has.
        progress: progress of earlier runs.
        recreated: partitions whose offsets restarted; they are read from their beginning.
        limit: maximal number of offsets, over all partitions.
    """
    spans = {}
    for partition, offsets in sorted(available.items()):
        known = progress.get(partition)
        if known is None or partition in recreated:
            if offsets.end > 0:
                spans[partition] = Span(EARLIEST, offsets.end)
        elif known.next_offset < offsets.end:
            spans[partition] = Span(known.next_offset, offsets.end)
    if limit is None:
        return spans
    firsts = {partition: _first(span, available[partition]) for partition, span in spans.items()}
    shares = _shares(
        {partition: span.end - firsts[partition] for partition, span in spans.items()}, limit
    )
    return {
        partition: Span(span.start, firsts[partition] + shares[partition])
        for partition, span in spans.items()
        if shares[partition]
    }


def remaining_offsets(
    available: Mapping[Partition, Span],
    progress: Mapping[Partition, Progress],
    recreated: frozenset[Partition],
    spans: Mapping[Partition, Span],
) -> dict[Partition, int]:
    """Return how many offsets the limit leaves for later runs, of each partition with new ones.

    A partition that is not read, because the limit is smaller than the number of partitions, is
    included, unless its offsets restarted: only a run that reads it may record its new beginning.
    """
    remaining = {}
    for partition, offsets in available.items():
        if partition in spans:
            remaining[partition] = offsets.end - spans[partition].end
        elif partition not in recreated:
            known = progress.get(partition)
            left = offsets.end - max(offsets.start, 0 if known is None else known.next_offset)
            if left > 0:
                remaining[partition] = left
    return remaining


def _first(span: Span, available: Span) -> int:
    # Expired offsets do not count for the limit.
    return max(span.start, available.start)


def _shares(sizes: Mapping[Partition, int], limit: int) -> dict[Partition, int]:
    """Divide a limit evenly; large partitions get what small ones do not need."""
    shares = {}
    left = limit
    for place, partition in enumerate(
        sorted(sizes, key=lambda partition: (sizes[partition], partition))
    ):
        even = max(1, left // (len(sizes) - place))
        shares[partition] = min(even, left, sizes[partition])
        left -= shares[partition]
    return shares
