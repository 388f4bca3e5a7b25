"""Records of the traps: those of real servers, and records made by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from reference import KafkaRecord
from tests.support.examples import START_MS, compact, messages
from tests.support.paths import REAL
from tests.support.raw import kafka_record

GONE = "__debezium_unavailable_value"

ABSENT: Any = object()  # of an argument: the record lacks the member


def recorded(*names: str) -> list[KafkaRecord]:
    """Return records of a real server, by the files they were picked into."""
    records = []
    for name in names:
        for line in (REAL / f"{name}.jsonl").read_text(encoding="utf-8").splitlines():
            records.append(kafka_record(json.loads(line)))
    return records


def embedded_columns(name: str) -> list[dict[str, Any]]:
    """Return the columns that the embedded schema of an example describes, as models declare them.

    A schema node says `name` and `field` where a model says `semantic` and `name`.
    """
    value = messages(name)[0]["value"]
    (after,) = (node for node in value["schema"]["fields"] if node["field"] == "after")
    return [{"name": node["field"], **_declared(node)} for node in after["fields"]]


def _declared(node: Mapping[str, Any]) -> dict[str, Any]:
    declared: dict[str, Any] = {"type": node["type"]}
    if "name" in node:
        declared["semantic"] = node["name"]
    if "parameters" in node:
        declared["parameters"] = node["parameters"]
    if "items" in node:
        declared["items"] = _declared(node["items"])
    return declared


def late(records: Sequence[KafkaRecord], offset: int) -> list[KafkaRecord]:
    """Return the records with offsets from there on."""
    return [replace(record, offset=offset + place) for place, record in enumerate(records)]


def again(records: Sequence[KafkaRecord], later_ms: int = 600_000) -> list[KafkaRecord]:
    """Return a redelivery: same positions and images, new offsets and envelope times."""
    end = max(record.offset for record in records) + 1
    repeats = []
    for number, record in enumerate(records):
        value = record.value
        if value is not None:
            envelope = json.loads(value)
            envelope["ts_ms"] = int(envelope["ts_ms"]) + later_ms
            value = compact(envelope)
        repeats.append(
            replace(
                record,
                offset=end + number,
                timestamp_ms=record.timestamp_ms + later_ms,
                value=value,
            )
        )
    return repeats


class Log:
    """Records one after another in partition 0, unless told otherwise.

    `position` is a number that becomes an LSN or SCN of the connector; `commit` the one of the
    commit before (PostgreSQL and Oracle before 3.2); `serial` a number within a position.
    """

    def __init__(self, connector: str = "postgresql") -> None:
        """Begin an empty log of a connector."""
        self.connector = connector
        self.records: list[KafkaRecord] = []

    def add(
        self,
        op: str,
        key: Any,
        position: int | None = None,
        after: Any = None,
        *,
        before: Any = None,
        commit: int | None = 1,
        snapshot: Any = "false",
        serial: Any = 1,
        headers: Mapping[str, str] | None = None,
        source: Mapping[str, Any] | None = None,
        value: Any = ABSENT,
        transaction: Mapping[str, Any] | None = None,
        **place: Any,
    ) -> Log:
        """Add an event; `key` is the key's JSON value, `value` replaces the whole envelope."""
        described = self._source(position, commit, serial, snapshot)
        place_of_table = {"db": "inventory"} if self._has_binlog else {"schema": "public"}
        described |= place_of_table | {"table": "customers", "ts_ms": START_MS} | dict(source or {})
        if snapshot is not ABSENT:
            described["snapshot"] = snapshot
        envelope = {
            "before": before,
            "after": after,
            "source": described,
            "op": op,
            "ts_ms": START_MS + len(self.records),
            "transaction": transaction,
        }
        return self.raw(
            compact(key), compact(envelope if value is ABSENT else value), headers=headers, **place
        )

    @property
    def _has_binlog(self) -> bool:
        return self.connector in ("mysql", "mariadb")

    def c(self, number: int | None, position: int | None, v: Any = None, **more: Any) -> Log:
        """Insert a row of the plain table; `v` is its value, or the whole row image."""
        return self._change("c", number, position, v, more)

    def u(self, number: int | None, position: int | None, v: Any = None, **more: Any) -> Log:
        """Update a row."""
        return self._change("u", number, position, v, more)

    def r(self, number: int | None, position: int | None, v: Any = None, **more: Any) -> Log:
        """Read a row in a snapshot, a full one unless `snapshot` says else."""
        is_incremental = more.setdefault("snapshot", "true") == "incremental"
        more.setdefault("commit", 1 if is_incremental else None)
        return self._change("r", number, position, v, more)

    def d(self, number: int | None, position: int | None, v: Any = None, **more: Any) -> Log:
        """Delete a row; `v`: what its image before the change tells."""
        if "before" not in more:
            more["before"] = self._image(number, v, {})
        return self._change("d", number, position, None, more)

    def t(self, position: int | None, **more: Any) -> Log:
        """Truncate the table."""
        return self.add("t", None, position, **more)

    def x(self, number: int | None, form: str | None = None, **place: Any) -> Log:
        """Add a tombstone, in the form in which some landing shows it."""
        return self.tombstone(None if number is None else {"id": number}, form, **place)

    def again(self, place: int, **changes: Any) -> Log:
        """Add the record of a place once more, with a new offset and time."""
        told = self.records[place]
        number = len(self.records)
        moved = replace(told, offset=number, timestamp_ms=START_MS + number)
        self.records.append(replace(moved, **changes))
        return self

    def _change(
        self, op: str, number: int | None, position: int | None, v: Any, more: dict[str, Any]
    ) -> Log:
        """Add a change. `run`, `old`: of its headers; `ms`: its time at the source; `tx`."""
        headers = dict(more.pop("headers", None) or {})
        if (run := more.pop("run", None)) is not None:
            headers["__debezium.context.runId"] = run
        if (old := more.pop("old", None)) is not None:
            headers["__debezium.oldkey"] = old if isinstance(old, str) else compact({"id": old})
        if (ms := more.pop("ms", None)) is not None:
            more["source"] = {**more.get("source", {}), "ts_ms": START_MS + ms}
        if (tx := more.pop("tx", None)) is not None:
            more["transaction"] = {"id": tx}
        image = None if op == "d" else self._image(number, v, more)
        key = None if number is None or more.pop("keyless", False) else {"id": number}
        return self.add(op, key, position, image, headers=headers, **more)

    def _image(self, number: int | None, v: Any, more: dict[str, Any]) -> dict[str, Any]:
        if isinstance(v, dict):
            return v
        w = {"w": more.pop("w")} if "w" in more else {}
        return {"id": number, "v": v, **w}

    def tombstone(self, key: Any, form: str | None = None, **place: Any) -> Log:
        """Add a record without a value, as some landing shows it."""
        return self.raw(compact(key), form, **place)

    def raw(
        self,
        key: str | None,
        value: str | None,
        *,
        partition: int = 0,
        offset: int | None = None,
        at: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Log:
        """Add a record of any texts; `at` is Kafka's timestamp in milliseconds."""
        number = len(self.records)
        self.records.append(
            KafkaRecord(
                "",
                partition,
                number if offset is None else offset,
                START_MS + number if at is None else at,
                key,
                value,
                tuple((headers or {}).items()),
            )
        )
        return self

    def cut(self, *ends: int) -> list[list[KafkaRecord]]:
        """Return the records in batches that end before these places, and the rest."""
        places = [0, *ends, len(self.records)]
        return [self.records[a:b] for a, b in zip(places, places[1:], strict=False)]

    def _source(
        self, position: int | None, commit: int | None, serial: Any, snapshot: Any
    ) -> dict[str, Any]:
        if self.connector == "postgresql":
            pair = [None if number is None else str(number) for number in (commit, position)]
            lsn = None if snapshot == "incremental" else position
            return {"lsn": lsn, "txId": 700, "sequence": compact(pair)}
        if self.connector == "oracle":
            read = snapshot not in ("false", False, None, ABSENT, "incremental")
            return {
                "txId": None if read else "06001c0027030000",
                "scn": str(position),
                "commit_scn": None if read else str(commit),
                "lcr_position": None,
                "rs_id": None if read else " 0x00000f.00000f85.0010",
                "ssn": 0 if read else serial,
                "redo_thread": None if read else 1,
            }
        if self._has_binlog:
            read = snapshot not in ("false", False, None, ABSENT, "incremental")
            return {
                "server_id": 0 if read else 223344,
                "gtid": None,
                "file": "mysql-bin.000003",
                "pos": position,
                "row": 0,
            }
        lsn = f"00000027:{position or 0:08x}"
        if snapshot in ("false", False, None, ABSENT):
            return {
                "commit_lsn": f"{lsn}:0005",
                "change_lsn": f"{lsn}:0002",
                "event_serial_no": serial,
            }
        return {"commit_lsn": f"{lsn}:0005", "change_lsn": None, "event_serial_no": None}
