"""Where evidence stands in the source's log: the order of events, by hand and at random."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbt_debezium_spark.catalog.log_position import Place, RecordId, latest_log_position, restarts
from tests.support.evidence_rows import Evidence, events, point, seen

FAST = settings(deadline=None, derandomize=True, database=None)
OLD, NEW = ["id"], ["id", "added"]


def current(*rows: Any, **options: Any) -> list[str]:
    found = Evidence(*rows, **options).columns("column_name", current=True)
    return [name for (name,) in found]


def test_the_layout_at_the_higher_position_is_current_though_the_other_came_later() -> None:
    again = point(5, position="00001")

    assert current(events(OLD, points=[point(1), again]), events(NEW, at=2)) == NEW


def test_arrival_decides_between_equal_positions() -> None:
    same = [point(at, position="00007") for at in (1, 2)]

    assert current(events(OLD, points=same[:1]), events(NEW, at=2, points=same[1:])) == NEW
    assert current(events(OLD, points=same[1:]), events(NEW, at=2, points=same[:1])) == OLD


@pytest.mark.parametrize("mark", ["epoch", "incarnation"])
def test_epoch_and_incarnation_count_before_the_position(mark: str) -> None:
    later = point(2, position="00001", **{mark: 1})

    assert current(events(OLD, points=[point(9)]), events(NEW, points=[later])) == NEW


def test_a_full_snapshot_that_starts_lower_opens_a_new_life() -> None:
    snapshot = point(6, position="00002", restarted=seen(6))
    change = point(7, position="00003")

    assert current(events(OLD, points=[point(5)]), events(NEW, points=[snapshot, change])) == NEW
    # without the snapshot it is a stretch that was repeated
    assert current(events(OLD, points=[point(5)]), events(NEW, points=[change])) == OLD


def test_a_snapshot_before_the_changes_opens_no_life() -> None:
    snapshot = point(1, restarted=seen(1))

    assert restarts([_place(snapshot), _place(point(5))]) == frozenset()


def test_a_later_epoch_may_start_lower() -> None:
    snapshot = point(6, position="00002", restarted=seen(6), epoch=1)

    assert restarts([_place(point(5)), _place(snapshot)]) == frozenset()


def test_a_record_without_a_position_stands_before_those_with_one() -> None:
    bare = point(9)
    del bare["position"]

    assert current(events(OLD, points=[bare]), events(NEW, points=[point(1)])) == NEW


PLACES = st.builds(
    Place,
    incarnation=st.integers(0, 1),
    epoch=st.integers(0, 1),
    position=st.none() | st.sampled_from(["1", "2", "3"]),
    record=st.builds(RecordId, at=st.integers(0, 9), topic=st.just("t"), partition=st.just(0),
                   offset=st.integers(0, 9)),
    restarted=st.none(),
)  # fmt: skip


@FAST
@given(st.lists(PLACES, min_size=1, max_size=6), st.data())
def test_a_repeat_of_records_changes_no_standing(places: list[Place], data: Any) -> None:
    last = max(place.record.at for place in places)
    again = data.draw(st.sampled_from(places))
    repeat = again._replace(record=again.record._replace(at=last + 1))
    first = latest_log_position(places, frozenset())
    then = latest_log_position([*places, repeat], frozenset())

    assert first[:4] == then[:4]


def _place(value: dict[str, Any]) -> Place:
    restarted = value.get("restarted")
    return Place(
        value["incarnation"],
        value["epoch"],
        value["position"],
        RecordId(**value["seen"]),
        None if restarted is None else RecordId(**restarted),
    )
