"""What happens in the database while it is recorded.

Two kinds of work: *scenes*, each written out because a consumer must see exactly that, and
*traffic*, random transactions of two sessions whose statements alternate. Scenes use rows with low
identifiers and traffic the others; the two sessions of the traffic never touch the same row, so
that one thread can drive both without waiting for its own locks. The statements depend on the seed
alone; positions, times and the boundaries of Debezium's batches do not.
"""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dev.recorder import tables, values
from dev.recorder.values import Values

Statement = tuple[str, dict[str, Any]]

FIRST_TRAFFIC_ID = 101
SCENE_CUSTOMERS = 12

INSERT_CUSTOMER = (
    "insert into public.customers (id, email, name, balance, note, tags, prefs, scores, active,"
    " created_at, updated_at, birthday{column}) values (:id, :email, :name,"
    " cast(:balance as numeric), :note, cast(:tags as text[]), cast(:prefs as jsonb),"
    " cast(:scores as integer[]), :active, cast(:created_at as timestamptz),"
    " cast(:updated_at as timestamp), cast(:birthday as date){value})"
)
INSERT_ORDER = (
    "insert into public.orders values (:id, :customer_id,"
    " cast(cast(:status as text) as public.order_status), cast(:total as numeric),"
    " cast(:ledger as numeric), cast(:placed_at as timestamp), cast(:payload as bytea),"
    " cast(:uid as uuid))"
)
INSERT_LINE = (
    "insert into public.order_lines values (:order_id, :line_no, cast(:price as numeric), :qty,"
    " cast(:ratio as real), cast(:weight as double precision), cast(:t as time),"
    " cast(:tz as timetz), cast(:iv as interval), cast(:bits as bit(12)))"
)
INSERT_DOCUMENT = (
    "insert into public.documents values (cast(:id as uuid), :title, :body,"
    " cast(:meta as jsonb), cast(:labels as text[]), cast(:score as numeric),"
    " cast(:data as bytea), cast(:refs as uuid[]), cast(:counts as bigint[]))"
)
INSERT_READING = (
    "insert into public.readings values (:sensor, cast(:value as numeric),"
    " cast(:at as timestamptz), cast(:raw as jsonb))"
)


@dataclass
class _Session:
    """One connection of the traffic and the rows that are its own."""

    connection: Any
    customers: list[int] = field(default_factory=list)
    deleted_customers: list[int] = field(default_factory=list)
    orders: list[int] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    sensor: str = ""


