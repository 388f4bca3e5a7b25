"""What happens in the MariaDB database during a live run; as in `recorder.workload`.

Scenes use rows with low identifiers and traffic the others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from dev.live import web_tables, web_truth
from dev.recorder.traffic import Kind, Session, Statement, Traffic
from dev.recorder.truth import save
from dev.recorder.values import BALANCES, TEXTS
from dev.servers.mariadb import DATABASE

UNSIGNED = 2**63
"""Identifiers from here on do not fit a signed number: Debezium sends them as negative ones."""

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
_PARAMETER = re.compile(r":([a-z_]+)")


class WebWorkload(Traffic):
    """The scenes and the traffic of MariaDB."""

    begin = "start transaction"
    signal_table = f"{DATABASE}.debezium_signal"
    marker_table = f"{DATABASE}.marker"
    snapshot_again = (f"{DATABASE}.visitors", f"{DATABASE}.carts")

    def __init__(self, connect: Callable[[], Any], seed: int, *, truncates: bool = True) -> None:
        """Open the connections; see `Traffic`."""
        super().__init__(connect, f"web-{seed}", ("/alpha", "/beta"), truncates=truncates)
        self._has_since = True
        for connection in self._connections:
            # Without gap locks, so that the sessions do not wait for each other.
            level = "set session transaction isolation level read committed"
            self._execute(connection, level, {})

    def save_truth(self, folder: Path) -> dict[str, int]:
        """Write what the tables hold now into a new folder; return their rows."""
        with self._main.cursor() as cursor:
            return save(folder, web_truth.read_tables(cursor, DATABASE, web_tables.TRUTH_TABLES))

    # -- Before the connector ------------------------------------------------------------------

    def prepare(self) -> None:
        """Create the tables and the rows that the initial snapshot will read."""
        self._do(*web_tables.SCHEMA)
        for number in range(1, 13):
            self._do(self._visitor(number))
        for number in (UNSIGNED, 2**64 - 1):
            self._do(self._visitor(number), self._visit(number, 1))
        for session in self._sessions:
            for _ in range(3):
                for table in ("visitors", "visits", "carts", "hits"):
                    self._do(*self._new(session, table))
        for path, title in (("/", "Home"), ("/ünïcode", "李"), ("/old", None), ("/gone", "x")):
            self._do(self._inserted("pages", {"path": path, "title": title}))

    # -- Scenes --------------------------------------------------------------------------------

    def change_keys(self) -> None:
        """Swap two keys, shift three, move rows across the sign bit, use an old key again."""
        self._transaction(
            "update visitors set id = 99 where id = 1",
            "update visitors set id = 1 where id = 2",
            "update visitors set id = 2 where id = 99",
        )
        self._transaction(
            "delete from visitors where id = 6",
            "update visitors set id = 6 where id = 5",
            "update visitors set id = 5 where id = 4",
            "update visitors set id = 4 where id = 3",
        )
        self._run(f"update visitors set id = {UNSIGNED + 7}, name = 'moved' where id = 7")
        self._run(f"update visitors set id = 21 where id = {UNSIGNED}")
        self._do(self._visitor(7))
        self._run("update pages set path = '/new' where path = '/old'")
        # Several rows of one statement share a position.
        self._run(f"update visits set visit_no = visit_no + 100 where visitor_id = {2**64 - 1}")

    def change_much_at_once(self) -> None:
        """Change several tables in one transaction, and a row in several statements."""
        self._transaction(
            "update visitors set name = 'one of five' where id in (10, 11)",
            self._visit(10, 1),
            "update visitors set balance = -balance, note = null where id = 10",
            "delete from visitors where id = 12",
            "update visitors set name = 'five of five' where id = 11",
        )

    def truncate_and_insert(self, number: int) -> None:
        """Truncate a table whose topic has several partitions, between inserts."""
        first = 1000 * number
        for session in self._sessions:
            session.keys["carts"].clear()
        for identifier in range(first, first + 5):
            self._do(self._cart(identifier, f"before truncate {number}"))
        self._do(*self._emptied("carts"))
        for identifier in range(first, first + 3):
            self._do(self._cart(identifier, f"after truncate {number}"))
        self._run(f"delete from carts where id = {first + 1}")

    def change_rows_without_a_key(self) -> None:
        """Insert identical rows, then change one of them, some of them and all of them."""
        row = "('/gamma', 2, '2026-01-02 03:04:05')"
        self._run(f"insert into hits values {row}, {row}")
        self._do(*[f"insert into hits values {row}"] * 3)
        self._run("update hits set n = 3 where page = '/gamma' limit 1")
        self._run("delete from hits where page = '/gamma' and n = 2 limit 1")
        self._run("update hits set n = 3 where page = '/gamma' and n = 2 limit 2")
        self._run("update hits set n = null where page = '/gamma' and n = 3 limit 1")

    def delete_and_insert_again(self) -> None:
        """Delete and re-insert keys, in one transaction and in several."""
        self._transaction("delete from visitors where id = 8", self._visitor(8))
        self._run("delete from visitors where id = 9")
        self._do(self._visitor(9))
        self._run("replace into pages (path, title) values ('/', 'Home again')")
        self._run("delete from pages where path = '/gone'")
        self._transaction(
            self._visitor(24),
            "update visitors set name = 'updated where it was made' where id = 24",
            "delete from visitors where id = 24",
        )

    def roll_back(self) -> None:
        """Roll back a transaction, and a part of another to a savepoint."""
        self._do(
            self.begin, "update visitors set name = 'never happened' where id < 20", "rollback"
        )
        self._transaction(
            "update visitors set balance = -5 where id = 2",
            "savepoint before_the_mistake",
            "delete from visitors where id = 2",
            "rollback to savepoint before_the_mistake",
            "update visitors set balance = 5.01 where id = 1",
        )

    def begin_long_transaction(self) -> None:
        """Write, uncommitted, before an incremental snapshot reads the old versions."""
        self._begin_long(
            "update visitors set name = 'open in the windows' where id = 10",
            "delete from visitors where id = 9",
        )

    def add_columns(self) -> None:
        """Add a nullable column and one whose default fills the rows that exist, silently."""
        self._do(*web_tables.ADD_COLUMNS)
        self._run("update visitors set nickname = 'Bö' where id = 1")
        self._run("insert into pages (path, title, grade) values ('/graded', 'new', 5)")

    def drop_and_widen_columns(self) -> None:
        """Drop a column, widen two, and use the new range."""
        self._do(*web_tables.DROP_AND_WIDEN)
        self._has_since = False
        row = {"id": 9001, "content": "long " * 70, "total": "123456789012.34"}
        self._do(self._inserted("carts", row))
        self._run("update visitors set nickname = 'after the drop' where id = 2")

    # -- Traffic -------------------------------------------------------------------------------

    def _kinds(self) -> list[Kind]:
        touch_visitor = self._change("visitors", self._touched_visitor)
        visit = "where visitor_id = :visitor_id and visit_no = :visit_no"
        return [
            self._insert_new("visitors"),
            touch_visitor,
            touch_visitor,
            self._change("visitors", self._rewritten_visitor),
            self._move("visitors"),
            self._delete("visitors"),
            self._revive("visitors", touch_visitor),
            self._insert_new("visits"),
            self._change(
                "visits",
                lambda key: (
                    f"update visits set page = :page {visit}",
                    {"page": self._random.choice(TEXTS), **_visit_key(key)},
                ),
            ),
            self._change(
                "visits", lambda key: (f"delete from visits {visit}", _visit_key(key)), takes=True
            ),
            self._insert_new("carts"),
            self._change(
                "carts",
                lambda key: (
                    "update carts set total = coalesce(total, 0) + 1 where id = :id",
                    {"id": key},
                ),
            ),
            self._delete("carts"),
            self._insert_new("hits"),
            self._change_hits,
        ]

    def _fresh_id(self) -> int:
        # every third identifier is above what a signed number holds
        number = super()._fresh_id()
        return number + (UNSIGNED if number % 3 == 0 else 0)

    def _new(self, session: Session, table: str, key: Any | None = None) -> list[Statement]:
        if table == "hits":
            # Few different rows: equal ones are the point of this table.
            row = {"page": session.name, "n": self._random.choice([1, 2, None])}
            hit = self._inserted("hits", row | {"at": "2026-01-01 00:00:00"})
            return [hit] * self._random.randint(1, 2)
        if table == "visits":
            visitor = self._fresh_id()
            keys = [(visitor, number) for number in range(1, self._random.randint(2, 3))]
            session.keys[table] += keys
            return [self._visit(*one) for one in keys]
        if key is None:
            key = super()._fresh_id() if table == "carts" else self._fresh_id()
        session.keys[table].append(key)
        if table == "carts":
            return [self._cart(key, self._random.choice(TEXTS))]
        return [self._visitor(key)]

    def _touched_visitor(self, key: int) -> Statement:
        pick = self._random.choice
        return self._updated(
            "visitors", key, name=pick(TEXTS), balance=pick(BALANCES), seen_at=pick(SEEN)
        )

    def _rewritten_visitor(self, key: int) -> Statement:
        pick = self._random.choice
        return self._updated(
            "visitors", key, note=pick(NOTES), prefs=self._preferences(), quota=pick(QUOTAS),
            flags=self._random.randrange(4096),
        )  # fmt: skip

    def _change_hits(self, session: Session) -> list[Statement]:
        change = self._random.choice(["update hits set n = coalesce(n, 0) + 1", "delete from hits"])
        return [(f"{change} where page = :page order by n limit 1", {"page": session.name})]

    # -- Rows ----------------------------------------------------------------------------------

    def _visitor(self, number: int) -> Statement:
        pick = self._random.choice
        row = {
            "id": number,
            "name": pick(TEXTS),
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
        if not self._has_since:
            del row["since"]
        return self._inserted("visitors", row)

    def _preferences(self) -> str | None:
        value = self._random.choice([*PREFERENCES, None])
        return None if value is None else json.dumps(value, ensure_ascii=False)

    def _visit(self, visitor: int, number: int) -> Statement:
        page, at = self._random.choice(TEXTS), self._random.choice(MOMENTS)
        return self._inserted("visits", {**_visit_key((visitor, number)), "page": page, "at": at})

    def _cart(self, number: int, content: str) -> Statement:
        total = self._random.choice(["0.10", "-99.99", "12345678.90", None])
        return self._inserted("carts", {"id": number, "content": content, "total": total})

    def _execute(self, connection: Any, sql: str, parameters: dict[str, Any]) -> None:
        with connection.cursor() as cursor:
            cursor.execute(_PARAMETER.sub(r"%(\1)s", sql), parameters or None)


def _visit_key(key: tuple[int, int]) -> dict[str, int]:
    return {"visitor_id": key[0], "visit_no": key[1]}
