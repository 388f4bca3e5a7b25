"""What the simulated demos share: tables, transactions, and a connector that sends them."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from dev.simulator import schema_topic
from dev.simulator.broker import Broker, Said
from dev.simulator.connector import Connector, Emission, compact
from dev.simulator.database import Change, settle
from dev.simulator.features import Features
from dev.simulator.sql_types import Family, SqlType, declared
from dev.simulator.table import Row, Table
from dev.simulator.transaction_topic import TransactionTopic
from reference import KafkaRecord

# name -> (key, {column: (declaration, values)})
Tables = Mapping[str, tuple[tuple[str, ...], Mapping[str, tuple[str, Any]]]]


@dataclass
class _Piece:
    """A committed change of a table."""

    table: str
    change: Change


class DemoSource(ABC):
    """A database, its connector and its topics. What a connector does otherwise, its demo says."""

    prefix: str
    database: str
    schema: str
    family: Family
    tables: Tables
    start = datetime(2026, 3, 2, 8, 0, 0)
    first_lsn: int
    steps: tuple[int, ...]
    features = Features(headers="links")

    def __init__(self, seed: int, *, transactions: bool = False) -> None:
        """Create empty tables and topics.

        Args:
            seed: decides everything else.
            transactions: the connector reports transactions, in a topic of their own, too.
        """
        self.seed = seed
        self.records: list[KafkaRecord] = []
        self.rng = random.Random(self.seed)
        self.rows: dict[str, dict[tuple[Any, ...], Row]] = {name: {} for name in self.tables}
        self.columns: dict[str, dict[str, tuple[SqlType, bool]]] = {
            table: {name: declared(self.family, text) for name, (text, _) in columns.items()}
            for table, (_, columns) in self.tables.items()
        }
        self.now = self.start
        self._lsn = self.first_lsn
        self._last_commit: int | None = None
        self._transaction = 700
        self._changes: list[tuple[str, Change]] = []
        self._pieces: list[_Piece] = []
        self._cursor = 0
        self._now_ms = 1_772_438_400_000
        self._brokers: dict[str, Broker] = {}
        self._connectors = {name: self._connector(name) for name in self.tables}
        self._run = 0
        connector = next(iter(self._connectors.values()))
        self._boundaries = (
            TransactionTopic(connector.name, self.prefix, with_schema=True)
            if transactions
            else None
        )

    # What the shop's users do.

    def insert(self, table: str, row: Row) -> None:
        """Insert a row."""
        self.rows[table][self._key(table, row)] = row
        self._log(table, "insert", None, row)

    def update(self, table: str, key: tuple[Any, ...], /, **changes: Any) -> None:
        """Update a row; a changed key moves it."""
        old = self.rows[table].pop(key)
        new = old | changes
        self.rows[table][self._key(table, new)] = new
        self._log(table, "update" if self._key(table, new) == key else "move", old, new)

    def delete(self, table: str, key: tuple[Any, ...]) -> None:
        """Delete a row."""
        self._log(table, "delete", self.rows[table].pop(key), None)

    def truncate(self, table: str) -> None:
        """Truncate a table."""
        self.rows[table] = {}
        self._log(table, "truncate", None, None)

    def commit(self) -> None:
        """Commit what was done since the last commit."""
        commit_lsn = self._next_commit()
        self._transaction += 1
        changes = [change for _, change in self._changes]
        settle(changes, self._transaction, commit_lsn, self._last_commit)
        self._pieces += [_Piece(table, change) for table, change in self._changes]
        self._changes = []
        self._last_commit = commit_lsn
        self.now += timedelta(
            seconds=self.rng.randint(20, 900), milliseconds=self.rng.randint(0, 999)
        )

    def add_column(self, table: str, name: str, declaration: str) -> None:
        """Add a nullable column, of which the connector hears."""
        self.columns[table][name] = declared(self.family, declaration)
        for row in self.rows[table].values():
            row[name] = None
        commit_lsn = self._next_commit()
        self.send()
        self._connectors[table] = self._connector(table)
        self._send_definition(table, "ALTER", commit_lsn)

    # What the connector does.

    def snapshot(self) -> None:
        """Read everything: first the definitions, then the rows."""
        commit_lsn = self._next_commit()
        for table in self.tables:
            self._send_definition(table, "CREATE", commit_lsn, snapshot=True)
        reads = [(table, row) for table in self.tables for row in self.rows[table].values()]
        tables = [table for table, _ in reads]
        for number, (table, row) in enumerate(reads):
            marker = _marker(tables, number)
            position = self._connectors[table].read_source(marker, commit_lsn, commit_lsn)
            encoded = self._encode(table, row)
            self._send(table, Emission("r", encoded, None, encoded), position, marker)
        self._pieces = []
        self._cursor = 0

    def read_chunk(self, table: str) -> None:
        """Take an incremental snapshot of a table in one chunk."""
        self.send()
        lsn = self._next_lsn()
        for row in self.rows[table].values():
            encoded = self._encode(table, row)
            position = self._connectors[table].read_source("incremental", lsn, None)
            self._send(table, Emission("r", encoded, None, encoded), position, "incremental")
        self._next_lsn()

    def send(self) -> None:
        """Send every committed change."""
        while self._cursor < len(self._pieces):
            piece = self._pieces[self._cursor]
            self._send_change(piece.table, piece.change)
            self._cursor += 1

    def crash(self, back: int) -> None:
        """Die and resume so many changes before the last one sent."""
        self._cursor = max(0, self._cursor - back)
        self._resume_transactions()
        self._run += 1
        self._now_ms += 61_000

    # The truth.

    def encoded_rows(self, table: str) -> list[Row]:
        """Return a table's rows as their newest events hold them."""
        return [self._encode(table, row) for row in self.rows[table].values()]

    def truth(self) -> dict[str, list[Row]]:
        """Return the rows by table in plain text forms, by key."""
        return {
            table: [self._plain(table, row) for _, row in sorted(rows.items())]
            for table, rows in self.rows.items()
        }

    def described(self) -> dict[str, Any]:
        """Return key and column types by table."""
        return {
            table: {
                "key": list(self.tables[table][0]),
                "columns": [
                    {
                        "name": name,
                        "type": kind.name.removesuffix(" identity").lower(),
                        "length": kind.length,
                        "scale": kind.scale,
                        "nullable": nullable,
                    }
                    for name, (kind, nullable) in columns.items()
                ],
            }
            for table, columns in self.columns.items()
        }

    def _plain(self, table: str, row: Row) -> Row:
        return {
            name: None if row[name] is None else kind.plain(row[name])
            for name, (kind, _) in self.columns[table].items()
        }

    # Details.

    def _next_lsn(self) -> int:
        self._lsn += self.rng.choice(self.steps)
        return self._lsn

    def _next_commit(self) -> int:
        return self._next_lsn()

    @abstractmethod
    def _make(self, table: Table, topic: str) -> Connector:
        """Return the connector of a table."""

    @abstractmethod
    def _topic(self, table: str) -> str:
        """Return the topic of a table."""

    @abstractmethod
    def _definition(
        self, table: str, kind: str, commit_lsn: int, snapshot: bool
    ) -> tuple[dict[str, Any], str | None]:
        """Return position and DDL of a definition on the schema-change topic."""

    def _place(self, table: str) -> tuple[str, str]:
        """Return schema and name of a table."""
        return self.schema, table

    def _with_schema(self, table: str) -> bool:
        """Tell whether the records of a table have their schema."""
        return True

    def _key(self, table: str, row: Row) -> tuple[Any, ...]:
        return tuple(row[name] for name in self.tables[table][0])

    def _log(self, table: str, kind: str, old: Row | None, new: Row | None) -> None:
        before, after = (None if row is None else self._encode(table, row) for row in (old, new))
        self._changes.append((table, Change(kind, self._next_lsn(), before, after)))

    def _encode(self, table: str, row: Row) -> Row:
        return {
            name: None if row[name] is None else kind.encode(row[name])
            for name, (kind, _) in self.columns[table].items()
        }

    def _connector(self, name: str) -> Connector:
        columns = tuple(
            kind.column(column, optional) for column, (kind, optional) in self.columns[name].items()
        )
        schema, own = self._place(name)
        table = Table(own, columns, self.tables[name][0], self.database, schema, full=True)
        connector = self._make(table, self._topic(name))
        connector.run_salt = self.seed
        return connector

    def _send_change(self, table: str, change: Change) -> None:
        connector = self._connectors[table]
        for emission in connector.emissions(change):
            position = connector.change_source(change, emission, False)
            block = None
            if self._boundaries:
                own_id = connector.transaction_id(change)
                block = self._boundaries.event(
                    change.transaction, own_id, connector.data_collection, self._now_ms
                )
                self._take_boundaries()
            self._send(table, emission, position, "false", block)
        if self._boundaries and change.is_last:
            self._boundaries.committed(self._now_ms)
            self._take_boundaries()

    def _take_boundaries(self) -> None:
        """Put what the transaction topic took since among the records."""
        if self._boundaries:
            records = self._boundaries.broker.records
            known = sum(record.topic == self._boundaries.broker.topic for record in self.records)
            self.records += records[known:]

    def _resume_transactions(self) -> None:
        """Let the transaction topic go on behind the last change before the cursor."""
        if self._boundaries:
            before = self._pieces[: self._cursor]
            self._boundaries.resume([(self._connectors[one.table], one.change) for one in before])

    def _send(
        self,
        table: str,
        emission: Emission,
        position: dict[str, Any],
        marker: str,
        block: dict[str, Any] | None = None,
    ) -> None:
        connector = self._connectors[table]
        connector.run = self._run
        key = None
        if emission.key_row is not None:
            key_row = connector.table.key_of(emission.key_row)
            key = connector.key_text(key_row, self._with_schema(table))
        value = connector.value(emission, position, marker, self._now_ms, block)
        self._append(
            self._topic(table),
            key,
            connector.value_text(value, self._with_schema(table)),
            connector.headers(emission.link),
        )
        if emission.tombstone and key is not None:
            self._append(self._topic(table), key, None, connector.headers(emission.link))

    def _send_definition(
        self, table: str, kind: str, commit_lsn: int, snapshot: bool = False
    ) -> None:
        connector = self._connectors[table]
        columns = [
            schema_topic.column(name, n, t.name, t.jdbc, t.length, t.scale, optional, t.labels)
            for n, (name, (t, optional)) in enumerate(self.columns[table].items(), start=1)
        ]
        position, ddl = self._definition(table, kind, commit_lsn, snapshot)
        envelope = connector.value(
            Emission("r", None, None, None),
            position,
            "true" if snapshot else "false",
            self._now_ms,
            None,
        )
        schema, name = self._place(table)
        change = schema_topic.table_change(
            kind, self.database, name, list(self.tables[table][0]), columns, schema
        )
        with_schema = self._with_schema(table)
        self._send_schema_change(connector, self.database, envelope, ddl, [change], with_schema)

    def _send_schema_change(
        self,
        connector: Connector,
        database: str,
        envelope: dict[str, Any],
        ddl: str | None,
        changes: list[dict[str, Any]],
        with_schema: bool = True,
    ) -> None:
        key: dict[str, Any] = {"databaseName": database}
        value = {
            "source": envelope["source"],
            "ts_ms": envelope["ts_ms"],
            "databaseName": database,
            "schemaName": connector.table.schema or None,
            "ddl": ddl,
            "tableChanges": changes,
        }
        # no converter mixes them; a team that changed its settings in between has both
        if with_schema:
            key = {"schema": schema_topic.key_schema(connector.name), "payload": key}
            schema = schema_topic.value_schema(connector.source_schema(), connector.name)
            value = {"schema": schema, "payload": value}
        self._append(self.prefix, compact(key), compact(value), [], partitions=1)

    def _append(
        self,
        topic: str,
        key: str | None,
        value: str | None,
        headers: list[tuple[str, str]],
        partitions: int = 2,
    ) -> None:
        if topic not in self._brokers:
            self._brokers[topic] = Broker(topic, partitions, self.rng, gaps=False)
        broker = self._brokers[topic]
        self._now_ms += 3
        broker.now_ms = self._now_ms
        broker.append(key, value, headers, Said("nothing"))
        self._now_ms = broker.now_ms
        self.records.append(broker.records[-1])


def _marker(tables: list[str], number: int) -> str:
    """Return `source.snapshot` of a read; `tables` are those of all reads of the snapshot."""
    boundaries = {
        "last": number == len(tables) - 1,
        "first": number == 0,
        "last_in_data_collection": tables[number] != tables[min(number + 1, len(tables) - 1)],
        "first_in_data_collection": tables[number] != tables[max(number - 1, 0)],
    }
    return next((marker for marker, holds in boundaries.items() if holds), "true")
