"""What all simulated connectors share: envelopes, headers and text forms of the JSON converter."""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

from dev.simulator.connect_schema import field, fields, struct
from dev.simulator.database import Change
from dev.simulator.features import Features
from dev.simulator.table import Row, Table


@dataclass(frozen=True)
class Emission:
    """One envelope a change becomes: the row that gives the key, images, and its key-change link.

    `serial` is the ordinal among changes that share their position; `tombstone` tells that one
    follows.
    """

    op: str
    key_row: Row | None
    before: Row | None
    after: Row | None
    link: tuple[str, dict[str, Any]] | None = None
    serial: int = 1

    @property
    def tombstone(self) -> bool:
        """A delete is followed by a tombstone."""
        return self.op == "d"


class Connector(ABC):
    """A Debezium connector: how its source block looks and what each change becomes."""

    name: str
    grain = 1  # how many positions of the log share the first part of what the connector prints
    versions = ("2.1.4.Final", "3.6.3.Final")
    mixes_places = False  # some changes have positions, others have none
    names_database = False  # the transaction topic has it in front of its tables
    shares_positions = False  # several rows of one statement may have one

    def __init__(self, table: Table, topic: str, features: Features, rng: random.Random) -> None:
        """Set up the connector for one table."""
        self.table = table
        self.topic = topic
        self.prefix = topic.split(".")[0]
        self.features = features
        self.rng = rng
        self.run = 0
        self.sent = 0
        self.version = rng.choice(self.versions)
        self.run_salt = rng.getrandbits(48)

    def emissions(self, change: Change) -> list[Emission]:
        """Return the envelopes of a change, in the order they are sent; a key change is d and c."""
        if change.kind == "truncate":
            return [Emission("t", None, None, None)]
        before, after = self.images(change)
        if change.old is None:
            return [Emission("c", change.new, None, after)]
        if change.new is None:
            return [Emission("d", change.old, before, None)]
        if change.kind == "update":
            return [Emission("u", change.new, before, after)]
        new_key, old_key = self.table.key_of(change.new), self.table.key_of(change.old)
        assert new_key is not None and old_key is not None
        return [
            Emission("d", change.old, before, None, link=("newkey", new_key)),
            Emission("c", change.new, None, after, link=("oldkey", old_key)),
        ]

    def images(self, change: Change) -> tuple[Row | None, Row | None]:
        """Return the row images of a change as the connector sends them."""
        return change.old, change.new

    @abstractmethod
    def change_source(self, change: Change, emission: Emission, no_commit: bool) -> dict[str, Any]:
        """Return the position fields of a streamed change.

        `no_commit`: the connector does not know the last commit, as right after a snapshot.
        """

    @abstractmethod
    def read_source(self, marker: str, lsn: int, commit_lsn: int | None) -> dict[str, Any]:
        """Return the position fields of a snapshot row; `marker` is `source.snapshot`."""

    @abstractmethod
    def transaction_id(self, change: Change) -> str:
        """Return `transaction.id` of a change."""

    @abstractmethod
    def source_fields(self) -> list[dict[str, Any]]:
        """Return the Connect schema of the connector's own source fields."""

    def same_offset(self, one: Any, other: Any) -> bool:
        """Tell whether nothing resumes between two pieces of the stream, as they share a place."""
        return bool(one.lsn == other.lsn)

    def is_placed(self, change: Change) -> bool:
        """Tell whether a change has a position of its own among those of its row."""
        return True

    @property
    def _tells_runs(self) -> bool:
        return self.features.headers == "all"

    def tells_retry(self, change: Change | None, again: bool) -> bool:
        """Tell whether records show that a producer's repeat of an event is one.

        Args:
            change: None where the event is a read.
            again: the event was sent by an earlier run, too.
        """
        if self.table.key:
            # Without a position the second of a run is another change. Then nothing may follow
            # it that counts as a repeat: what an earlier run sent, or what has a position.
            if change is None or self.is_placed(change) or not self._tells_runs:
                return True
            return not (again or self.mixes_places)
        if change is None:
            return bool(self._fine_times)
        if change.kind == "truncate":
            return True
        return self.is_placed(change) and not self.shares_positions or not self._tells_runs

    def location(self) -> dict[str, Any]:
        """Return what the source block says of the table, besides its database."""
        return {"schema": self.table.schema, "table": self.table.name}

    @property
    def data_collection(self) -> str:
        """The table's name in the transaction topic."""
        name = f"{self.table.schema}.{self.table.name}"
        return f"{self.table.database}.{name}" if self.names_database else name

    def source_ms(self, wall_ms: int) -> int:
        """Return the time of a change at the source."""
        return wall_ms - 300

    @staticmethod
    @abstractmethod
    def start_lsn(rng: random.Random) -> tuple[int, int, int]:
        """Return (first position, most it grows by, first position after a restore)."""

    def value(
        self,
        emission: Emission,
        position: dict[str, Any],
        marker: str,
        now_ms: int,
        transaction: Any,
    ) -> dict[str, Any]:
        """Return an envelope."""
        wall_ms = now_ms - self.rng.randint(0, 40)
        self.sent += 1
        source: dict[str, Any] = {
            "version": self.version,
            "connector": self.name,
            "name": self.prefix,
            "ts_ms": self.source_ms(wall_ms),
            "snapshot": marker,
            "db": self.table.database,
            "sequence": None,
        }
        source |= self.location() | position
        envelope: dict[str, Any] = {
            "before": emission.before,
            "after": emission.after,
            "source": source,
            "transaction": transaction,
            "op": emission.op,
            "ts_ms": wall_ms,
        }
        if self._fine_times:
            source |= {"ts_us": source["ts_ms"] * 1000, "ts_ns": source["ts_ms"] * 1_000_000}
            # no two events are made within one microsecond
            wall_us = wall_ms * 1000 + self.sent % 1000
            envelope |= {"ts_us": wall_us, "ts_ns": wall_us * 1000 + 1}
        if self.features.quoted_numbers:
            _quote_numbers(source)
            envelope["ts_ms"] = str(envelope["ts_ms"])
            if marker in ("true", "false"):
                source["snapshot"] = marker == "true"
        return envelope

    @property
    def _fine_times(self) -> tuple[str, ...]:
        """Times finer than milliseconds, which came with 2.6."""
        return () if self.version.startswith("2.1.") else ("ts_us", "ts_ns")

    def headers(self, link: tuple[str, dict[str, Any]] | None) -> list[tuple[str, str]]:
        """Return a record's headers."""
        if self.features.headers == "none":
            return []
        headers = [] if link is None else [(f"__debezium.{link[0]}", compact(link[1]))]
        if self.features.headers == "all":
            headers += [
                ("__debezium.context.connectorLogicalName", self.prefix),
                ("__debezium.context.taskId", "0"),
                ("__debezium.context.connectorName", self.name),
                ("__debezium.context.runId", f"run-{self.run_salt:012x}-{self.run:04d}"),
            ]
        return headers

    def key_text(self, key: dict[str, Any] | None, with_schema: bool) -> str | None:
        """Return the record key's text."""
        if key is None:
            return None
        if not with_schema:
            return compact(key)
        return compact({"schema": self.table.key_schema(self.topic), "payload": key})

    def value_text(self, value: dict[str, Any], with_schema: bool) -> str:
        """Return the record value's text."""
        if not with_schema:
            return compact(value)
        schema = self.table.envelope_schema(
            self.topic, self.source_schema(), ("ts_ms", *self._fine_times)
        )
        return compact({"schema": schema, "payload": value})

    def source_schema(self) -> dict[str, Any]:
        """Return the Connect schema of the source block."""
        snapshot = {
            "type": "string",
            "optional": True,
            "name": "io.debezium.data.Enum",
            "version": 1,
            "parameters": {"allowed": "true,last,false,incremental"},
            "default": "false",
            "field": "snapshot",
        }
        common = [
            *fields({"version": "string", "connector": "string", "name": "string"}, False),
            field("ts_ms", "int64", False),
            snapshot,
            field("db", "string", False),
            field("sequence", "string"),
            *fields(dict.fromkeys(self._fine_times, "int64")),
            *fields(dict.fromkeys(self.location(), "string"), False),
        ]
        name = f"io.debezium.connector.{self.name}.Source"
        return struct([*common, *self.source_fields()], name, field="source")


def compact(value: Any) -> str:
    """Return JSON as the converter writes it: no spaces, members as given, letters unescaped."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _quote_numbers(source: dict[str, Any]) -> None:
    for name, value in source.items():
        if isinstance(value, int) and not isinstance(value, bool):
            source[name] = str(value)
