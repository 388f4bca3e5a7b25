"""Replays a recording and compares the outcome with its truth: is the recording itself sound?

This reads the parts in the order the broker got the records, over all partitions and topics, which
no consumer of the files may rely on (a real consumer sees each partition on its own). Knowing that
order makes the replay simple enough to trust: drop what an earlier run delivered, then apply every
record. It shares no code with the project's models, so it can judge them.
"""

from __future__ import annotations

import base64
import json
import struct
from collections import Counter
from datetime import UTC, date, datetime, timedelta
from decimal import Context, Decimal
from pathlib import Path
from typing import Any

from dev.recorder import events
from dev.recorder.tables import ADDED_DEFAULTS, RENAMES

PLACEHOLDER = "__debezium_unavailable_value"
_PLACEHOLDERS = (
    PLACEHOLDER,
    base64.b64encode(PLACEHOLDER.encode()).decode(),
    [PLACEHOLDER],
    [ord(character) for character in PLACEHOLDER],
)
_OLD_KEY_HEADER = "__debezium.oldkey"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_EXACT = Context(prec=200)

Row = dict[str, Any]


def mismatches(folder: Path) -> list[str]:
    """Return one sentence per difference between the replayed records and the truth, none if sound.

    Args:
        folder: of a recording with embedded schemas.
    """
    records = [
        json.loads(line)
        for part in sorted((folder / "records").glob("*.jsonl"))
        for line in part.read_text(encoding="utf-8").split("\n")
        if line
    ]
    described = json.loads((folder / "truth" / "_columns.json").read_text(encoding="utf-8"))
    tables = _replay(records)
    found: list[str] = []
    for table, description in described.items():
        kinds = {column["name"]: column["type"] for column in description["columns"]}
        lines = (folder / "truth" / f"{table}.jsonl").read_text(encoding="utf-8").split("\n")
        expected = Counter(_comparable(json.loads(line), kinds) for line in lines if line)
        actual = Counter(_comparable(row, kinds) for row in tables.get(table, []))
        found.extend(f"{table}: the records lack {row}" for row in (expected - actual).elements())
        found.extend(f"{table}: the truth lacks {row}" for row in (actual - expected).elements())
    return found


def _replay(records: list[dict[str, Any]]) -> dict[str, list[Row]]:
    keyed: dict[str, dict[str, Row]] = {}
    bags: dict[str, list[Row]] = {}
    layouts: dict[str, list[str]] = {}
    for record, value, schema in _first_deliveries(records):
        source = value["source"]
        table = f"{source['schema']}.{source['table']}"
        rows = keyed.setdefault(table, {})
        bag = bags.setdefault(table, [])
        operation = value["op"]
        before = _decode_row(schema, "before", value)
        after = _decode_row(schema, "after", value)
        if after is not None:
            layouts[table] = list(after)
        if operation == "t":
            rows.clear()
            bag.clear()
        elif record["key"] is None:
            if operation in ("u", "d"):
                assert before is not None
                bag.remove(before)
            if after is not None:
                bag.append(after)
        else:
            key = _key_text(events.payload(record["key"]))
            if operation == "d":
                # The row stays known: a key change's `c` may lack its out-of-line values.
                rows[key]["_deleted"] = True
                continue
            assert after is not None
            headers = {h["key"]: h["value"] for h in record["headers"] or []}
            old_key = headers.get(_OLD_KEY_HEADER)
            earlier = rows.get(_key_text(json.loads(old_key)) if old_key else key, {})
            rows[key] = {
                name: earlier[name] if _is_placeholder(value["after"][name]) else decoded
                for name, decoded in after.items()
            }
    live = {
        table: [row for row in rows.values() if "_deleted" not in row]
        for table, rows in keyed.items()
    }
    return {
        table: [_in_layout(row, layouts.get(table, []), table) for row in live[table] + bags[table]]
        for table in live
    }


