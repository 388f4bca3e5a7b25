"""Transfers between the accounts of two tables, in PostgreSQL and in MariaDB.

A transaction takes from one table and gives to the other: what both hold together never changes. A
large one is cut in halves: Kafka Connect is killed amid it.
"""

from __future__ import annotations

import random
import threading
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from dev.live import connectors
from dev.live.platform import Platform
from dev.recorder.events import payload
from dev.servers import ServerError, mariadb

POSTGRES, MARIADB = "pgbank", "mybank"
"""Sources, and topic prefixes."""

SCHEMAS = {POSTGRES: "public", MARIADB: mariadb.DATABASE}
TABLES = ("checking", "savings")
ACCOUNTS = 3000
BALANCE = 10_000
TOTAL = 2 * ACCOUNTS * BALANCE
"""What all accounts of a database hold together."""

SMALL = 5
"""Accounts of each table that a usual transfer changes."""

HALVES_TRIED = 6


class Bank:
    """Both databases, their connectors, and what happens in them."""

    def __init__(self, platform: Platform, seed: int) -> None:
        """Make the tables; the connectors are not there yet."""
        self._platform = platform
        self._rng = random.Random(seed)
        self._transfers = dict.fromkeys((POSTGRES, MARIADB), 0)
        self._sizes: dict[tuple[str, int], int] = {}
        self._seen = _Seen()
        self._connections: dict[str, Any] = {
            POSTGRES: platform.postgres.connect(),
            MARIADB: platform.mariadb.connect(),
        }
        for name in self._connections:
            for table in TABLES:
                self._run(
                    name,
                    f"create table {table} (id int primary key, balance bigint not null,"
                    " transfer int not null)",
                )
                rows = ", ".join(f"({number}, {BALANCE}, 0)" for number in range(ACCOUNTS))
                self._run(name, f"insert into {table} values {rows}")

    def close(self) -> None:
        """Close the connections to the databases."""
        for connection in self._connections.values():
            connection.close()

    def register(self) -> None:
        """Create the connectors, and wait until they follow the log."""
        worker = self._platform.worker
        platform = self._platform
        options = {
            POSTGRES: connectors.shop(platform.postgres, POSTGRES),
            MARIADB: connectors.web(platform.mariadb, platform.broker.address, MARIADB),
        }
        for name, configuration in options.items():
            kept = {n: v for n, v in configuration.items() if not n.startswith(connectors.SIGNALS)}
            worker.register(name, kept)
        for name in (POSTGRES, MARIADB):
            worker.wait_running(name)
            # what is written behind the snapshot is streamed
            self._platform.tail.wait_for(
                lambda record, name=name: (
                    record["topic"].startswith(f"{name}.{SCHEMAS[name]}.")
                    and payload(record["value"])["source"]["snapshot"] == "last"
                ),
                f"the end of the snapshot of `{name}`",
                meanwhile=worker.check,
            )

    def transfer(self, name: str, accounts: int = SMALL) -> int:
        """Move money in one transaction; return its number."""
        self._transfers[name] += 1
        number = self._transfers[name]
        self._sizes[name, number] = 2 * accounts
        taken = self._rng.sample(range(ACCOUNTS), accounts)
        given = self._rng.sample(range(ACCOUNTS), accounts)
        source, target = self._rng.sample(TABLES, 2)
        amount = self._rng.randint(1, 50)
        self._run(name, "begin")
        for table, ids, change in ((source, taken, -amount), (target, given, amount)):
            listed = ", ".join(map(str, ids))
            self._run(
                name,
                f"update {table} set balance = balance + ({change}), transfer = {number}"
                f" where id in ({listed})",
            )
        self._run(name, "commit")
        return number

    def traffic(self, transfers: int) -> None:
        """Transfer in both databases, and wait until all of it is on the broker."""
        for _ in range(transfers):
            for name in (POSTGRES, MARIADB):
                self.transfer(name)
        for name in (POSTGRES, MARIADB):
            self.wait_for(name, self.transfer(name))

    def wait_for(self, name: str, number: int) -> None:
        """Wait until the broker has all of a transfer, and the END of every transaction."""

        def is_whole() -> bool:
            seen = self._look()
            wanted = self._sizes[name, number]
            return len(seen.changed[name, number]) == wanted and seen.begun == seen.ended

        self._platform.tail.wait_for(
            lambda record: is_whole(),
            f"transfer {number} of `{name}`",
            meanwhile=self._platform.worker.check,
        )

    def leave_half(self, name: str) -> None:
        """Kill the worker when it has sent a part of a large transfer.

        Raises:
            ServerError: it had sent all or nothing, again and again.
        """
        tail, worker = self._platform.tail, self._platform.worker
        for _ in range(HALVES_TRIED):
            number = self._transfers[name] + 1
            writer = threading.Thread(target=self.transfer, args=(name, ACCOUNTS))
            writer.start()
            try:
                tail.wait_for(
                    lambda record, number=number: bool(self._look().changed[name, number]),
                    f"the begin of transfer {number} of `{name}`",
                    meanwhile=worker.check,
                )
                worker.kill()
            finally:
                writer.join()
            tail.catch_up()
            if len(self._look().changed[name, number]) < self._sizes[name, number]:
                return
            self.go_on()
        raise ServerError(f"live: no large transfer of `{name}` was cut in {HALVES_TRIED} tries.")

    def go_on(self) -> None:
        """Start the worker again; what was cut comes whole."""
        self._platform.worker.start()
        self.traffic(1)

    def _look(self) -> _Seen:
        """Take note of what the broker got since the last look."""
        records = self._platform.tail.records
        for record in records[self._seen.records :]:
            self._seen.note(record)
        self._seen.records = len(records)
        return self._seen

    def _run(self, name: str, statement: str) -> None:
        connection = self._connections[name]
        if name == POSTGRES:
            connection.run(statement)
            return
        with connection.cursor() as cursor:
            cursor.execute(statement)


@dataclass
class _Seen:
    """What the broker got: changed accounts by source and transfer; transactions."""

    records: int = 0
    changed: dict[tuple[str, int], set[tuple[str, str]]] = field(
        default_factory=lambda: defaultdict(set)
    )
    begun: set[tuple[str, str]] = field(default_factory=set)
    ended: set[tuple[str, str]] = field(default_factory=set)

    def note(self, record: dict[str, Any]) -> None:
        """Take note of a record."""
        name, _, rest = record["topic"].partition(".")
        if name not in SCHEMAS or record["value"] is None:
            return
        value = payload(record["value"])
        if rest == "transaction":
            # PostgreSQL's id has the place of each record behind it
            number = (name, value["id"].split(":")[0] if name == POSTGRES else value["id"])
            self.begun.add(number)
            if value["status"] == "END":
                self.ended.add(number)
        elif rest.split(".")[-1] in TABLES and value["op"] == "u":
            self.changed[name, int(value["after"]["transfer"])].add(
                (record["topic"], record["key"])
            )
