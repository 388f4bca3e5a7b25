"""Where evidence stands in the source's log: the order of events, by hand and at random."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from dbt_debezium_spark.catalog.log_position import Place, RecordId, latest_log_position, restarts
from tests.support.evidence_rows import Evidence, events, point, seen

FAST = settings(deadline=None, derandomize=True, database=None)
OLD, NEW = ["id"], ["id", "added"]


def current(*rows: Any, **options: Any) -> list[str]:
    found = Evidence(*rows, **options).columns("column_name", current=True)
    return [name for (name,) in found]


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
