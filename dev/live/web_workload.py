"""What happens in the MariaDB database during a live run; as in `recorder.workload`.

Scenes use rows with low identifiers and traffic the others. The two sessions of the traffic never
touch the same row, so that one thread can drive both without waiting for its own locks.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from dev.live import web_tables

Statement = tuple[str, tuple[Any, ...]]

FIRST_TRAFFIC_ID = 101
UNSIGNED = 2**63
"""Identifiers from here on do not fit a signed number: Debezium sends them as negative ones."""

NAMES = (
    "Ada Lovelace", "Željko Ćosić", "李小龍", 'O\'Brien "Bo" \\ Sons', "🦕 emoji, tab\tand\nline",
    "", "null", " leading and trailing ",
)  # fmt: skip
BALANCES = ("0.00", "-0.01", "9999999999.99", "-9999999999.99", "12.30", "7.05")
AMOUNTS = ("1234567890123456789012345678.0123456789", "-0.0000000001", "0", None)
MOMENTS = ("1600-01-01 00:00:00", "1969-12-31 23:59:59.999999", "2026-03-29 02:30:00.000001")
SEEN = ("1970-01-02 00:00:01.5", "2026-02-03 04:05:06.789", "2038-01-19 03:14:07", None)
DATES = ("1600-02-29", "1969-12-31", "9999-12-31", "2026-11-22", None)
LUNCHES = ("00:00:00", "12:34:56.789", "-838:59:58", "100:00:00.5", None)
QUOTAS = (0, 1, 2**63 - 1, 2**63, 2**64 - 1, None)
NOTES = ("", "short", "ü" * 3000, None)
PREFERENCES = (
    {"theme": "dark", "ünïcode": "✓", "limits": [1, 2.5, -3e10]}, [], {"nested": {"none": None}},
)  # fmt: skip

VISITOR = (
    "id", "name", "balance", "amount", "is_active", "flag", "flags", "kind", "interests",
    "joined_at", "seen_at", "birthday", "lunch", "since", "tiny", "small", "medium", "plain", "big",
    "quota", "ratio", "score", "token", "photo", "note", "prefs",
)  # fmt: skip


@dataclass
class _Session:
    """One connection of the traffic and the rows that are its own."""

    connection: Any
    page: str
    visitors: list[int] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)
    visits: list[tuple[int, int]] = field(default_factory=list)
    carts: list[int] = field(default_factory=list)


class WebWorkload:
    """The scenes and the traffic, on connections of its own."""

    def __init__(self, connect: Callable[[], Any], seed: int, *, truncates: bool = True) -> None:
        """Open the connections.

        Args:
            connect: returns a new autocommit connection.
            seed: decides the statements.
            truncates: tables are emptied by TRUNCATE, else by DELETE.
        """
        self._truncates = truncates
        self._random = random.Random(f"web-{seed}")
        self._next_id = FIRST_TRAFFIC_ID
        self._has_since = True
        self._connections = [connect() for _ in range(4)]
        self._main, first, second, self._long = self._connections
        for connection in self._connections:
            # Without gap locks, so that the sessions do not wait for each other.
            self._run_on(connection, "set session transaction isolation level read committed")
        self._sessions = [_Session(first, "/alpha"), _Session(second, "/beta")]

    def close(self) -> None:
        """Close the connections; open transactions are rolled back by the server."""
        for connection in self._connections:
            connection.close()

    # -- Before the connector ------------------------------------------------------------------

    def prepare(self) -> None:
        """Create the tables and the rows that the initial snapshot will read."""
        for statement in web_tables.SCHEMA:
            self._run(statement)
        for number in range(1, 13):
            self._do(self._visitor(number))
        for number in (UNSIGNED, 2**64 - 1):
            self._do(self._visitor(number))
            self._do(self._visit(number, 1))
        for session in self._sessions:
            for _ in range(3):
                for statement in [
                    *self._new_visitor(session), *self._new_visits(session),
                    *self._new_cart(session), *self._new_hits(session),
                ]:  # fmt: skip
                    self._do(statement)
        for path, title in (("/", "Home"), ("/ünïcode", "李"), ("/old", None), ("/gone", "x")):
            self._run("insert into pages values (%s, %s)", path, title)

    # -- Scenes --------------------------------------------------------------------------------

    def change_keys(self) -> None:
        """Swap two keys, shift three, move rows across the sign bit, use an old key again."""
        self._transaction(
            ("update visitors set id = 99 where id = 1", ()),
            ("update visitors set id = 1 where id = 2", ()),
            ("update visitors set id = 2 where id = 99", ()),
        )
        self._transaction(
            ("delete from visitors where id = 6", ()),
            ("update visitors set id = 6 where id = 5", ()),
            ("update visitors set id = 5 where id = 4", ()),
            ("update visitors set id = 4 where id = 3", ()),
        )
        self._run("update visitors set id = %s, name = 'moved' where id = 7", UNSIGNED + 7)
        self._run("update visitors set id = 21 where id = %s", UNSIGNED)
        self._do(self._visitor(7))
        self._run("update pages set path = '/new' where path = '/old'")
        # Several rows of one statement share a position.
        self._run("update visits set visit_no = visit_no + 100 where visitor_id = %s", 2**64 - 1)

    def change_much_at_once(self) -> None:
        """Change several tables in one transaction, and a row in several statements."""
        self._transaction(
            ("update visitors set name = 'one of five' where id in (10, 11)", ()),
            self._visit(10, 1),
            ("update visitors set balance = -balance, note = null where id = 10", ()),
            ("delete from visitors where id = 12", ()),
            ("update visitors set name = 'five of five' where id = 11", ()),
        )

    def truncate_and_insert(self, number: int) -> None:
        """Truncate a table whose topic has several partitions, between inserts."""
        first = 1000 * number
        for session in self._sessions:
            session.carts.clear()
        for identifier in range(first, first + 5):
            self._do(self._cart(identifier, f"before truncate {number}"))
        self._run("truncate table carts" if self._truncates else "delete from carts")
        for identifier in range(first, first + 3):
            self._do(self._cart(identifier, f"after truncate {number}"))
        self._run("delete from carts where id = %s", first + 1)

    def change_rows_without_a_key(self) -> None:
        """Insert identical rows, then change one of them, some of them and all of them."""
        row = ("/gamma", 2, "2026-01-02 03:04:05")
        self._run("insert into hits values (%s, %s, %s), (%s, %s, %s)", *row, *row)
        for _ in range(3):
            self._run("insert into hits values (%s, %s, %s)", *row)
        self._run("update hits set n = 3 where page = '/gamma' limit 1")
        self._run("delete from hits where page = '/gamma' and n = 2 limit 1")
        self._run("update hits set n = 3 where page = '/gamma' and n = 2 limit 2")
        self._run("update hits set n = null where page = '/gamma' and n = 3 limit 1")

    def delete_and_insert_again(self) -> None:
        """Delete and re-insert keys, in one transaction and in several."""
        self._transaction(("delete from visitors where id = 8", ()), self._visitor(8))
        self._run("delete from visitors where id = 9")
        self._do(self._visitor(9))
        self._run("replace into pages (path, title) values ('/', 'Home again')")
        self._run("delete from pages where path = '/gone'")
        self._transaction(
            self._visitor(24),
            ("update visitors set name = 'updated where it was made' where id = 24", ()),
            ("delete from visitors where id = 24", ()),
        )

    def roll_back(self) -> None:
        """Roll back a transaction, and a part of another to a savepoint."""
        self._run("start transaction")
        self._run("update visitors set name = 'never happened' where id < 20")
        self._run("rollback")
        self._transaction(
            ("update visitors set balance = -5 where id = 2", ()),
            ("savepoint before_the_mistake", ()),
            ("delete from visitors where id = 2", ()),
            ("rollback to savepoint before_the_mistake", ()),
            ("update visitors set balance = 5.01 where id = 1", ()),
        )

    def begin_long_transaction(self) -> None:
        """Write, uncommitted, before an incremental snapshot reads the old versions."""
        self._run_on(self._long, "start transaction")
        self._run_on(self._long, "update visitors set name = 'open in the windows' where id = 10")
        self._run_on(self._long, "delete from visitors where id = 9")

    def commit_long_transaction(self) -> None:
        """Commit what `begin_long_transaction` began."""
        self._run_on(self._long, "commit")

    def request_incremental_snapshot(self, signal_id: str, names: Sequence[str]) -> None:
        """Ask for an incremental snapshot of the named tables through the signal table."""
        self._run(
            "insert into debezium_signal values (%s, 'execute-snapshot', %s)",
            signal_id,
            json.dumps({"data-collections": list(names), "type": "incremental"}),
        )

    def add_columns(self) -> None:
        """Add a nullable column and one whose default fills the rows that exist, silently."""
        for statement in web_tables.ADD_COLUMNS:
            self._run(statement)
        self._run("update visitors set nickname = 'Bö' where id = 1")
        self._run("insert into pages (path, title, grade) values ('/graded', 'new', 5)")

    def drop_and_widen_columns(self) -> None:
        """Drop a column, widen two, and use the new range."""
        for statement in web_tables.DROP_AND_WIDEN:
            self._run(statement)
        self._has_since = False
        self._run(
            "insert into carts (id, content, total) values (%s, %s, %s)",
            9001, "long " * 70, "123456789012.34",
        )  # fmt: skip
        self._run("update visitors set nickname = 'after the drop' where id = 2")

    def mark(self, number: int, note: str) -> None:
        """Write the row that says: everything before me was committed before me."""
        self._run("insert into marker values (%s, %s)", number, note)

    # -- Traffic -------------------------------------------------------------------------------

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
            sql, parameters = statements.pop(0)
            self._run_on(session.connection, sql, *parameters)
            if not statements:
                pending.remove(entry)

    def _random_transaction(self, session: _Session) -> Iterable[Statement]:
        kinds: list[Callable[[_Session], list[Statement]]] = [
            self._new_visitor, self._touch_visitor, self._touch_visitor, self._rewrite_visitor,
            self._move_visitor, self._delete_visitor, self._revive_visitor, self._new_visits,
            self._touch_visit, self._delete_visit, self._new_cart, self._touch_cart,
            self._delete_cart, self._new_hits, self._change_hits,
        ]  # fmt: skip
        chosen = [self._random.choice(kinds) for _ in range(self._random.randint(1, 3))]
        statements = [statement for kind in chosen for statement in kind(session)]
        return [("start transaction", ()), *statements, ("commit", ())]

    def _fresh_id(self) -> int:
        self._next_id += 1
        # every third identifier is above what a signed number holds
        return self._next_id + (UNSIGNED if self._next_id % 3 == 0 else 0)

    def _pick(self, items: list[Any], take: bool = False) -> Any | None:
        if not items:
            return None
        index = self._random.randrange(len(items))
        return items.pop(index) if take else items[index]

    def _new_visitor(self, session: _Session) -> list[Statement]:
        number = self._fresh_id()
        session.visitors.append(number)
        return [self._visitor(number)]

    def _touch_visitor(self, session: _Session) -> list[Statement]:
        number = self._pick(session.visitors)
        if number is None:
            return self._new_visitor(session)
        return [
            (
                "update visitors set name = %s, balance = %s, seen_at = %s where id = %s",
                (*(self._random.choice(of) for of in (NAMES, BALANCES, SEEN)), number),
            )
        ]

    def _rewrite_visitor(self, session: _Session) -> list[Statement]:
        number = self._pick(session.visitors)
        if number is None:
            return self._new_visitor(session)
        return [
            (
                "update visitors set note = %s, prefs = %s, quota = %s, flags = %s where id = %s",
                (
                    self._random.choice(NOTES), self._preferences(), self._random.choice(QUOTAS),
                    self._random.randrange(4096), number,
                ),
            )
        ]  # fmt: skip

    def _move_visitor(self, session: _Session) -> list[Statement]:
        old = self._pick(session.visitors, take=True)
        if old is None:
            return self._new_visitor(session)
        new = self._fresh_id()
        session.visitors.append(new)
        session.gone.append(old)
        return [("update visitors set id = %s where id = %s", (new, old))]

    def _delete_visitor(self, session: _Session) -> list[Statement]:
        number = self._pick(session.visitors, take=True)
        if number is None:
            return self._new_visitor(session)
        session.gone.append(number)
        return [("delete from visitors where id = %s", (number,))]

    def _revive_visitor(self, session: _Session) -> list[Statement]:
        number = self._pick(session.gone, take=True)
        if number is None:
            return self._touch_visitor(session)
        session.visitors.append(number)
        return [self._visitor(number)]

    def _new_visits(self, session: _Session) -> list[Statement]:
        visitor = self._fresh_id()
        statements = []
        for number in range(1, self._random.randint(2, 3)):
            session.visits.append((visitor, number))
            statements.append(self._visit(visitor, number))
        return statements

    def _touch_visit(self, session: _Session) -> list[Statement]:
        visit = self._pick(session.visits)
        if visit is None:
            return self._new_visits(session)
        return [
            (
                "update visits set page = %s where visitor_id = %s and visit_no = %s",
                (self._random.choice(NAMES), *visit),
            )
        ]

    def _delete_visit(self, session: _Session) -> list[Statement]:
        visit = self._pick(session.visits, take=True)
        if visit is None:
            return self._new_visits(session)
        return [("delete from visits where visitor_id = %s and visit_no = %s", visit)]

    def _new_cart(self, session: _Session) -> list[Statement]:
        self._next_id += 1
        session.carts.append(self._next_id)
        return [self._cart(self._next_id, self._random.choice(NAMES))]

    def _touch_cart(self, session: _Session) -> list[Statement]:
        number = self._pick(session.carts)
        if number is None:
            return self._new_cart(session)
        return [("update carts set total = coalesce(total, 0) + 1 where id = %s", (number,))]

    def _delete_cart(self, session: _Session) -> list[Statement]:
        number = self._pick(session.carts, take=True)
        if number is None:
            return self._new_cart(session)
        return [("delete from carts where id = %s", (number,))]

    def _new_hits(self, session: _Session) -> list[Statement]:
        # Few different rows: equal ones are the point of this table.
        row = (session.page, self._random.choice([1, 2, None]), "2026-01-01 00:00:00")
        return [("insert into hits values (%s, %s, %s)", row)] * self._random.randint(1, 2)

    def _change_hits(self, session: _Session) -> list[Statement]:
        change = self._random.choice(
            [
                "update hits set n = coalesce(n, 0) + 1 where page = %s order by n limit 1",
                "delete from hits where page = %s order by n limit 1",
            ]
        )
        return [(change, (session.page,))]

    # -- Rows ----------------------------------------------------------------------------------

    def _visitor(self, number: int) -> Statement:
        pick = self._random.choice
        row = {
            "id": number,
            "name": pick(NAMES),
            "balance": pick([*BALANCES, str(Decimal(self._random.randrange(10**7)).scaleb(-2))]),
            "amount": pick(AMOUNTS),
            "is_active": self._random.random() < 0.5,
            "flag": pick([0, 1, None]),
            "flags": pick([0, 1, 2049, 4095, None]),
            "kind": pick(["guest", "member", "gone"]),
            "interests": pick(["", "maps", "maps,cats", "maps,music,cats", None]),
            "joined_at": pick(MOMENTS),
            "seen_at": pick(SEEN),
            "birthday": pick(DATES),
            "lunch": pick(LUNCHES),
            "since": pick([1901, 1970, 2026, 2155, None]),
            "tiny": pick([-128, 0, 127, None]),
            "small": pick([0, 65_535, None]),
            "medium": pick([-(2**23), 2**23 - 1, None]),
            "plain": pick([0, 2**32 - 1, None]),
            "big": pick([-(2**63), 2**63 - 1, 0, None]),
            "quota": pick(QUOTAS),
            # exact in binary: snapshots print single precision with six digits
            "ratio": pick([0.5, -2.25, 1024.0, None]),
            "score": pick([0.1, -1e300, 1e-300, 3.0, None]),
            "token": pick([b"", b"\x00\xff", self._random.randbytes(20), None]),
            "photo": pick([self._random.randbytes(200), b"", None]),
            "note": pick(NOTES),
            "prefs": self._preferences(),
        }
        names = [name for name in VISITOR if name != "since" or self._has_since]
        return (
            f"insert into visitors ({', '.join(names)}) values ({', '.join(['%s'] * len(names))})",
            tuple(row[name] for name in names),
        )

    def _preferences(self) -> str | None:
        value = self._random.choice([*PREFERENCES, None])
        return None if value is None else json.dumps(value, ensure_ascii=False)

    def _visit(self, visitor: int, number: int) -> Statement:
        return (
            "insert into visits values (%s, %s, %s, %s)",
            (visitor, number, self._random.choice(NAMES), self._random.choice(MOMENTS)),
        )

    def _cart(self, number: int, content: str) -> Statement:
        total = self._random.choice(["0.10", "-99.99", "12345678.90", None])
        return "insert into carts values (%s, %s, %s)", (number, content, total)

    # -- Running -------------------------------------------------------------------------------

    def _run(self, sql: str, *parameters: Any) -> None:
        self._run_on(self._main, sql, *parameters)

    def _do(self, statement: Statement) -> None:
        sql, parameters = statement
        self._run_on(self._main, sql, *parameters)

    @staticmethod
    def _run_on(connection: Any, sql: str, *parameters: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters or None)

    def _transaction(self, *statements: Statement) -> None:
        self._run("start transaction")
        for statement in statements:
            self._do(statement)
        self._run("commit")
