"""A database with several tables, whose connector reports transactions.

Transactions change rows of several tables, interleave in the log, and are committed in any order.
The connector crashes and repeats itself; what it sends lies in a topic per table, and in the
transaction topic.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from dev.simulator.broker import Broker, Said
from dev.simulator.columns import PLACEHOLDER
from dev.simulator.connector import Connector, Emission
from dev.simulator.database import Change, settle
from dev.simulator.features import Features
from dev.simulator.history import CONNECTORS
from dev.simulator.table import Row, Table
from dev.simulator.transaction_topic import TransactionTopic
from reference import Config, KafkaRecord

NAMES = ("accounts", "transfers", "notes")
KEYS = 5
KINDS = ("insert", "insert", "update", "update", "update", "delete", "move", "truncate")
CANNOT_TRUNCATE = ("sqlserver",)


@dataclass
class _Piece:
    """A change of the stream, with its table."""

    table: str
    change: Change


class SeveralTables:
    """One source in the making.

    Attributes:
        tables: by name.
        records: of each table, in the order Kafka took them.
        boundaries: records of the transaction topic.
        log: all records in the order in which they were sent.
    """

    def __init__(
        self,
        seed: int,
        connector: str,
        *,
        prefix: str = "bank",
        names: tuple[str, ...] = NAMES,
        partitions: int = 1,
        keeps_counters: bool = True,
        crashes: bool = True,
        **fixed: Any,
    ) -> None:
        """Create empty tables.

        Args:
            seed: decides everything else.
            connector: one of `CONNECTORS`.
            prefix: the topic prefix.
            names: of the tables.
            partitions: of the transaction topic.
            keeps_counters: see `TransactionTopic`.
            crashes: whether the connector crashes.
            fixed: switches of `Features`.
        """
        self.rng = random.Random(seed)
        self.name = connector
        self.prefix = prefix
        options: dict[str, Any] = {"key": "single", "transaction_metadata": True} | fixed
        self.features = Features(**options).for_connector(connector)
        make, make_table = CONNECTORS[connector]
        self.tables: dict[str, Table] = {
            name: make_table(self.features, name.upper() if connector == "oracle" else name)
            for name in names
        }
        self._connectors: dict[str, Connector] = {}
        self._brokers: dict[str, Broker] = {}
        for number, (name, table) in enumerate(self.tables.items()):
            own = random.Random(seed * 100 + number)
            topic = f"{prefix}.{table.schema}.{table.name}"
            self._connectors[name] = make(table, topic, self.features, own)
            self._brokers[name] = Broker(topic, own.randint(1, 2), own, gaps=False)
        first = self._connectors[names[0]]
        for each in self._connectors.values():
            # one connector: what was drawn for the first table holds for all
            own = {name: getattr(each, name) for name in ("table", "topic", "rng")}
            vars(each).update(vars(first) | own)
        self._topic = TransactionTopic(
            connector, prefix, partitions=partitions, seed=seed, keeps_counters=keeps_counters
        )
        self._lsn, self._step, _ = first.start_lsn(self.rng)
        self._grain = first.grain
        self._crashes = crashes
        self._rows: dict[str, dict[int, Row]] = {name: {} for name in names}
        self._transactions = 500
        self._last_commit: int | None = None
        self._stream: list[_Piece] = []
        self._cursor = 0
        self._now_ms = 1_780_000_000_000
        self.log: list[KafkaRecord] = []

    @property
    def records(self) -> dict[str, list[KafkaRecord]]:
        """The records of each table, by its name in the configuration."""
        return {self.table_name(name): broker.records for name, broker in self._brokers.items()}

    @property
    def boundaries(self) -> list[KafkaRecord]:
        """The records of the transaction topic."""
        return self._topic.broker.records

    @property
    def transaction_topic(self) -> str:
        """The name of the transaction topic."""
        return self._topic.broker.topic

    def topic(self, name: str) -> str:
        """Return the topic of a table."""
        return self._brokers[name].topic

    def collection(self, name: str) -> str:
        """Return the data collection of a table, as boundaries name it."""
        return self._connectors[name].data_collection

    def table_name(self, name: str) -> str:
        """Return the name of a table in the configuration."""
        table = self.tables[name]
        return f"{table.schema}.{table.name}"

    def origin(self, name: str) -> dict[str, str]:
        """Return the members of source blocks that identify a table."""
        names = {"name": self.prefix, "db": self.tables[name].database}
        return names | self._connectors[name].location()

    def configs(self) -> dict[str, Config]:
        """Return the configuration of each table."""
        return {
            self.table_name(name): Config(
                self.name,
                PLACEHOLDER,
                complete_before=table.full,
                key=table.key,
                columns={column.name: column.declared() for column in table.columns},
            )
            for name, table in self.tables.items()
        }

    # The database and its connector.

    def run(self, steps: int, *, ends: bool = False) -> None:
        """Work for so many steps; with `ends`, the last transaction is reported as ended."""
        for _ in range(steps):
            self._work()
            self.send(self.rng.randint(0, 8))
            if self._crashes and self.rng.random() < 0.15:
                self._crash()
            if self.name in ("mysql", "mariadb") and self.rng.random() < 0.1:
                self._statement_without_events()
        self.send()
        if ends:
            self._topic.end(self._now_ms)
            self._take(self._topic.broker)

    def send(self, pieces: int | None = None) -> None:
        """Send the next changes of the stream, all of them by default."""
        last = len(self._stream)
        end = last if pieces is None else min(last, self._cursor + pieces)
        while self._cursor < end:
            self._send_piece(self._stream[self._cursor])
            self._cursor += 1

    def _work(self) -> None:
        """Let some transactions change rows at the same time, and commit them in any order."""
        free = [(name, key) for name in self.tables for key in range(1, KEYS + 1)]
        self.rng.shuffle(free)
        opened: list[tuple[int, list[_Piece]]] = []
        for _ in range(self.rng.randint(1, 3)):
            self._transactions += 1
            opened.append((self._transactions, []))
        alone = len(opened) == 1
        for _ in range(self.rng.randint(1, 6)):
            if free:
                self._change(self.rng.choice(opened)[1], free, alone)
        self.rng.shuffle(opened)
        for number, pieces in opened:
            if pieces:
                self._commit(number, pieces)

    def _change(self, pieces: list[_Piece], free: list[tuple[str, int]], alone: bool) -> None:
        """Change a row whose key is free, and remember the change."""
        name, key = free.pop()
        rows, table = self._rows[name], self.tables[name]
        kind = self.rng.choice(KINDS)
        if kind == "truncate":
            if not alone or self.name in CANNOT_TRUNCATE:
                kind = "update"
            else:
                free[:] = [place for place in free if place[0] != name]
                rows.clear()
                pieces.append(_Piece(name, Change("truncate", self._advance(True), None, None)))
                return
        old = rows.get(key)
        if old is None or kind == "insert":
            if old is not None:
                return
            new = table.random_row({"id": key}, self.rng)
            change = Change("insert", self._advance(), None, new)
            rows[key] = new
        elif kind == "delete":
            change = Change("delete", self._advance(), rows.pop(key), None)
        elif kind == "move":
            vacant = [place for place in free if place[0] == name and place[1] not in rows]
            if not vacant:
                return
            free.remove(vacant[0])
            new = old | {"id": vacant[0][1]}
            del rows[key]
            rows[vacant[0][1]] = new
            change = Change("move", self._advance(), old, new)
        else:
            new = table.random_row({"id": key}, self.rng)
            rows[key] = new
            change = Change("update", self._advance(), old, new)
        pieces.append(_Piece(name, change))

    def _commit(self, number: int, pieces: list[_Piece]) -> None:
        commit_lsn = self._advance(True)
        settle([piece.change for piece in pieces], number, commit_lsn, self._last_commit)
        self._stream += pieces
        self._last_commit = commit_lsn

    def _advance(self, commits: bool = False) -> int:
        self._lsn += self.rng.randint(1, self._step)
        if commits:
            self._lsn = -(-self._lsn // self._grain) * self._grain
        return self._lsn

    def _statement_without_events(self) -> None:
        if self._cursor == len(self._stream):
            self._transactions += 1
            connector = next(iter(self._connectors.values()))
            change = Change("truncate", 0, None, None, transaction=self._transactions)
            change.commit_lsn = self._advance(True)
            self._topic.begin_without_end(connector.transaction_id(change), self._now_ms)
            self._take(self._topic.broker)

    def _send_piece(self, piece: _Piece) -> None:
        connector, change = self._connectors[piece.table], piece.change
        no_commit = change.previous_commit_lsn is None
        for emission in connector.emissions(change):
            block = self._topic.event(
                change.transaction,
                connector.transaction_id(change),
                self.collection(piece.table),
                self._now_ms,
            )
            self._take(self._topic.broker)
            position = connector.change_source(change, emission, no_commit)
            self._send(piece.table, emission, position, block)
        if change.is_last:
            self._topic.committed(self._now_ms, self._id_of_commit(connector, change))
            self._take(self._topic.broker)

    def _id_of_commit(self, connector: Connector, change: Change) -> str:
        if self.name == "postgresql":
            return f"{change.transaction}:{change.commit_lsn}"
        return connector.transaction_id(change)

    def _send(
        self, name: str, emission: Emission, position: dict[str, Any], block: dict[str, Any]
    ) -> None:
        connector, broker = self._connectors[name], self._brokers[name]
        self._now_ms += self.rng.choice([0, 1, 7])
        broker.now_ms = max(broker.now_ms, self._now_ms)
        key = None if emission.key_row is None else connector.table.key_of(emission.key_row)
        key_text = connector.key_text(key, False)
        value = connector.value(emission, position, "false", broker.now_ms, block)
        headers = connector.headers(emission.link)
        broker.append(key_text, connector.value_text(value, False), headers, Said("nothing"))
        if emission.tombstone:
            broker.append(key_text, None, headers, Said("nothing"))
        self._now_ms = broker.now_ms
        self._take(broker)

    def _take(self, broker: Broker) -> None:
        """Put what a broker took since into the log of all."""
        known = sum(record.topic == broker.topic for record in self.log)
        self.log += broker.records[known:]

    def _crash(self) -> None:
        """Die, and resume some changes earlier."""
        self._cursor = max(0, self._cursor - self.rng.randint(0, 6))
        while self._cursor > 0 and self._shares_offset(self._cursor):
            self._cursor -= 1
        before = self._stream[: self._cursor]
        self._topic.resume([(self._connectors[one.table], one.change) for one in before])
        for connector in self._connectors.values():
            connector.run += 1
        self._now_ms += 60_000

    def _shares_offset(self, cursor: int) -> bool:
        if cursor >= len(self._stream):
            return False
        before, here = self._stream[cursor - 1], self._stream[cursor]
        connector = self._connectors[here.table]
        return connector.same_offset(before.change, here.change)
