"""Record transforms: what can be done to the records of any history without another outcome.

Converters, transforms of Kafka Connect, routers and options of a connector do this to records. Each
transform says what it does to a row; by default nothing.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeGuard, TypeVar

from dev.simulator import History
from dev.simulator.mongodb import DocumentHistory
from reference import KafkaRecord, canonical_json
from reference.record import payload_of

Row = dict[str, Any]
Envelope = dict[str, Any]
AnyHistory = History | DocumentHistory
Transformable = TypeVar("Transformable", History, DocumentHistory)
_MASK = {"int": 0, "str": "**********"}


def _same_row(row: Row, history: History) -> Row:
    return row


def _always(history: AnyHistory) -> bool:
    return True


@dataclass(frozen=True)
class Transform:
    """A transform of records, what it does to a row, and the histories to which it applies.

    `weight`: how much oftener it is drawn than another, as it applies to few.
    """

    records: Callable[[Any, random.Random], list[KafkaRecord]]
    row: Callable[[Row, History], Row] = _same_row
    applies: Callable[[Any], bool] = _always
    weight: int = 1


def _of_values(
    change: Callable[[Envelope, Any], None],
) -> Callable[[AnyHistory, random.Random], list[KafkaRecord]]:
    """Return a transform that changes the envelope of each event."""

    def transform(history: AnyHistory, rng: random.Random) -> list[KafkaRecord]:
        return [
            _with_event(record, lambda value, envelope: change(envelope, history))
            for record in history.records
        ]

    return transform


def _with_event(
    record: KafkaRecord, change: Callable[[dict[str, Any], Envelope], None]
) -> KafkaRecord:
    """Return the record of an event, of which `change` alters the value and its envelope."""
    value = json.loads(record.value or "null")
    envelope = value.get("payload", value) if isinstance(value, dict) else None
    if not isinstance(envelope, dict) or "op" not in envelope:
        return record
    change(value, envelope)
    return replace(record, value=json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def _read_to_insert(envelope: Envelope, history: AnyHistory) -> None:
    if envelope["op"] == "r":
        envelope["op"] = "c"


def _time_as_text(envelope: Envelope, history: AnyHistory) -> None:
    for owner in (envelope, envelope.get("source") or {}):
        if "ts_ms" in owner:
            owner["ts_ms"] = str(owner["ts_ms"])


def _time_in_nanoseconds(envelope: Envelope, history: AnyHistory) -> None:
    if "ts_ms" in envelope:
        envelope["ts_ns"] = int(envelope.pop("ts_ms")) * 1_000_000


def _without_time(envelope: Envelope, history: AnyHistory) -> None:
    for name in ("ts_ms", "ts_us", "ts_ns"):
        envelope.pop(name, None)


def _without_before(envelope: Envelope, history: AnyHistory) -> None:
    envelope["before"] = None


def _with_members(envelope: Envelope, history: AnyHistory) -> None:
    envelope["added"] = {"ts_ms": 1, "op": "d", "after": None}
    envelope["source"] = {"added": "x", **(envelope.get("source") or {}), "last": None}


def _images(envelope: Envelope) -> list[Row]:
    return [image for image in (envelope.get("before"), envelope.get("after")) if image]


def _mask(row: Row, name: str) -> None:
    if row.get(name) is not None:
        row[name] = _MASK.get(type(row[name]).__name__, row[name])


def _other(history: History) -> str | None:
    """Return a column that is no part of the key."""
    names = [column.name for column in history.table.columns]
    return next((name for name in names if name not in history.table.key), None)


def _masked_key(envelope: Envelope, history: History) -> None:
    for image in _images(envelope):
        _mask(image, history.table.key[0])


def _masked_other(envelope: Envelope, history: History) -> None:
    for image in _images(envelope):
        if image.get(_other(history)) != history.config.placeholder:
            _mask(image, str(_other(history)))


def _excluding(
    names: Callable[[History], Sequence[str]],
) -> Callable[[History, random.Random], list[KafkaRecord]]:
    """Return a transform that takes columns out of rows and their schemas."""

    def transform(history: History, rng: random.Random) -> list[KafkaRecord]:
        excluded = names(history)

        def exclude(value: dict[str, Any], envelope: Envelope) -> None:
            for image in _images(envelope):
                for name in excluded:
                    image.pop(name, None)
            for node in (value.get("schema") or {}).get("fields", ()):
                if node.get("field") in ("before", "after"):
                    node["fields"] = [one for one in node["fields"] if one["field"] not in excluded]

        return [_with_event(record, exclude) for record in history.records]

    return transform


def _row_masked(row: Row, history: History, *, key: bool) -> Row:
    masked = dict(row)
    _mask(masked, history.table.key[0] if key else str(_other(history)))
    return masked


def _row_without_other(row: Row, history: History) -> Row:
    return {name: value for name, value in row.items() if name != _other(history)}


def _retopic(history: AnyHistory, rng: random.Random) -> list[KafkaRecord]:
    """Return the records, from some moment on in another topic, whose offsets begin anew."""
    start = rng.choice(history.records).timestamp_ms
    moved: Counter[int] = Counter()
    records = []
    for record in history.records:
        if record.timestamp_ms >= start:
            offset = moved[record.partition]
            moved[record.partition] += 1
            record = replace(record, topic=f"{record.topic}.9", offset=offset)
        records.append(record)
    return records


def _retry(history: AnyHistory, rng: random.Random) -> list[KafkaRecord]:
    """Return the records with a batch that the producer of one partition sent again."""
    first = rng.choice(history.records)
    of_partition = [
        record
        for record in history.records
        if (record.topic, record.partition) == (first.topic, first.partition)
    ]
    start = of_partition.index(first)
    batch = of_partition[start : start + rng.randint(1, 5)]
    records: list[KafkaRecord] = []
    for record in history.records:
        is_behind = record in of_partition and record.offset > batch[-1].offset
        records.append(replace(record, offset=record.offset + len(batch)) if is_behind else record)
        if record is batch[-1]:
            end = record.offset + 1
            records += [replace(one, offset=end + place) for place, one in enumerate(batch)]
    return records


def _route(history: AnyHistory, rng: random.Random) -> list[KafkaRecord]:
    return [replace(record, topic=f"routed.{record.topic}") for record in history.records]


def _partitioned(history: History, rng: random.Random) -> list[KafkaRecord]:
    """Return the records of a table with two partitions, each with a topic, by a coarse clock.

    A row that is there again after a delete is in the other partition.
    """
    places: Counter[str] = Counter()
    ended: set[str] = set()
    offsets: Counter[tuple[str, int]] = Counter()
    records = []
    for record in history.records:
        op = (payload_of(record.value) or {}).get("op")
        topic = record.topic
        if record.key is not None and op != "t":
            key = canonical_json(payload_of(record.key))
            if op == "d":
                ended.add(key)
            elif op is not None and key in ended:
                ended.remove(key)
                places[key] += 1
            topic = f"{record.topic}.{8 + (len(key) + places[key]) % 2}"
        place = (topic, record.partition)
        moment = record.timestamp_ms - record.timestamp_ms % 20
        records.append(replace(record, topic=topic, offset=offsets[place], timestamp_ms=moment))
        offsets[place] += 1
    return records


def _with_header(history: AnyHistory, rng: random.Random) -> list[KafkaRecord]:
    header = ("traceparent", '00-{"id":1}')
    return [replace(record, headers=(header, *record.headers)) for record in history.records]


def _with_newline(history: AnyHistory, rng: random.Random) -> list[KafkaRecord]:
    return [
        replace(
            record,
            key=None if record.key is None else f"{record.key}\n",
            value=None if record.value is None else f"{record.value}\n",
        )
        for record in history.records
    ]


def _reversed_key(history: History, rng: random.Random) -> list[KafkaRecord]:
    """Return the records with keys in another order, as `message.key.columns` names them."""
    records = []
    for record in history.records:
        key = json.loads(record.key or "null")
        if isinstance(key, dict) and set(key) == set(history.table.key):
            record = replace(record, key=json.dumps(dict(reversed(key.items()))))
        records.append(record)
    return records


def _has_key(history: AnyHistory) -> bool:
    """Return whether a history is of a table with a key; documents have no columns."""
    return isinstance(history, History) and bool(history.table.key)


def _is_bound_to_no_offsets(history: AnyHistory) -> bool:
    """Return whether the configuration names no offset, and offsets start once."""
    return not history.config.epochs and not history.config.incarnations


def _needs_no_before(history: Any) -> TypeGuard[History]:
    return isinstance(history, History) and _has_key(history) and not history.features.toast


def _can_be_partitioned(history: AnyHistory) -> bool:
    """Return whether a row can move between topics: PostgreSQL's partitions have one each.

    Positions order its events. A moved row has all its values.
    """
    return (
        _needs_no_before(history)
        and _is_bound_to_no_offsets(history)
        and history.config.connector == "postgresql"
        and history.features.partitions == 1
        and not any(
            getattr(history.features, name)
            for name in ("add_partitions", "second_topic", "compaction", "incremental")
        )
    )


def _masks_make_no_key_doubtful(history: AnyHistory) -> bool:
    """Return whether a masked column leaves all keys right.

    PostgreSQL's default identity writes no value outside of the key. A mask is one, so that a
    delete whose key has a zero is refused until `replica_identity` is declared.
    """
    return _has_two(history) and (
        history.connector != "postgresql" or history.features.full_identity
    )


def _has_two(history: AnyHistory) -> bool:
    return isinstance(history, History) and _has_key(history) and _other(history) is not None


TRANSFORMS: Mapping[str, Transform] = {
    "another topic": Transform(_retopic, applies=_is_bound_to_no_offsets),
    "a producer's retry": Transform(_retry, applies=_is_bound_to_no_offsets),
    "ReadToInsert": Transform(_of_values(_read_to_insert)),
    "times as text": Transform(_of_values(_time_as_text)),
    "time in nanoseconds": Transform(_of_values(_time_in_nanoseconds)),
    "no time": Transform(_of_values(_without_time)),
    "no before": Transform(_of_values(_without_before), applies=_needs_no_before),
    "more members": Transform(_of_values(_with_members)),
    "masked key": Transform(
        _of_values(_masked_key),
        row=lambda row, history: _row_masked(row, history, key=True),
        applies=_has_key,
    ),
    "masked column": Transform(
        _of_values(_masked_other),
        row=lambda row, history: _row_masked(row, history, key=False),
        applies=_masks_make_no_key_doubtful,
    ),
    "excluded key": Transform(_excluding(lambda history: history.table.key), applies=_has_key),
    "excluded column": Transform(
        _excluding(lambda history: [str(_other(history))]),
        row=_row_without_other,
        applies=_has_two,
    ),
    "routed topics": Transform(_route, applies=_is_bound_to_no_offsets),
    "another order of the key": Transform(_reversed_key, applies=_has_key),
    "partitions of a table": Transform(_partitioned, applies=_can_be_partitioned, weight=20),
    "a header": Transform(_with_header),
    "a newline": Transform(_with_newline),
}


# How many histories of this process have each transform.
drawn: Counter[str] = Counter()


def transformed(history: Transformable) -> Transformable:
    """Return a history with one transform that applies to it, drawn by its seed."""
    if not history.records:
        return history
    rng = random.Random(f"transform {history.seed}")
    names = [name for name, one in TRANSFORMS.items() if one.applies(history)]
    (name,) = rng.choices(names, [TRANSFORMS[one].weight for one in names])
    drawn[name] += 1
    return replace(history, records=TRANSFORMS[name].records(history, rng))


def differing(
    name: str,
    history: History,
    fold: Callable[[Iterable[KafkaRecord]], Any],
    rng: random.Random,
) -> Sequence[str]:
    """Return the keys of rows that a transform changes otherwise than it says."""
    transform = TRANSFORMS[name]
    before, after = fold(history.records), fold(transform.records(history, rng))
    if not history.table.key:
        return sorted((before.multiset - after.multiset) + (after.multiset - before.multiset))
    wanted = {key: transform.row(row, history) for key, row in before.rows.items()}
    keys = wanted.keys() | after.rows.keys()
    return sorted(key for key in keys if wanted.get(key) != after.rows.get(key))