class Workload:
    """The scenes and the traffic, on connections of its own."""

    def __init__(self, connect: Callable[[], Any], seed: int, *, truncates: bool = True) -> None:
        """Open the connections.

        Args:
            connect: returns a new autocommit connection.
            seed: decides the statements.
            truncates: tables are emptied by TRUNCATE, else by DELETE.
        """
        self._truncates = truncates
        self._values = Values(seed)
        self._random = random.Random(f"workload-{seed}")
        self._next_id = FIRST_TRAFFIC_ID
        self._has_legacy_code = True
        self._connections = [connect() for _ in range(4)]
        self._main, first, second, self._long = self._connections
        self._sessions = [_Session(first, sensor="alpha"), _Session(second, sensor="beta")]

    def close(self) -> None:
        """Close the connections; open transactions are rolled back by the server."""
        for connection in self._connections:
            connection.close()

    # -- Before the connector ------------------------------------------------------------------

    def prepare(self) -> None:
        """Create the tables and the rows that the initial snapshot will read."""
        self._script(self._main, tables.SCHEMA_SQL)
        for number in range(1, SCENE_CUSTOMERS + 1):
            # Scene customers have out-of-line values: their later updates carry placeholders.
            self._run(*self._customer(number, note=self._values.long_text()))
        for number in range(1, 5):
            self._run(*self._order(number, customer_id=number))
            for line_no in (1, 2):
                self._run(*self._line(number, line_no))
        for session in self._sessions:
            for _ in range(2):
                for sql, parameters in [
                    *self._new_customer(session),
                    *self._new_order(session),
                    *self._new_document(session),
                ]:
                    self._run(sql, parameters)
            for _ in range(3):
                self._run(INSERT_READING, self._reading(session.sensor, "1.500"))
        for number, name in enumerate(("first", "Second", "dritte ß"), start=1):
            self._run(
                'insert into public."Order" values (:id, :name, cast(:at as timestamptz))',
                {"id": number, "name": name, "at": self._values.instant()},
            )
        self._archive(range(1, 7), "before the connector")

    # -- Scenes --------------------------------------------------------------------------------

    def begin_transaction_that_spans_the_snapshot(self) -> None:
        """Write, uncommitted, while the connector takes its initial snapshot.

        The write's position lies before the position that the snapshot's rows will carry, and it is
        delivered after them.
        """
        self._long.run("begin")
        self._long.run(
            "update public.customers set name = 'open during the snapshot' where id = 12"
        )
        self._run("update public.customers set name = 'committed during it' where id = 11", {})

    def begin_transaction_that_spans_the_incremental_snapshot(self) -> None:
        """Write, uncommitted, before the windows open; the snapshot reads the old version."""
        self._long.run("begin")
        self._long.run(
            "update public.customers set name = 'open during the windows', balance = 10.01"
            " where id = 10"
        )
        self._long.run("delete from public.customers where id = 9")

    def commit_long_transaction(self) -> None:
        """Commit what one of the two methods above began."""
        self._long.run("commit")

    def change_keys(self) -> None:
        """Swap two keys, shift three, move a row with and without touching its TOAST values."""
        self._transaction(
            "update public.customers set id = -1 where id = 1",
            "update public.customers set id = 1 where id = 2",
            "update public.customers set id = 2 where id = -1",
        )
        self._transaction(
            "delete from public.customers where id = 6",
            "update public.customers set id = 6 where id = 5",
            "update public.customers set id = 5 where id = 4",
            "update public.customers set id = 4 where id = 3",
        )
        self._run("update public.customers set id = 21, name = 'moved' where id = 7", {})
        self._run(
            "update public.customers set id = 22, note = :note where id = 8",
            {"note": self._values.long_text()},
        )
        # The old identifier lives again at once, with other values.
        self._transaction(
            "update public.customers set id = 23 where id = 21",
            self._customer(21, note=self._values.long_text()),
        )
        # Cascades to the order's lines.
        self._run("update public.orders set id = 31 where id = 1", {})
        self._run("update public.order_lines set line_no = line_no + 10 where order_id = 31", {})

    def change_much_at_once(self) -> None:
        """Change several tables in one transaction, for a redelivery that starts inside it."""
        self._transaction(
            "update public.customers set name = 'one of six' where id = 10",
            "update public.customers set name = 'two of six' where id = 11",
            self._order(41, customer_id=10),
            self._line(41, 1),
            "update public.customers set name = 'five of six' where id = 10",
            "delete from public.customers where id = 12",
        )

    def delete_and_insert_again(self) -> None:
        """Delete and re-insert keys, in one transaction and in several."""
        self._transaction(
            "delete from public.customers where id = 22",
            self._customer(22, note=None),
        )
        self._run("delete from public.orders where id = 2", {})
        self._run(*self._order(2, customer_id=2))
        self._transaction(
            self._customer(24, note=self._values.long_text()),
            "update public.customers set name = 'updated where it was made' where id = 24",
            "delete from public.customers where id = 24",
        )

    def roll_back(self) -> None:
        """Roll back a transaction, and a part of another to a savepoint."""
        self._main.run("begin")
        self._main.run("update public.customers set name = 'never happened'")
        self._main.run("truncate archive.orders")
        self._main.run("rollback")
        self._transaction(
            "update public.customers set balance = -5 where id = 2",
            "savepoint before_the_mistake",
            "delete from public.customers where id = 2",
            "update public.customers set name = 'never happened either' where id = 1",
            "rollback to savepoint before_the_mistake",
            "update public.customers set balance = 5.01 where id = 1",
        )

    def update_out_of_line_values(self) -> None:
        """Touch and leave alone the out-of-line values of one row, one after the other."""
        self._run("update public.customers set active = not active where id = 2", {})
        self._run(
            "update public.customers set note = :note where id = 2",
            {"note": self._values.long_text()},
        )
        self._run("update public.customers set balance = -0.01, note = note where id = 2", {})
        self._run('update public.customers set prefs = \'{"theme": "plain"}\' where id = 1', {})
        self._run("update public.customers set note = null where id = 11", {})
        self._run(
            "update public.orders set payload = :payload where id = 3",
            {"payload": self._values.random.randbytes(2_300)},
        )
        self._run("update public.orders set status = 'on hold' where id = 3", {})
        document = self._values.uuid()
        self._run(*self._document(document, body=self._values.long_text()))
        self._run("update public.documents set title = 'seen' where id = :id", {"id": document})
        self._transaction(
            ("update public.documents set id = :new, title = 'moved' where id = :id",
             {"id": document, "new": self._values.uuid()}),
        )  # fmt: skip

    def change_rows_without_a_key(self) -> None:
        """Copy identical rows, then update and delete single ones and several of them."""
        stamp = "2026-01-02 03:04:05.678901+00"
        line = f"gamma\t2.000\t{stamp}\t{{}}\n"
        other = f"gamma\t\\N\t{stamp}\t\\N\n"
        self._main.run(
            "copy public.readings from stdin", stream=io.BytesIO((line * 5 + other * 2).encode())
        )
        one = "(select ctid from public.readings where sensor = 'gamma' and value = 2 limit 1)"
        self._run(f"update public.readings set value = 3 where ctid = {one}", {})
        self._run(f"delete from public.readings where ctid = {one}", {})
        self._run(
            "update public.readings set raw = '[1]' where sensor = 'gamma' and value is null", {}
        )
        # One row becomes equal to another.
        self._run(f"update public.readings set value = 3 where ctid = {one}", {})
        self._transaction(
            "delete from public.readings where sensor = 'gamma' and value = 2",
            (INSERT_READING, {"sensor": "gamma", "value": "2.000", "at": stamp, "raw": "{}"}),
        )

    def truncate_and_insert(self, round_number: int) -> None:
        """Truncate a table whose topic has several partitions, between inserts before and after."""
        first = 100 * round_number
        self._archive(range(first, first + 5), f"before truncate {round_number}")
        self._transaction(
            f"update archive.orders set reason = 'doomed' where id >= {first}",
            *self._emptied("archive.orders"),
            f"insert into archive.orders values ({first}, 'after the truncate, same key', null)",
        )
        self._archive(range(first + 1, first + 4), f"after truncate {round_number}")
        self._run(f"delete from archive.orders where id = {first + 1}", {})

    def truncate_several_tables(self) -> None:
        """Truncate orders and, by cascade, their lines; both get rows again."""
        if self._truncates:
            self._run("truncate public.orders cascade", {})
        else:
            self._transaction(*self._emptied("public.order_lines", "public.orders"))
        for session in self._sessions:
            session.orders.clear()
        self._run(*self._order(3, customer_id=1))
        self._run(*self._line(3, 1))
        for session in self._sessions:
            for sql, parameters in self._new_order(session):
                self._run(sql, parameters)

    def change_quoted_names(self) -> None:
        """Change the table whose name and columns need quotes."""
        self._run('update public."Order" set "Mixed Case" = \'Ünïcode\' where "select" = 1', {})
        self._run('update public."Order" set "select" = 20 where "select" = 2', {})
        self._run('delete from public."Order" where "select" = 3', {})
        self._run("insert into public.\"Order\" values (4, null, '1969-12-31 00:00:00+00')", {})

    def emit_messages(self) -> None:
        """Write logical messages: in a transaction with rows, and without a transaction."""
        self._transaction(
            "update public.customers set active = true where id = 1",
            "select pg_logical_emit_message(true, 'recorder', 'inside a transaction')",
        )
        self._run("select pg_logical_emit_message(false, 'recorder', 'outside')", {})

    def request_incremental_snapshot(self, signal_id: str, names: Sequence[str]) -> None:
        """Ask for an incremental snapshot of the named tables through the signal table."""
        self._run(
            "insert into public.debezium_signal values (:id, 'execute-snapshot', :data)",
            {
                "id": signal_id,
                "data": json.dumps({"data-collections": list(names), "type": "incremental"}),
            },
        )

    def add_columns(self) -> None:
        """Add a nullable column and one whose default fills the rows that exist, silently."""
        self._script(self._main, tables.ADD_COLUMNS_SQL)
        self._run("update public.customers set nickname = 'Bo', loyalty = 8 where id = 1", {})
        self._run("update public.customers set legacy_code = 'last' where id = 2", {})

    def drop_and_widen_columns(self) -> None:
        """Drop a column, widen two, and use the new range."""
        self._script(self._main, tables.DROP_AND_WIDEN_SQL)
        self._has_legacy_code = False
        self._run("update public.customers set balance = 123456789012.34 where id = 2", {})
        self._run("update public.order_lines set qty = 100000 where order_id = 3", {})
        self._run("update public.customers set nickname = 'after the drop' where id = 5", {})
        self._run("update public.customers set id = 25 where id = 23", {})

    def rename_and_fill_columns(self) -> None:
        """Rename a column and add one that is filled; most rows are never touched again."""
        self._script(self._main, tables.RENAME_AND_FILL_SQL)
        self._run('update public."Order" set grade = 4 where "select" = 1', {})

    def mark(self, number: int, note: str) -> None:
        """Write the row that says: everything before me was committed before me."""
        self._run(
            "insert into public.recorder_marker values (:id, :note)", {"id": number, "note": note}
        )

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
            session.connection.run(sql, **parameters)
            if not statements:
                pending.remove(entry)

    def _random_transaction(self, session: _Session) -> Iterable[Statement]:
        kinds: list[Callable[[_Session], list[Statement]]] = [
            self._new_customer,
            self._touch_customer,
            self._touch_customer,
            self._rewrite_customer,
            self._move_customer,
            self._delete_customer,
            self._revive_customer,
            self._new_order,
            self._touch_order,
            self._move_order,
            self._delete_order,
            self._touch_lines,
            self._new_document,
            self._touch_document,
            self._delete_document,
            self._new_readings,
            self._change_readings,
        ]
        chosen = [self._random.choice(kinds) for _ in range(self._random.randint(1, 3))]
        statements = [statement for kind in chosen for statement in kind(session)]
        return [("begin", {}), *statements, ("commit", {})]

    def _fresh_id(self) -> int:
        self._next_id += 1
        return self._next_id

    def _pick(self, items: list[Any], take: bool = False) -> Any | None:
        if not items:
            return None
        index = self._random.randrange(len(items))
        return items.pop(index) if take else items[index]

    def _new_customer(self, session: _Session) -> list[Statement]:
        number = self._fresh_id()
        session.customers.append(number)
        return [self._customer(number, note=self._values.note())]

    def _touch_customer(self, session: _Session) -> list[Statement]:
        number = self._pick(session.customers)
        if number is None:
            return self._new_customer(session)
        return [
            (
                "update public.customers set name = :name, balance = cast(:balance as numeric),"
                " updated_at = cast(:updated_at as timestamp) where id = :id",
                {
                    "id": number,
                    "name": self._values.name(),
                    "balance": self._values.balance(),
                    "updated_at": self._values.wall_clock(),
                },
            )
        ]

    def _rewrite_customer(self, session: _Session) -> list[Statement]:
        number = self._pick(session.customers)
        if number is None:
            return self._new_customer(session)
        return [
            (
                "update public.customers set note = :note, tags = cast(:tags as text[]),"
                " prefs = cast(:prefs as jsonb) where id = :id",
                {
                    "id": number,
                    "note": self._values.note(),
                    "tags": self._values.tags(),
                    "prefs": self._values.preferences(),
                },
            )
        ]

    def _move_customer(self, session: _Session) -> list[Statement]:
        old = self._pick(session.customers, take=True)
        if old is None:
            return self._new_customer(session)
        new = self._fresh_id()
        session.customers.append(new)
        session.deleted_customers.append(old)
        return [("update public.customers set id = :new where id = :old", {"old": old, "new": new})]

    def _delete_customer(self, session: _Session) -> list[Statement]:
        number = self._pick(session.customers, take=True)
        if number is None:
            return self._new_customer(session)
        session.deleted_customers.append(number)
        return [("delete from public.customers where id = :id", {"id": number})]

    def _revive_customer(self, session: _Session) -> list[Statement]:
        number = self._pick(session.deleted_customers, take=True)
        if number is None:
            return self._touch_customer(session)
        session.customers.append(number)
        return [self._customer(number, note=self._values.note())]

    def _new_order(self, session: _Session) -> list[Statement]:
        number = self._fresh_id()
        session.orders.append(number)
        lines = [self._line(number, n) for n in range(1, self._random.randint(2, 3))]
        return [self._order(number, customer_id=self._random.randint(1, 200)), *lines]

    def _touch_order(self, session: _Session) -> list[Statement]:
        number = self._pick(session.orders)
        if number is None:
            return self._new_order(session)
        status = self._random.choice(["paid", "on hold", "shipped"])
        return [
            (
                "update public.orders set status = cast(cast(:status as text) as"
                " public.order_status) where id = :id",
                {"id": number, "status": status},
            )
        ]

    def _move_order(self, session: _Session) -> list[Statement]:
        old = self._pick(session.orders, take=True)
        if old is None:
            return self._new_order(session)
        new = self._fresh_id()
        session.orders.append(new)
        return [("update public.orders set id = :new where id = :old", {"old": old, "new": new})]

    def _delete_order(self, session: _Session) -> list[Statement]:
        number = self._pick(session.orders, take=True)
        if number is None:
            return self._new_order(session)
        return [("delete from public.orders where id = :id", {"id": number})]

    def _touch_lines(self, session: _Session) -> list[Statement]:
        number = self._pick(session.orders)
        if number is None:
            return self._new_order(session)
        return [
            (
                "update public.order_lines set qty = qty + 1, iv = cast(:iv as interval)"
                " where order_id = :id",
                {"id": number, "iv": self._random.choice(values.INTERVALS)},
            )
        ]

    def _new_document(self, session: _Session) -> list[Statement]:
        identifier = self._values.uuid()
        session.documents.append(identifier)
        return [self._document(identifier, body=self._values.note())]

    def _touch_document(self, session: _Session) -> list[Statement]:
        identifier = self._pick(session.documents)
        if identifier is None:
            return self._new_document(session)
        return [
            (
                "update public.documents set title = :title where id = cast(:id as uuid)",
                {"id": identifier, "title": self._values.name()},
            )
        ]

    def _delete_document(self, session: _Session) -> list[Statement]:
        identifier = self._pick(session.documents, take=True)
        if identifier is None:
            return self._new_document(session)
        return [("delete from public.documents where id = cast(:id as uuid)", {"id": identifier})]

    def _new_readings(self, session: _Session) -> list[Statement]:
        reading = self._reading(session.sensor, self._random.choice(["1.500", "-2.250"]))
        return [(INSERT_READING, reading)] * self._random.randint(1, 2)

    def _change_readings(self, session: _Session) -> list[Statement]:
        one = (
            "(select ctid from public.readings where sensor = :sensor"
            " order by value, at, ctid limit 1)"
        )
        change = self._random.choice(
            [
                f"update public.readings set value = value + 1 where ctid = {one}",
                f"delete from public.readings where ctid = {one}",
            ]
        )
        return [(change, {"sensor": session.sensor})]

    # -- Rows ----------------------------------------------------------------------------------

    def _customer(self, number: int, note: str | None) -> Statement:
        row = {
            "id": number,
            # Unique even when a deleted identifier is used again, or moved away from.
            "email": f"c{number}.{self._fresh_id()}@x.org",
            "name": self._values.name(),
            "balance": self._values.balance(),
            "note": note,
            "tags": self._values.tags(),
            "prefs": self._values.preferences(),
            "scores": self._values.scores(),
            "active": self._random.random() < 0.5,
            "created_at": self._values.instant(),
            "updated_at": self._values.wall_clock(),
            "birthday": self._values.birthday(),
        }
        if not self._has_legacy_code:
            return INSERT_CUSTOMER.format(column="", value=""), row
        row["legacy_code"] = self._random.choice(["L1", None])
        return INSERT_CUSTOMER.format(column=", legacy_code", value=", :legacy_code"), row

    def _order(self, number: int, customer_id: int) -> Statement:
        return INSERT_ORDER, {
            "id": number,
            "customer_id": customer_id,
            "status": "new",
            "total": self._random.choice(values.TOTALS),
            "ledger": self._random.choice(values.LEDGERS),
            "placed_at": self._random.choice(
                ["1969-12-31 23:59:59.999", "2026-02-03 04:05:06.700", "2026-02-03 04:05:06"]
            ),
            "payload": self._values.blob(),
            "uid": self._values.uuid(),
        }

    def _line(self, order_id: int, line_no: int) -> Statement:
        return INSERT_LINE, {
            "order_id": order_id,
            "line_no": line_no,
            "price": self._random.choice(["0.10", "-99.99", "12345678.90"]),
            "qty": self._random.randint(-32_768, 32_000),
            "ratio": self._random.choice(["0.1", "-3.4e38", "NaN", None]),
            "weight": self._random.choice(["0.1", "1e-300", "Infinity", "-Infinity", None]),
            "t": self._random.choice(["00:00:00", "23:59:59.999", "12:30:00.5", None]),
            "tz": self._random.choice(["11:51:30.123789+00", "23:30:00-05:30", None]),
            "iv": self._random.choice(values.INTERVALS),
            "bits": self._random.choice(["000000000001", "101000000000", "111111111111", None]),
        }

    def _document(self, identifier: str, body: str | None) -> Statement:
        return INSERT_DOCUMENT, {
            "id": identifier,
            "title": self._values.name(),
            "body": body,
            "meta": self._values.preferences(),
            "labels": self._values.tags(),
            "score": self._random.choice(["1.500", "-0.000001", "123456789012345678901.5", "0"]),
            "data": self._random.choice([self._values.random.randbytes(60), b"", None]),
            "refs": self._random.choice([[self._values.uuid(), self._values.uuid()], [], None]),
            "counts": self._random.choice([[2**63 - 1, -(2**63), 0, 1, 2, 3], [1], None]),
        }

    def _reading(self, sensor: str, value: str) -> dict[str, Any]:
        # Few different rows: equal ones are the point of this table.
        return {
            "sensor": sensor,
            "value": value,
            "at": self._random.choice(["2026-01-01 00:00:00+00", "2026-01-01 00:00:00.5+00"]),
            "raw": None,
        }

    def _archive(self, numbers: Iterable[int], reason: str) -> None:
        for number in numbers:
            self._run(
                "insert into archive.orders values (:id, :reason, cast(:at as timestamptz))",
                {"id": number, "reason": reason, "at": self._values.instant()},
            )

    # -- Running -------------------------------------------------------------------------------

    def _emptied(self, *tables: str) -> list[str]:
        """Return statements that empty tables."""
        verb = "truncate" if self._truncates else "delete from"
        return [f"{verb} {table}" for table in tables]

    def _run(self, sql: str, parameters: dict[str, Any]) -> None:
        self._main.run(sql, **parameters)

    def _transaction(self, *statements: str | Statement) -> None:
        self._main.run("begin")
        for statement in statements:
            sql, parameters = (statement, {}) if isinstance(statement, str) else statement
            self._main.run(sql, **parameters)
        self._main.run("commit")

    @staticmethod
    def _script(connection: Any, sql: str) -> None:
        # The extended protocol takes one statement at a time; none of ours holds a semicolon.
        for statement in sql.split(";"):
            if statement.strip():
                connection.run(statement)
