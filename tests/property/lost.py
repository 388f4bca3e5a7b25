"""Histories with one event taken away, and what the rules of docs/lost.md find.

`python -m tests.property.lost --histories 10001` prints the table of the page.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import typer

from dev.simulator import History
from reference import KafkaRecord
from reference.envelope import read_event
from reference.event import Event
from reference.folded import Folded
from reference.lost import NOT_APPLIED, Lost, lost
from reference.walk import distinct_events, walks_of_keys
from tests.property.histories import histories_of

RELATIONAL = ("postgresql", "sqlserver", "oracle", "mysql", "mariadb")
LOSSES = ("behind Kafka", "before Kafka")
GROUP = 10


def drawn(connector: str, first: int, count: int) -> Iterator[History]:
    """Yield histories that lose nothing by themselves.

    One that reads its table again while it changes, because its connector lost its offsets, lacks
    what happened between. A transform that numbers a compacted topic anew hides what is gone.
    """
    for start in range(first, first + count, GROUP):
        for history in histories_of(range(start, start + GROUP), connector):
            features = history.features
            is_renumbered = any(one.topic.endswith(".9") for one in history.records)
            if features.snapshot_again and features.overlap:
                continue
            if not (features.compaction and is_renumbered):
                yield history


def gaps_of(history: History) -> str:
    """Return what the gaps of a history are; a transform that moves records leaves some."""
    features = history.features
    if features.compaction or any(one.topic.endswith((".8", ".9")) for one in history.records):
        return "compacted"
    return "markers" if features.gaps else "lost"


def alarms(history: History) -> list[Lost]:
    """Return what is found in a history as it is."""
    return lost(history.records, history.config, gaps_of(history))


@dataclass(frozen=True)
class Loss:
    """A history without one event.

    `is_between`: it changed a value that is known, changes of the same row that are applied lie
    before and behind it, in its partition, and the one behind is an update or delete. All three
    have positions.
    """

    kind: str
    records: list[KafkaRecord]
    is_between: bool


def losses(history: History) -> Iterator[Loss]:
    """Yield one loss of each kind from a history with complete before images, if it has a change.

    All deliveries of the event are taken away.
    """
    config = history.config
    if not config.complete_before or config.keyless or gaps_of(history) == "compacted":
        return
    told: dict[str, list[tuple[Event, str]]] = {}
    walks_of_keys(distinct_events(history.records, config, read_event), Folded(), told=told)
    changes = [
        (walked, event)
        for _, of_key in sorted(told.items())
        for walked in [[one for one, verdict in of_key if verdict not in NOT_APPLIED]]
        for event in walked
        if event.op in ("c", "u", "d")
    ]
    if not changes:
        return
    rng = random.Random(f"loss {history.seed}")
    walked, event = rng.choice(changes)
    place = walked.index(event)
    around = walked[max(0, place - 1) : place + 2]
    is_between = (
        len(around) == 3
        and all(one.op in ("c", "u", "d") and one.position is not None for one in around)
        and around[2].op != "c"
        and (event.op != "u" or _changes(event))
        and len({(one.place, one.incarnation) for one in around}) == 1
    )
    gone = {
        (one.record.topic, one.record.partition, one.record.offset, one.record.timestamp_ms)
        for one, _ in told[str(event.key)]
        if one is event or (one.identity is not None and one.identity == event.identity)
    }
    kept = [
        one
        for one in history.records
        if (one.topic, one.partition, one.offset, one.timestamp_ms) not in gone
    ]
    yield Loss("behind Kafka", kept, is_between)
    if not config.incarnations and not any(one.offsets for one in config.epochs):
        yield Loss("before Kafka", _closed_up(kept, gone), is_between)


def _changes(event: Event) -> bool:
    """Tell whether an update changed a value that both images tell."""
    unknown = event.unavailable | event.before_unavailable
    after = event.after or {}
    return any(
        name not in unknown and after.get(name) != value
        for name, value in (event.before or {}).items()
    )


def _closed_up(
    records: Sequence[KafkaRecord], gone: set[tuple[str, int, int, int]]
) -> list[KafkaRecord]:
    """Return the records with the offsets that they have if others never reached Kafka."""
    return [
        replace(
            one,
            offset=one.offset
            - sum(
                (topic, partition) == (one.topic, one.partition) and offset < one.offset
                for topic, partition, offset, _ in gone
            ),
        )
        for one in records
    ]


def main(
    histories: Annotated[int, typer.Option(help="Histories over all connectors.")] = 1000,
    seed: Annotated[int, typer.Option(help="Seed of the first history.")] = 1,
) -> None:
    """Count what is found of what was taken away, and false alarms."""
    counts: Counter[tuple[str, ...]] = Counter()
    for connector in RELATIONAL:
        for history in drawn(connector, seed, -(-histories // len(RELATIONAL))):
            counts[connector, "histories"] += 1
            for one in alarms(history):
                counts[connector, "false alarms"] += 1
                typer.echo(f"false alarm: {connector} seed {history.seed}: {one}")
            for loss in losses(history):
                is_found = bool(lost(loss.records, history.config, gaps_of(history)))
                kinds = [loss.kind, *([f"{loss.kind}, between"] if loss.is_between else [])]
                for kind in [f"{one}, {gaps_of(history)}" for one in kinds]:
                    counts[connector, kind, "tried"] += 1
                    counts[connector, kind, "found"] += is_found
    for name, count in sorted(counts.items()):
        typer.echo(f"{' | '.join(name)}: {count}")


if __name__ == "__main__":
    typer.run(main)
