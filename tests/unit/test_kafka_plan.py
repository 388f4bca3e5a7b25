"""Which offsets a run reads."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dbt_debezium_spark.landing.kafka_broker import EARLIEST, Partition, Span
from dbt_debezium_spark.landing.kafka_plan import Progress, remaining_offsets, spans_to_read

A, B, C = (Partition("t", number) for number in range(3))
NONE: frozenset[Partition] = frozenset()


def test_an_unknown_partition_is_read_from_its_first_offset():
    assert spans_to_read({A: Span(7, 9)}, {}, NONE, None) == {A: Span(EARLIEST, 9)}


def test_a_known_partition_is_read_from_where_it_was_left():
    progress = {A: Progress(8, 7), B: Progress(9, 8)}
    assert spans_to_read({A: Span(0, 9), B: Span(0, 9)}, progress, NONE, None) == {A: Span(8, 9)}


def test_a_partition_without_a_first_record_is_left_alone():
    assert spans_to_read({A: Span(-1, 0)}, {}, NONE, None) == {}


def test_a_partition_that_was_created_anew_is_read_from_its_beginning():
    progress = {A: Progress(50, 49)}
    assert spans_to_read({A: Span(0, 9)}, progress, frozenset({A}), None) == {A: Span(EARLIEST, 9)}


def test_small_partitions_do_not_wait_for_large_ones():
    held = {A: Span(0, 1_000_000), B: Span(0, 2), C: Span(0, 1)}
    spans = spans_to_read(held, {}, NONE, 100)
    assert {one: span.end for one, span in spans.items()} == {A: 97, B: 2, C: 1}


def test_what_has_expired_takes_no_part_in_the_limit():
    assert spans_to_read({A: Span(90, 100)}, {A: Progress(5, 4)}, NONE, 4) == {A: Span(5, 94)}


def test_what_the_limit_leaves_is_counted_by_partition():
    held = {A: Span(0, 100), B: Span(0, 2), C: Span(5, 8)}
    progress = {C: Progress(8, 7)}
    spans = spans_to_read(held, progress, NONE, 12)
    assert remaining_offsets(held, progress, NONE, spans) == {A: 90, B: 0}


def test_a_partition_that_the_limit_leaves_out_waits_as_a_whole():
    held = {A: Span(0, 9), B: Span(3, 9), C: Span(0, 9)}
    spans = spans_to_read(held, {A: Progress(8, 7)}, NONE, 1)
    assert set(spans) == {A}
    assert remaining_offsets(held, {A: Progress(8, 7)}, frozenset({C}), spans) == {A: 0, B: 6}


@given(
    held=st.lists(st.tuples(st.integers(0, 50), st.integers(0, 500)), min_size=1, max_size=6),
    left=st.lists(st.integers(0, 600), max_size=6),
    limit=st.integers(1, 200),
)
def test_runs_with_a_limit_read_everything_once(held, left, limit):
    partitions = [Partition("t", number) for number in range(len(held))]
    available = {
        one: Span(first, first + size) for one, (first, size) in zip(partitions, held, strict=True)
    }
    progress = {
        one: Progress(max(offset, available[one].start), None)
        for one, offset in zip(partitions, left, strict=False)
    }
    read = {one: [] for one in partitions}
    for _ in range(10_000):
        spans = spans_to_read(available, progress, NONE, limit)
        if not spans:
            break
        firsts = {
            one: available[one].start if span.start == EARLIEST else span.start
            for one, span in spans.items()
        }
        assert 0 < sum(span.end - firsts[one] for one, span in spans.items()) <= limit
        for one, span in spans.items():
            read[one] += range(firsts[one], span.end)
            progress[one] = Progress(span.end, None)
    for number, (one, span) in enumerate(available.items()):
        start = max(left[number], span.start) if number < len(left) else span.start
        assert read[one] == list(range(start, span.end))
