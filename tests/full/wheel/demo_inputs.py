"""Records of the demo, those of each connector in other forms, so that all forms are there."""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from tests.support.paths import DEMO
from tests.support.sink_writer import write_aiven, write_connect, write_lenses

Record = dict[str, Any]

# By connector the tables whose records are written. The others would need minutes, and show nothing
# more of an installation.
TABLES = {
    "postgresql": ("public.customers", "public.readings"),
    "sqlserver": ("customers",),
    "oracle": ("CUSTOMERS",),
    "mysql": ("suppliers",),
    "mariadb": ("accounts",),
    "mongodb": ("articles", "comments"),
}
# More lines of objects than the driver reads itself: Spark's workers read them.
LINES_FOR_WORKERS = 2_100
HEARTBEATS = "__debezium-heartbeat.shop"
_FIELDS = ("key", "value", "offset", "timestamp", "headers")


def write_demo_inputs(folder: Path) -> dict[str, int]:
    """Write the records of each connector into a folder of its name below `folder`.

    Returns:
        The number of records that land of each.
    """
    parts = {connector: _parts(connector) for connector in TABLES}
    records = {connector: [one for part in parts[connector] for one in part] for connector in parts}
    numbers = {connector: len(records[connector]) for connector in parts}
    _write_record_files(folder / "postgresql", parts["postgresql"])
    numbers["postgresql"] += LINES_FOR_WORKERS
    for connector, form in (("sqlserver", "avro"), ("oracle", "parquet")):
        # The simulator's schema changes lack members that Avro needs: texts of StringConverter.
        changes = [one for one in records[connector] if "." not in one["topic"]]
        events = [one for one in records[connector] if "." in one["topic"]]
        write_connect(folder / connector, events, form=form, keys=form, headers=form)
        write_connect(folder / connector, changes, form="string.json", keys="json", headers="json")
        # The files of tombstones are not read.
        numbers[connector] -= sum(one["value"] is None for one in events)
    write_aiven(folder / "mysql", records["mysql"], fields=_FIELDS, compression=".gz")
    write_lenses(folder / "mariadb", records["mariadb"])
    write_aiven(folder / "mongodb", records["mongodb"], form="jsonl", fields=_FIELDS)
    return numbers


def _parts(connector: str) -> list[list[Record]]:
    """Return the records of each file of a demo, keys and values as text."""
    described = json.loads((DEMO / connector / "truth" / "_columns.json").read_text("utf-8"))
    left_out = tuple(f".{name}" for name in described if name not in TABLES[connector])
    parts = []
    for path in sorted((DEMO / connector / "records").iterdir()):
        lines = path.read_text(encoding="utf-8").splitlines()
        records = [{"key": None, "headers": None, **json.loads(line)} for line in lines]
        parts.append([one for one in records if not _is_of(one, left_out)])
    return parts


def _is_of(one: Record, tables: tuple[str, ...]) -> bool:
    """Return whether a record is an event or a definition of the tables, names with a dot."""
    if not tables or one["topic"].endswith(tables):
        return bool(tables)
    value = json.loads(one["value"] or "{}")
    changes = value.get("payload", value).get("tableChanges") or []
    return any(change["id"].replace('"', "").endswith(tables) for change in changes)


def _write_record_files(folder: Path, parts: Sequence[Sequence[Record]]) -> None:
    """Write each part in one form of record files, and one more file for Spark's workers."""
    folder.mkdir(parents=True)
    forms = (
        ("jsonl", lambda part: _lines(json.dumps(one) for one in part)),
        ("jsonl.gz", lambda part: gzip.compress(_lines(_with_objects(one) for one in part))),
        ("kcat.json", lambda part: _lines(_of_kcat(one) for one in part)),
        ("parquet", _parquet),
    )
    for number, part in enumerate(parts):
        suffix, written = forms[number % len(forms)]
        (folder / f"part-{number:04d}.{suffix}").write_bytes(written(part))
    last = max(one["offset"] for part in parts for one in part if one["topic"] == HEARTBEATS)
    signs = (
        f'{{"topic": "{HEARTBEATS}", "partition": 0, "offset": {last + number},'
        f' "value": {{"ts_ms": {1795294300000 + number}}}}}'
        for number in range(1, LINES_FOR_WORKERS + 1)
    )
    (folder / "heartbeats.jsonl").write_bytes(_lines(signs))


def _lines(texts: Iterable[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def _with_objects(one: Record) -> str:
    """Return a line whose key and value are objects, not texts."""
    place = {name: value for name, value in one.items() if name not in ("key", "value")}
    sides = (f'"{side}": {one[side] or "null"}' for side in ("key", "value"))
    return f"{json.dumps(place)[:-1]}, {', '.join(sides)}}}"


def _of_kcat(one: Record) -> str:
    headers = [text for header in one["headers"] or [] for text in (header["key"], header["value"])]
    return json.dumps(
        {
            **{name: one[name] for name in ("topic", "partition", "offset")},
            **{"tstype": "create", "ts": one["timestamp"], "broker": 1},
            **({"headers": headers} if headers else {}),
            **{"key": one["key"], "payload": one["value"]},
        }
    )


def _parquet(part: Sequence[Record]) -> bytes:
    header = pa.struct([("key", pa.string()), ("value", pa.string())])
    types = {
        **{"topic": pa.string(), "partition": pa.int32(), "offset": pa.int64()},
        **{"timestamp": pa.int64(), "timestampType": pa.int32()},
        **{"key": pa.string(), "value": pa.string(), "headers": pa.list_(header)},
    }
    content = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(part), pa.schema(types.items())), content)
    return content.getvalue()
