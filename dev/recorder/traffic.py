"""What the workloads of real databases share: sessions, random transactions, statements.

Traffic is random transactions of two sessions whose statements alternate. They never touch the same
row, so that one thread can drive both without waiting for its own locks. Statements have parameters
as `:name`, and depend on the seed alone.
"""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Statement = tuple[str, dict[str, Any]]

FIRST_TRAFFIC_ID = 101


@dataclass
class Session:
    """One connection of the traffic, a name, and by table the keys that are its own, and were."""

    connection: Any
    name: str
    keys: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))
    gone: dict[str, list[Any]] = field(default_factory=lambda: defaultdict(list))


Kind = Callable[[Session], list[Statement]]
"""Something that a session does in a transaction: an insert, a change of a row."""


class Traffic(ABC):
    """The traffic and the means of scenes, on connections of their own.

    Attributes:
        begin: the statement that begins a transaction.
        casts: types that parameters are cast to, by column or by table and column.
        signal_table: of Debezium.
        marker_table: whose rows say that everything committed before them was delivered.
        snapshot_again: tables that incremental snapshots read.
    """

    begin = "begin"
    casts: Mapping[str, str] = {}
    signal_table: str
    marker_table: str
    snapshot_again: Sequence[str]

    def __init__(
        self, connect: Callable[[], Any], seed: str, names: Sequence[str], *, truncates: bool
    ) -> None:
        """Open the connections.

        Args:
            connect: returns a new autocommit connection.
            seed: decides the statements.
            names: of the two sessions.
            truncates: tables are emptied by TRUNCATE, else by DELETE.
        """
        self._truncates = truncates
        self._random = random.Random(seed)
        self._next_id = FIRST_TRAFFIC_ID
        self._connections = [connect() for _ in range(4)]
        self._main, *others, self._long = self._connections
        self._sessions = [Session(*one) for one in zip(others, names, strict=True)]

    def close(self) -> None:
        """Close the connections; open transactions are rolled back by the server."""
        for connection in self._connections:
            connection.close()

    def traffic(self, transactions: int) -> None:
        """Run random transactions of both sessions, their statements interleaved.

        Args:
            transactions: number per session.
        """
        pending = [
            (session, [s for _ in range(transactions) for s in self._random_transaction(session)])
            for session in self._sessions
        ]
        while pending:
            entry = self._random.choice(pending)
            session, statements = entry
            self._execute(session.connection, *statements.pop(0))
            if not statements:
                pending.remove(entry)

    def commit_long_transaction(self) -> None:
        """Commit what was begun to span something."""
        self._execute(self._long, "commit", {})

    def request_incremental_snapshot(self, signal_id: str) -> None:
        """Ask for an incremental snapshot through the signal table."""
        asked = json.dumps({"data-collections": list(self.snapshot_again), "type": "incremental"})
        self._run(
            f"insert into {self.signal_table} values (:id, 'execute-snapshot', :data)",
            id=signal_id,
            data=asked,
        )

    def mark(self, number: int, note: str) -> None:
        """Write the row that says: everything before me was committed before me."""
        self._run(f"insert into {self.marker_table} values (:id, :note)", id=number, note=note)

    # -- What a database does in its own way --------------------------------------------------

    @abstractmethod
    def save_truth(self, folder: Path) -> dict[str, int]:
        """Write what the tables hold now into a new folder; return their rows."""

    @abstractmethod
    def _execute(self, connection: Any, sql: str, parameters: dict[str, Any]) -> None:
        """Run a statement."""

    @abstractmethod
    def _kinds(self) -> list[Kind]:
        """Return what a transaction of the traffic is made of."""

    @abstractmethod
    def _new(self, session: Session, table: str, key: Any | None = None) -> list[Statement]:
        """Return the statements that insert a row of a table, with this key or a fresh one."""

    def _fresh_id(self) -> int:
        self._next_id += 1
        return self._next_id

    # -- Traffic -------------------------------------------------------------------------------

    def _random_transaction(self, session: Session) -> list[Statement]:
        kinds = self._kinds()
        chosen = [self._random.choice(kinds) for _ in range(self._random.randint(1, 3))]
        statements = [statement for kind in chosen for statement in kind(session)]
        return [(self.begin, {}), *statements, ("commit", {})]

    def _insert_new(self, table: str) -> Kind:
        return lambda session: self._new(session, table)

    def _change(
        self, table: str, statement: Callable[[Any], Statement], *, takes: bool = False
    ) -> Kind:
        """Change a row of the session, or insert one where it has none; or take its key away."""

        def change(session: Session) -> list[Statement]:
            keys = session.keys[table]
            if not keys:
                return self._new(session, table)
            return [statement(self._draw(keys, takes))]

        return change

    def _move(self, table: str) -> Kind:
        def move(session: Session) -> list[Statement]:
            keys = session.keys[table]
            if not keys:
                return self._new(session, table)
            old, new = self._draw(keys, True), self._fresh_id()
            keys.append(new)
            session.gone[table].append(old)
            sql = f"update {table} set id = :new where id = :old"
            return [(sql, {"old": old, "new": new})]

        return move

    def _delete(self, table: str) -> Kind:
        def delete(session: Session) -> list[Statement]:
            if not session.keys[table]:
                return self._new(session, table)
            key = self._draw(session.keys[table], True)
            session.gone[table].append(key)
            return [(f"delete from {table} where id = {self._place(table, 'id')}", {"id": key})]

        return delete

    def _revive(self, table: str, otherwise: Kind) -> Kind:
        """Insert a row with a key that is gone."""

        def revive(session: Session) -> list[Statement]:
            if not session.gone[table]:
                return otherwise(session)
            return self._new(session, table, self._draw(session.gone[table], True))

        return revive

    def _draw(self, items: list[Any], takes: bool) -> Any:
        index = self._random.randrange(len(items))
        return items.pop(index) if takes else items[index]

    # -- Statements ----------------------------------------------------------------------------

    def _inserted(self, table: str, row: Mapping[str, Any]) -> Statement:
        places = ", ".join(self._place(table, name) for name in row)
        return f"insert into {table} ({', '.join(row)}) values ({places})", dict(row)

    def _updated(self, table: str, key: Any, **changes: Any) -> Statement:
        sets = ", ".join(f"{name} = {self._place(table, name)}" for name in changes)
        where = self._place(table, "id")
        return f"update {table} set {sets} where id = {where}", {"id": key, **changes}

    def _place(self, table: str, name: str) -> str:
        """Return the SQL of a column's parameter."""
        place = f":{name}"
        casts = self.casts.get(f"{table}.{name}") or self.casts.get(name)
        for kind in casts.split(" as ") if casts else ():
            place = f"cast({place} as {kind})"
        return place

    def _emptied(self, *tables: str) -> list[str]:
        """Return statements that empty tables."""
        verb = "truncate table" if self._truncates else "delete from"
        return [f"{verb} {table}" for table in tables]

    def _run(self, sql: str, **parameters: Any) -> None:
        self._execute(self._main, sql, parameters)

    def _do(self, *statements: str | Statement) -> None:
        """Run statements, each in a transaction of its own."""
        for statement in statements:
            self._execute(
                self._main, *((statement, {}) if isinstance(statement, str) else statement)
            )

    def _transaction(self, *statements: str | Statement) -> None:
        self._do(self.begin, *statements, "commit")

    def _begin_long(self, *statements: str) -> None:
        """Write, uncommitted, on a connection of its own."""
        for statement in (self.begin, *statements):
            self._execute(self._long, statement, {})
