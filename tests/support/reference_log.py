"""Records of PostgreSQL and of compressed MySQL transactions, made for the reference fold."""

from __future__ import annotations

import json
from typing import Any

from reference import Config, KafkaRecord, fold

TOPIC = "p.public.t"
GONE = "__debezium_unavailable_value"
KEY_1 = '{"id":1}'
POSTGRESQL = Config("postgresql")
FULL = Config("postgresql", complete_before=True)
COMPRESSED = Config("mysql", complete_before=True, binlog_transaction_compression=True)


class Log:
    """Records one after another; timestamps rise unless given."""

    def __init__(self) -> None:
        self.records: list[KafkaRecord] = []

    def add(
        self,
        op: str | None,
        key: int | None,
        lsn: int | None = None,
        after: Any = None,
        *,
        before: Any = None,
        commit: int | None = 1,
        snapshot: str = "false",
        partition: int = 0,
        offset: int | None = None,
        at: int | None = None,
        headers: dict[str, str] | None = None,
        ms: int | None = None,
        tx: str | None = None,
    ) -> Log:
        """Add an event; without an `op`, a tombstone. `ms`: its time at the source."""
        number = len(self.records)
        value = None
        if op is not None:
            if op in ("c", "u", "r") and not isinstance(after, dict):
                after = {"id": key, "v": after}
            pair = [None if commit is None else str(commit), None if lsn is None else str(lsn)]
            value = json.dumps(
                {
                    "op": op,
                    "before": before,
                    "after": after,
                    "source": {
                        "lsn": None if snapshot == "incremental" else lsn,
                        "sequence": json.dumps(pair),
                        "snapshot": snapshot,
                        "ts_ms": ms,
                    },
                    "transaction": None if tx is None else {"id": tx},
                }
            )
        self.records.append(
            KafkaRecord(
                TOPIC,
                partition,
                number if offset is None else offset,
                1_000 + number if at is None else at,
                None if key is None else json.dumps({"id": key}),
                value,
                tuple((headers or {}).items()),
            )
        )
        return self

    def tombstone(self, key: int | None, **more: Any) -> Log:
        """Add a tombstone."""
        return self.add(None, key, **more)

    def fold(self, config: Config = POSTGRESQL) -> Any:
        """Return what the reference says of all records."""
        return fold(self.records, config)

    def values(self, config: Config = POSTGRESQL) -> dict[int, Any]:
        """Return `v` of the live rows by `id`."""
        return {row["id"]: row["v"] for row in self.fold(config).rows.values()}


def binlog(*changes: tuple[str | None, str, str, str]) -> list[KafkaRecord]:
    """Return changes of one row: (run, gtid, old value, new value), all at one position."""
    records = []
    for number, (run, gtid, before, after) in enumerate(changes):
        envelope = {
            "op": "u",
            "before": {"id": 1, "v": before},
            "after": {"id": 1, "v": after},
            "source": {"file": "b.000001", "pos": 9, "row": 0, "gtid": gtid},
            "ts_ms": number,
        }
        headers = (("__debezium.context.runId", run),) if run else ()
        records.append(KafkaRecord(TOPIC, 0, number, number, KEY_1, json.dumps(envelope), headers))
    return records
