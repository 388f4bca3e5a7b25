"""The reference of histories on random logs: without gaps, and right at every instant."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dev.simulator import History, random_history
from dev.simulator.features import Features
from reference import KafkaRecord, fold
from reference.event import Event
from reference.fold import walked
from reference.version_steps import time_at_source, transaction_of
from reference.versions import Options, Version, versions
from tests.property.histories import histories_of

CONNECTORS = ("postgresql", "sqlserver", "oracle", "mysql", "mariadb")
EVERY = Options(within_transaction="all")


def _histories(connector: str, count: int, first: int = 0) -> list[History]:
    seeds = range(first, first + 2 * count)
    # offsets that restart would give two events one id
    drawn = [histories_of([seed], connector, recreate_topic=False)[0] for seed in seeds]
    return [history for history in drawn if history.table.key][:count]


@pytest.mark.parametrize("connector", CONNECTORS)
def test_versions_of_a_key_follow_each_other_and_the_current_ones_are_the_state(connector):
    for history in _histories(connector, 6, first=500):
        for options in (Options(), EVERY, Options(deleted_rows=True)):
            found = versions(history.records, history.config, options)
            assert len({one.scd_id for one in found}) == len(found)
            by_key: dict[str, list[Version]] = {}
            for one in found:
                by_key.setdefault(one.key, []).append(one)
            for of_key in by_key.values():
                _check_order(of_key, options)
            folded = fold(history.records, history.config)
            current = {one.key: one for one in found if one.is_current}
            assert {key: one.row for key, one in current.items()} == folded.rows, history.seed
            unknown = {key: {*one.unknown} for key, one in current.items() if one.unknown}
            assert unknown == folded.unknown, history.seed


def _check_order(of_key: list[Version], options: Options) -> None:
    numbers = [one.version for one in of_key if not one.is_deleted]
    assert numbers == list(range(1, len(numbers) + 1))
    for one, behind in zip(of_key, of_key[1:], strict=False):
        assert one.valid_to is not None and one.valid_from <= one.valid_to <= behind.valid_from
        if one.life == behind.life or options.deleted_rows:
            assert one.valid_to == behind.valid_from
        if one.life == behind.life:
            assert one.to_event_id == behind.from_event_id
        assert behind.life - one.life in (0, 1)
    assert sum(one.is_current for one in of_key) == sum(
        one.valid_to is None and not one.is_deleted for one in of_key
    )


PLAIN = Features(initial="snapshot", partitions=2, transaction_metadata=True)


@pytest.mark.covers("support PostgreSQL, SQL Server, Oracle, MySQL, MariaDB: history")
@pytest.mark.parametrize("connector", CONNECTORS)
@pytest.mark.parametrize("options", [Options(), EVERY])
def test_a_query_as_of_an_instant_finds_the_state_of_the_log_cut_there(connector, options):
    checked = 0
    for seed in range(8):
        features = replace(
            PLAIN,
            key_changes=seed % 2 == 0,
            truncates=seed % 3 == 0,
            toast=seed % 5 == 0,
            full_identity=seed % 7 == 0,
        ).for_connector(connector)
        history = _plain_history(connector, seed, features)
        found = versions(history.records, history.config, options)
        for landed, instant in _cuts(history):
            folded = fold(landed, history.config)
            at = {one.key: one.row for one in found if one.holds_at(instant)}
            assert at == folded.rows, (seed, instant)
            checked += 1
    assert checked > 5


def _plain_history(connector: str, seed: int, features: Features) -> History:
    return random_history(seed, connector, keys=4, steps=20, features=features)


def _cuts(history: History) -> list[tuple[list[KafkaRecord], int]]:
    """Return parts of a log that end with a transaction, each with the instant of its end."""
    events = sorted(
        walked(history.records, history.config).events,
        key=lambda event: (event.record.timestamp_ms, event.record.partition, event.record.offset),
    )
    transactions = [transaction_of(event, history.config) for event in events]
    cuts = []
    for place in range(1, len(events)):
        newest = max(_time_of(event) for event in events[:place])
        shared = {*transactions[:place]} & {*transactions[place:]} - {None}
        if not shared and all(_time_of(event) > newest for event in events[place:]):
            cuts.append(([event.record for event in events[:place]], newest))
    return cuts


def _time_of(event: Event) -> int:
    time = time_at_source(event)
    return event.record.timestamp_ms * 1000 if time is None else time
