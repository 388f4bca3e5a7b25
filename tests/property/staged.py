"""Staged rows against the events that the reference reads from the same records.

Positions are texts in Spark and tuples in the reference: of a topic's events, both must sort alike
and be equal alike. So must keys and contents be equal alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pyspark.sql import Row

from dev.simulator import History
from reference import KafkaRecord
from reference.envelope import read_event
from reference.event import Event
from tests.property.histories import Difference, expected_values
from tests.property.plain_values import comparable
from tests.support.table_columns import is_of_table

_UNORDERED = ("key", "identity", "old key")
_SAY_THEIR_RUN = ("c", "u", "d", "r")
_ORDERED = ("position", "stream position")


def staged_differences(
    histories: Sequence[History],
    landed: Mapping[str, Sequence[Sequence[KafkaRecord]]],
    rows: Sequence[Row],
) -> Iterator[Difference]:
    """Yield where staged rows say something else than the records.

    Args:
        histories: that were staged together.
        landed: their records by topic, in batches.
        rows: all rows of their staging model.
    """
    names = {topic: history.topic for history in histories for topic in history.topics}
    staged: dict[str, list[Row]] = {}
    for row in rows:
        staged.setdefault(names.get(row["_cdc_topic"], row["_cdc_topic"]), []).append(row)
    for history in histories:
        yield from _of_history(history, landed[history.topic], staged.pop(history.topic, []))
    for topic in staged:
        yield Difference(-1, 0, topic, "no rows", "rows of no history", "staged")


def _of_history(
    history: History, batches: Sequence[Sequence[KafkaRecord]], rows: Sequence[Row]
) -> Iterator[Difference]:
    found = {_delivery(row): row for row in rows}
    assert len(found) == len(rows), f"a delivery is staged twice in {history.topic}"
    pairs: list[tuple[Event, Row]] = []
    for number, batch in enumerate(batches, start=1):
        for record in batch:
            place = (record.topic, record.partition, record.offset, record.timestamp_ms)
            row = found.pop(place, None)
            event = read_event(record, history.config)
            if row is None and event is None:
                continue  # messages are not staged
            if row is None:
                yield Difference(history.seed, number, str(place), "a row", None, "staged")
                continue
            wanted, own = _plain(history, event, number), _plain_row(event, row)
            if wanted != own:
                names = [name for name in wanted if wanted[name] != own[name]]
                yield Difference(
                    history.seed,
                    number,
                    str(place),
                    {name: wanted[name] for name in names},
                    {name: own[name] for name in names},
                    "staged",
                )
            elif event is not None:
                pairs.append((event, row))
    for place in found:
        yield Difference(history.seed, 0, str(place), None, "a row", "staged")
    yield from _of_one_order(history, pairs)


def _delivery(row: Row) -> tuple[str, int, int, int]:
    place = (row["_cdc_topic"], row["_cdc_partition"], row["_cdc_offset"])
    return (*place, round(row["_cdc_timestamp"].timestamp() * 1000))


def _plain(history: History, event: Event | None, batch: int) -> dict[str, Any]:
    """Return what a staged row must say; of a record that is no event, that it is none."""
    said: dict[str, Any] = {"batch": batch, "event": event is not None}
    if event is None:
        return said
    said |= {
        "op": event.op,
        "has key": event.key is not None,
        "has position": event.position is not None,
        "has stream position": event.stream_position is not None,
        "can be shared": event.op in _SAY_THEIR_RUN and not event.unique,
        "incremental": event.incremental,
        "last": event.last_of_snapshot,
        "has old key": event.old_key is not None and event.op == "c",
        "run": event.run_id if event.op in _SAY_THEIR_RUN else None,
        "errors": [],
    }
    if event.op in ("c", "u", "r"):
        lacking = _lacking(history, event)
        row = {name: value for name, value in (event.after or {}).items() if name not in lacking}
        for name in event.unavailable - lacking:
            row[name] = (event.before or {})[name]
        said |= {"lacking": sorted(lacking), "values": expected_values(history, row)}
    return said


def _lacking(history: History, event: Event) -> frozenset[str]:
    """Return the columns that neither image says."""
    if not history.config.complete_before or event.before is None:
        return event.unavailable
    return frozenset(
        name
        for name in event.unavailable
        if name not in event.before or name in event.before_unavailable
    )


def _plain_row(event: Event | None, row: Row) -> dict[str, Any]:
    is_event = row["_cdc_op"] is not None
    if row["_cdc_op"] == "tombstone":
        is_event = row["_cdc_key"] is not None
    said: dict[str, Any] = {"batch": row["_cdc_batch_id"], "event": is_event}
    if event is None:
        return said
    said |= {
        "op": row["_cdc_op"],
        "has key": row["_cdc_key"] is not None,
        "has position": row["_cdc_pos"] is not None,
        "has stream position": row["_cdc_stream_pos"] is not None,
        "can be shared": (row["_cdc_identity"] or "").startswith("~"),
        "incremental": row["_cdc_op"] == "r" and row["_cdc_snapshot"] == "incremental",
        "last": row["_cdc_snapshot"] in ("last", "last_in_data_collection"),
        "has old key": row["_cdc_old_key"] is not None,
        "run": row["_cdc_run_id"] if event.op in _SAY_THEIR_RUN else None,
        "errors": row["_cdc_errors"] or [],
    }
    if event.op in ("c", "u", "r"):
        said |= {
            "lacking": sorted(row["_cdc_unavailable"] or []),
            "values": {name: comparable(row[name]) for name in row.__fields__ if is_of_table(name)},
        }
    return said


def _of_one_order(history: History, pairs: Sequence[tuple[Event, Row]]) -> Iterator[Difference]:
    """Yield where texts of Spark and values of the reference are not equal, or sorted, alike."""
    texts_of: dict[str, dict[Any, set[str]]] = {name: {} for name in (*_UNORDERED, *_ORDERED)}
    for event, row in pairs:
        told = row["_cdc_identity"] or row["_cdc_pos"]
        values = {
            "key": (event.key, row["_cdc_key"]),
            "identity": (_told(event), told if event.op in _SAY_THEIR_RUN else None),
            "old key": (event.old_key if event.op == "c" else None, row["_cdc_old_key"]),
            # epochs are the fold's, not staging's
            "position": (event.position and event.position[1], row["_cdc_pos"]),
            "stream position": (
                event.stream_position and event.stream_position[1],
                row["_cdc_stream_pos"],
            ),
        }
        for name, (value, text) in values.items():
            if value is not None:
                texts_of[name].setdefault(value, set()).add(text)
    for name, texts in texts_of.items():
        for value, forms in texts.items():
            if len(forms) > 1:
                yield Difference(history.seed, 0, f"{name} {value}", "one text", forms, "staged")
        if name in _ORDERED:
            in_order = [min(texts[value]) for value in sorted(texts)]
            if in_order != sorted(set(in_order)):
                yield Difference(history.seed, 0, name, sorted(texts), in_order, "staged")
        elif len({min(forms) for forms in texts.values()}) < len(texts):
            yield Difference(history.seed, 0, name, sorted(texts, key=str), texts, "staged")


def _told(event: Event) -> Any:
    """Return what tells a change or read apart, without the epoch, which is the fold's."""
    if event.op not in _SAY_THEIR_RUN or event.told is None:
        return None
    return ("r", event.told) if event.op == "r" else (event.op in ("c", "u", "d"), event.told[1])
