"""The SQL of staging and state, and every case, in a lab: every landing is a story."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from reference import KafkaRecord
from reference.envelope import read_event
from tests.cases import listed
from tests.cases.built import Built
from tests.cases.case import Case, Landing
from tests.cases.table import Story


def _story(case: Case, number: int, landing: Landing, place: int) -> Story:
    records = case.records
    return case.told_on.story(
        f"case_{number}_{place}",
        *([records[one] for one in batch] for batch in landing.batches),
        epochs=case.epochs,
        keeps_topics=case.keeps_topics,
        of_case=True,
    )


STORIES = [
    (case, landing, _story(case, number, landing, place))
    for number, case in enumerate(listed.CASES)
    for place, landing in enumerate(case.all_landings())
]


@listed.each_story(STORIES)
def test_the_sql(built: Built, case: Case, landing: Landing, story: Story) -> None:
    for number, rows in landing.after.items():
        found = case.told(built.current(story, number + 1))
        assert found == rows, f"batch {number + 1}"
    assert case.told(built.current(story)) == case.rows
    if case.replays is not None and case.told_on.key:
        assert built.replays(story) == case.replays
    if case.told_on.key:
        (key,) = case.told_on.key
        unknown = {
            row[key]: set(row["_cdc_unavailable"])
            for row in built.state(story)
            if row["_cdc_unavailable"] and not row["_cdc_is_deleted"] and row[key] in case.rows
        }
        assert unknown == case.unknown
        events = [read_event(record, case.config()) for record in case.records]
        keys = {event.key for event in events if event is not None and event.key is not None}
        assert len(built.state(story)) == len(keys)
    if case.staged:
        found = {_delivery(row): row for row in built.staged(story)}
        for place, told in case.staged.items():
            row = found.get(_delivery_of(story, case.records[place]))
            if told is None:
                assert row is None, f"record {place} is staged"
            else:
                assert row is not None and {name: row[name] for name in told} == told, place


def _delivery(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return row["_cdc_topic"], row["_cdc_partition"], row["_cdc_offset"]


def _delivery_of(story: Story, record: KafkaRecord) -> tuple[Any, ...]:
    return story.topic_of(record), record.partition, record.offset
