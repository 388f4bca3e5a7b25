"""The rows of a PostgreSQL table day by day, and the records of their changes."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dev.benchmarks.records import PREFIX, topic_of

COLUMNS = [
    {"name": "id", "type": "int32", "optional": False},
    {"name": "name", "type": "string"},
    {"name": "note", "type": "string"},
    {"name": "amount", "type": "int64"},
]
PLACEHOLDER = "__debezium_unavailable_value"
# long ago, as a retention ends nothing that is in the future
BEGIN_MS, DAY_MS = 1_700_000_000_000, 86_400_000


@dataclass
class Life:
    """The rows of a table as its source has them, and the records of their changes.

    Of the changes of keys that have a row, one in a hundred deletes it, and one in ten does not
    bring the note; a key without a row gets one.
    """

    table: str
    keys: int
    rows: dict[int, dict[str, Any]] = field(default_factory=dict)
    offset: int = 0
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        """Choose at random, each table in a way of its own that is always the same."""
        self.chance = random.Random(self.table)

    def records(self, day: int, count: int) -> Iterator[dict[str, Any]]:
        """Change `count` rows, and return the records of it; a deleted row has two."""
        for number in range(count):
            at_ms = BEGIN_MS + day * DAY_MS + number * (DAY_MS // count)
            key = self.chance.randrange(self.keys)
            op, row = self._change(key)
            yield self._record(at_ms, key, _value(self.table, op, row, self.offset, at_ms))
            if op == "d":
                yield self._record(at_ms, key, None)

    def _change(self, key: int) -> tuple[str, dict[str, Any] | None]:
        if key in self.rows and self.chance.random() < 0.01:
            del self.rows[key]
            return "d", None
        new = {
            "id": key,
            "name": f"Name {self.offset}",
            "note": f"{'lorem ipsum ' * 4}{self.offset}",
            "amount": self.offset * 37,
        }
        op, told = "u" if key in self.rows else "c", dict(new)
        if op == "u" and self.chance.random() < 0.1:
            new["note"], told["note"] = self.rows[key]["note"], PLACEHOLDER
        self.rows[key] = new
        return op, told

    def _record(self, at_ms: int, key: int, value: str | None) -> dict[str, Any]:
        self.offset += 1
        return {
            "topic": topic_of(self.table),
            "partition": 0,
            "offset": self.offset,
            "timestamp": at_ms,
            "key": json.dumps({"id": key}),
            "value": value,
        }


def _value(table: str, op: str, row: dict[str, Any] | None, number: int, at_ms: int) -> str:
    lsn = 100_000_000 + number * 100
    source = {
        "version": "3.6.3.Final",
        "connector": "postgresql",
        "name": PREFIX,
        "ts_ms": at_ms,
        "snapshot": "false",
        "db": "shop",
        "sequence": json.dumps([str(lsn - 50), str(lsn)]),
        "schema": "public",
        "table": table,
        "txId": number,
        "lsn": lsn,
    }
    return json.dumps({"before": None, "after": row, "source": source, "op": op, "ts_ms": at_ms})