def _in_layout(row: Row, layout: list[str], table: str) -> Row:
    """Bring a row of an earlier layout into the last one, by what only the operator knows."""
    former = RENAMES.get(table, {})
    filled = ADDED_DEFAULTS.get(table, {})
    row = dict(row)
    for name in layout:
        if name in row:
            continue
        if former.get(name) in row:
            row[name] = row.pop(former[name])
        elif name in filled:
            row[name] = filled[name]
    return row


def _first_deliveries(records: list[dict[str, Any]]) -> Any:
    earlier: Counter[str] = Counter()
    current: Counter[str] = Counter()
    run = None
    for record in records:
        operation = events.operation(record)
        if operation in ("tombstone", "other", "m"):
            continue
        value = json.loads(record["value"])
        schema, payload = value["schema"], value["payload"]
        if operation != "r":
            this_run = events.run_of(record)
            if this_run != run:
                earlier |= current
                current, run = Counter(), this_run
            source = payload["source"]
            identity = json.dumps(
                [record["topic"], record["key"], operation, source["txId"], source["lsn"],
                 payload["before"]]
            )  # fmt: skip
            current[identity] += 1
            if current[identity] <= earlier[identity]:
                continue
        yield record, payload, schema


def _key_text(key: Row) -> str:
    return json.dumps(key, sort_keys=True, ensure_ascii=False)


def _is_placeholder(value: Any) -> bool:
    return value in _PLACEHOLDERS


def _decode_row(schema: Any, side: str, payload: Any) -> Row | None:
    if payload[side] is None:
        return None
    row = next(node for node in schema["fields"] if node["field"] == side)
    return {node["field"]: _decode(node, payload[side][node["field"]]) for node in row["fields"]}


def _decode(node: Any, value: Any) -> Any:
    """Return a value in the truth's form; numerics stay exact as Decimal."""
    if value is None or _is_placeholder(value):
        return None
    name = node.get("name")
    if name == "org.apache.kafka.connect.data.Decimal":
        return _decimal(value, int(node["parameters"]["scale"]))
    if name == "io.debezium.data.VariableScaleDecimal":
        return _decimal(value["value"], value["scale"])
    if name == "io.debezium.time.Date":
        return (date(1970, 1, 1) + timedelta(days=value)).isoformat()
    if name == "io.debezium.time.Time":
        return _wall_clock(value * 1000)[11:23]
    if name == "io.debezium.time.Timestamp":
        return _wall_clock(value * 1000)[:23]
    if name == "io.debezium.time.MicroTimestamp":
        return _wall_clock(value)
    if name in ("io.debezium.time.ZonedTimestamp", "io.debezium.time.ZonedTime"):
        whole, _, fraction = value.removesuffix("Z").partition(".")
        return f"{whole}.{fraction.ljust(6, '0')}Z"
    if name == "io.debezium.data.Bits":
        number = int.from_bytes(base64.b64decode(value), "little")
        return f"{number:0{node['parameters']['length']}b}"
    if node["type"] == "bytes":
        return base64.b64decode(value).hex()
    return value


def _decimal(encoded: str, scale: int) -> Decimal:
    unscaled = int.from_bytes(base64.b64decode(encoded), "big", signed=True)
    # From text: scaleb would round to the context's 28 digits.
    return Decimal(f"{unscaled}E{-scale}")


def _wall_clock(micros: int) -> str:
    moment = _EPOCH + timedelta(microseconds=micros)
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds")


def _comparable(row: Row, kinds: dict[str, str]) -> str:
    """Return a row's columns of the truth as text; a column it lacks is NULL."""
    shown = {}
    for name, kind in kinds.items():
        value = row.get(name)
        if value is not None and kind.startswith("numeric"):
            exact = Decimal(value)
            value = str(exact.normalize(_EXACT)) if exact else "0"
        elif kind == "real" and isinstance(value, float):
            value = struct.unpack("f", struct.pack("f", value))[0]
        elif kind == "interval" and isinstance(value, dict):
            value = value["micros"]
        shown[name] = value
    return json.dumps(shown, ensure_ascii=False)
