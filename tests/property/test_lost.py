"""The view of lost events: no false alarm, and what is found of events that were taken away."""

from __future__ import annotations

from collections import Counter

import pytest
from pyspark.sql import SparkSession

from dev.simulator import History
from reference import KafkaRecord
from reference.lost import Lost, lost
from tests.property.histories import source_block
from tests.property.lost import LOSSES, RELATIONAL, alarms, drawn, gaps_of, losses
from tests.support.lab import Lab
from tests.support.raw import raw_row

pytestmark = pytest.mark.slow


# 40 of each connector take 3 seconds; all connectors together have 10,001 histories
@pytest.mark.parametrize("count", [40, pytest.param(2010, marks=pytest.mark.full)])
@pytest.mark.parametrize("connector", RELATIONAL)
def test_histories_give_no_alarm(connector: str, count: int) -> None:
    found = [
        (history.seed, one) for history in drawn(connector, 1, count) for one in alarms(history)
    ]

    assert found == []


@pytest.mark.parametrize(
    ("count", "share"), [(60, 0.9), pytest.param(2010, 0.95, marks=pytest.mark.full)]
)
def test_an_event_between_two_of_its_row_is_missed(count: int, share: float) -> None:
    counts: Counter[tuple[str, bool]] = Counter()
    for connector in RELATIONAL:
        for history in drawn(connector, 1, count):
            for loss in losses(history):
                if loss.is_between:
                    is_found = bool(lost(loss.records, history.config, gaps_of(history)))
                    counts[loss.kind, is_found] += 1

    for kind in LOSSES:
        found, missed = counts[kind, True], counts[kind, False]
        assert found + missed > 10, counts
        assert found >= share * (found + missed), counts


def shown(
    lab: Lab, history: History, records: list[KafkaRecord], gaps: str, number: int
) -> list[Lost]:
    """Return what the view shows of a history's records."""
    sources = {
        "sim": source_block([history])
        | {"input": {"type": "files", "path": "records"}, "offset_gaps": gaps}
    }
    raw, staging = f"raw_{number}", f"stg_{number}"
    table = f"{history.table.schema}.{history.table.name}"
    lab.append(raw, lab.rows([raw_row(one, 1) for one in dict.fromkeys(records)]))
    lab.stage(
        sources,
        "sim",
        raw,
        staging,
        topics=history.topics,
        table=table,
        key=history.declared_key(),
        columns=history.declared_columns(),
    )
    sql = lab.macros(sources, "obs").obs_lost(
        sources=[{"source": "sim", "relation": lab.name(raw), "transactions": None}],
        stagings=[{"source": "sim", "table": table, "relation": lab.name(staging)}],
    )
    return [
        Lost(row["kind"], row["topic"], row["partition"], row["offset"], row["row_key"])
        for row in lab.session.sql(sql).collect()
    ]


@pytest.mark.parametrize(
    "connector",
    [
        pytest.param(name, marks=[] if name in ("postgresql", "sqlserver") else pytest.mark.full)
        for name in RELATIONAL
    ],
)
def test_the_view_shows_what_the_reference_finds(lab_spark: SparkSession, connector: str) -> None:
    trials = [
        (history, loss.records, gaps)
        for history in drawn(connector, 1, 40)
        if not history.config.keyless
        for loss in losses(history)
        if loss.is_between
        for gaps in (gaps_of(history), "compacted")
    ][:3]
    assert trials
    for number, (history, records, gaps) in enumerate(trials):
        expected = lost(records, history.config, gaps)
        with Lab(lab_spark) as lab:
            found = shown(lab, history, records, gaps, number)
        wanted = Counter((one.kind, one.topic, one.partition, one.offset) for one in expected)
        assert (
            Counter((one.kind, one.topic, one.partition, one.offset) for one in found) == wanted
        ), history.seed
