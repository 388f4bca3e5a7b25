"""Records walked without Spark: what staging hands over, made of Kafka records."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from dbt_debezium_spark.mongodb import ejson
from dbt_debezium_spark.mongodb.walk import Change, Walk
from reference import KafkaRecord
from reference.arrival import Arrival, in_arrival_order


def walk_records(records: Iterable[KafkaRecord]) -> dict[str, Walk]:
    """Walk the records of each document in the order of arrival."""
    arrivals: dict[str, list[Arrival]] = {}
    for record in records:
        key = _payload(record.key)
        if key is None or "id" not in key or "status" in (_payload(record.value) or {}):
            continue
        arrivals.setdefault(ejson.key_text(key["id"]), []).append(Arrival(record, 0))
    walks = {name: Walk(name) for name in arrivals}
    for name, walk in walks.items():
        for arrival in in_arrival_order(arrivals[name]):
            walk.take(change_of(arrival.record))
    return walks


def resumed(before: Walk) -> Walk:
    """Return a walk that goes on where another ended, as from the row of a state."""
    walk = Walk(before.key)
    walk.resume(
        document=before.document_text(),
        incomplete=before.incomplete,
        mark=before.mark,
        last_op=before.last_op,
        tombstone_at=before.tombstone_at,
        replays=before.replays,
        unexplained=before.unexplained,
        first_unexplained=before.first_unexplained,
    )
    return walk


def change_of(record: KafkaRecord) -> Change:
    """Return the event that a record is."""
    value = _payload(record.value)
    event_id = f"{record.topic}:{record.partition}:{record.offset}"
    if value is None:
        return Change("tombstone", "tombstone", event_id=event_id, timestamp=record.timestamp_ms)
    source, op = value["source"], value["op"]
    kind = "stream"
    if op == "r":
        kind = "incremental" if source.get("snapshot") == "incremental" else "full"
    version = tuple(int(part) for part in source["version"].split(".")[:2])
    position = None
    if version < (3, 4) and kind == "stream":
        position = f"{source['ts_ms'] // 1000:020d}/{source['ord']:010d}/{source.get('tord') or 0}"
    description = value.get("updateDescription")
    told: Any = description or [value.get("after"), value.get("patch")]
    return Change(
        op,
        kind,
        position=position,
        identity=json.dumps([source["ts_ms"], source["ord"], source.get("txnNumber"), op, told]),
        run_id=dict(record.headers).get("__debezium.context.runId"),
        event_id=event_id,
        timestamp=record.timestamp_ms,
        after=value.get("after"),
        before=value.get("before"),
        patch=value.get("patch"),
        update_description=None if description is None else json.dumps(description),
    )


def _payload(text: str | None) -> Any:
    if text is None:
        return None
    value = json.loads(text)
    return value["payload"] if set(value) == {"schema", "payload"} else value
