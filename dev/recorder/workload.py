"""What happens in the database while it is recorded.

Two kinds of work: *scenes*, each written out because a consumer must see exactly that, and
*traffic*, random transactions (`traffic.py`). Scenes use rows with low identifiers and traffic the
others. The statements depend on the seed alone; positions, times and the boundaries of Debezium's
batches do not.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from dev.recorder import tables, truth, values
from dev.recorder.traffic import Kind, Session, Statement, Traffic
from dev.recorder.values import Values

SCENE_CUSTOMERS = 12
CUSTOMERS, ORDERS, DOCUMENTS = "public.customers", "public.orders", "public.documents"
LINES, READINGS = "public.order_lines", "public.readings"


class Workload(Traffic):
    """The scenes and the traffic of PostgreSQL."""

    signal_table = "public.debezium_signal"
    marker_table = "public.recorder_marker"
    snapshot_again = (CUSTOMERS, LINES)
    casts = {
        "archived_at": "timestamptz", "at": "timestamptz", "balance": "numeric",
        "birthday": "date", "bits": "bit(12)", "counts": "bigint[]", "created_at": "timestamptz",
        "data": "bytea", "iv": "interval", "labels": "text[]", "ledger": "numeric",
        "meta": "jsonb", "payload": "bytea", "placed_at": "timestamp", "prefs": "jsonb",
        "price": "numeric", "public.documents.id": "uuid", "ratio": "real", "raw": "jsonb",
        "refs": "uuid[]", "score": "numeric", "scores": "integer[]",
        "status": "text as public.order_status", "t": "time", "tags": "text[]",
        "total": "numeric", "tz": "timetz", "uid": "uuid", "updated_at": "timestamp",
        "value": "numeric", "weight": "double precision",
    }  # fmt: skip

    def __init__(self, connect: Callable[[], Any], seed: int, *, truncates: bool = True) -> None:
        """Open the connections; see `Traffic`."""
        super().__init__(connect, f"workload-{seed}", ("alpha", "beta"), truncates=truncates)
        self._values = Values(seed)
        self._has_legacy_code = True

    def save_truth(self, folder: Path) -> dict[str, int]:
        """Write what the tables hold now into a new folder; return their rows."""
        return truth.save(folder, truth.read_tables(self._main, tables.TRUTH_TABLES))

    # -- Before the connector ------------------------------------------------------------------

    def prepare(self) -> None:
        """Create the tables and the rows that the initial snapshot will read."""
        self._script(tables.SCHEMA_SQL)
        for number in range(1, SCENE_CUSTOMERS + 1):
            # Scene customers have out-of-line values: their later updates carry placeholders.
            self._do(self._customer(number, note=self._values.long_text()))
        for number in range(1, 5):
            self._do(self._order(number, customer_id=number))
            self._do(*(self._line(number, line_no) for line_no in (1, 2)))
        for session in self._sessions:
            for _ in range(2):
                for table in (CUSTOMERS, ORDERS, DOCUMENTS):
                    self._do(*self._new(session, table))
            for _ in range(3):
                self._do(self._reading(session.name, "1.500"))
        for number, name in enumerate(("first", "Second", "dritte ß"), start=1):
            self._run(
                'insert into public."Order" values (:id, :name, cast(:at as timestamptz))',
                id=number,
                name=name,
                at=self._values.instant(),
            )
        self._archive(range(1, 7), "before the connector")

    # -- Scenes --------------------------------------------------------------------------------

    def begin_transaction_that_spans_the_snapshot(self) -> None:
        """Write, uncommitted, while the connector takes its initial snapshot.

        The write's position lies before the position that the snapshot's rows will carry, and it is
        delivered after them.
        """
        self._begin_long(
            "update public.customers set name = 'open during the snapshot' where id = 12"
        )
        self._run("update public.customers set name = 'committed during it' where id = 11")

    def begin_long_transaction(self) -> None:
        """Write, uncommitted, before the windows open; the snapshot reads the old version."""
        self._begin_long(
            "update public.customers set name = 'open during the windows', balance = 10.01"
            " where id = 10",
            "delete from public.customers where id = 9",
        )

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
        self._run("update public.customers set id = 21, name = 'moved' where id = 7")
        self._run(
            "update public.customers set id = 22, note = :note where id = 8",
            note=self._values.long_text(),
        )
        # The old identifier lives again at once, with other values.
        self._transaction(
            "update public.customers set id = 23 where id = 21",
            self._customer(21, note=self._values.long_text()),
        )
        # Cascades to the order's lines.
        self._run("update public.orders set id = 31 where id = 1")
        self._run("update public.order_lines set line_no = line_no + 10 where order_id = 31")

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
        self._run("delete from public.orders where id = 2")
        self._do(self._order(2, customer_id=2))
        self._transaction(
            self._customer(24, note=self._values.long_text()),
            "update public.customers set name = 'updated where it was made' where id = 24",
            "delete from public.customers where id = 24",
        )

    def roll_back(self) -> None:
        """Roll back a transaction, and a part of another to a savepoint."""
        self._do(
            "begin",
            "update public.customers set name = 'never happened'",
            "truncate archive.orders",
            "rollback",
        )
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
        self._run("update public.customers set active = not active where id = 2")
        self._do(self._updated(CUSTOMERS, 2, note=self._values.long_text()))
        self._run("update public.customers set balance = -0.01, note = note where id = 2")
        self._run('update public.customers set prefs = \'{"theme": "plain"}\' where id = 1')
        self._run("update public.customers set note = null where id = 11")
        self._do(self._updated(ORDERS, 3, payload=self._values.random.randbytes(2_300)))
        self._run("update public.orders set status = 'on hold' where id = 3")
        document = self._values.uuid()
        self._do(self._document(document, body=self._values.long_text()))
        self._run("update public.documents set title = 'seen' where id = :id", id=document)
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
        self._run(f"update public.readings set value = 3 where ctid = {one}")
        self._run(f"delete from public.readings where ctid = {one}")
        self._run("update public.readings set raw = '[1]' where sensor = 'gamma' and value is null")
        # One row becomes equal to another.
        self._run(f"update public.readings set value = 3 where ctid = {one}")
        self._transaction(
            "delete from public.readings where sensor = 'gamma' and value = 2",
            self._inserted(
                READINGS, {"sensor": "gamma", "value": "2.000", "at": stamp, "raw": "{}"}
            ),
        )

    def truncate_and_insert(self, number: int) -> None:
        """Truncate a table whose topic has several partitions, between inserts before and after."""
        first = 100 * number
        self._archive(range(first, first + 5), f"before truncate {number}")
        self._transaction(
            f"update archive.orders set reason = 'doomed' where id >= {first}",
            *self._emptied("archive.orders"),
            f"insert into archive.orders values ({first}, 'after the truncate, same key', null)",
        )
        self._archive(range(first + 1, first + 4), f"after truncate {number}")
        self._run(f"delete from archive.orders where id = {first + 1}")

    def truncate_several_tables(self) -> None:
        """Truncate orders and, by cascade, their lines; both get rows again."""
        if self._truncates:
            self._run("truncate public.orders cascade")
        else:
            self._transaction(*self._emptied("public.order_lines", "public.orders"))
        for session in self._sessions:
            session.keys[ORDERS].clear()
        self._do(self._order(3, customer_id=1), self._line(3, 1))
        for session in self._sessions:
            self._do(*self._new(session, ORDERS))

    def change_quoted_names(self) -> None:
        """Change the table whose name and columns need quotes."""
        self._run('update public."Order" set "Mixed Case" = \'Ünïcode\' where "select" = 1')
        self._run('update public."Order" set "select" = 20 where "select" = 2')
        self._run('delete from public."Order" where "select" = 3')
        self._run("insert into public.\"Order\" values (4, null, '1969-12-31 00:00:00+00')")

    def emit_messages(self) -> None:
        """Write logical messages: in a transaction with rows, and without a transaction."""
        self._transaction(
            "update public.customers set active = true where id = 1",
            "select pg_logical_emit_message(true, 'recorder', 'inside a transaction')",
        )
        self._run("select pg_logical_emit_message(false, 'recorder', 'outside')")

    def add_columns(self) -> None:
        """Add a nullable column and one whose default fills the rows that exist, silently."""
        self._script(tables.ADD_COLUMNS_SQL)
        self._run("update public.customers set nickname = 'Bo', loyalty = 8 where id = 1")
        self._run("update public.customers set legacy_code = 'last' where id = 2")

    def drop_and_widen_columns(self) -> None:
        """Drop a column, widen two, and use the new range."""
        self._script(tables.DROP_AND_WIDEN_SQL)
        self._has_legacy_code = False
        self._run("update public.customers set balance = 123456789012.34 where id = 2")
        self._run("update public.order_lines set qty = 100000 where order_id = 3")
        self._run("update public.customers set nickname = 'after the drop' where id = 5")
        self._run("update public.customers set id = 25 where id = 23")

    def rename_and_fill_columns(self) -> None:
        """Rename a column and add one that is filled; most rows are never touched again."""
        self._script(tables.RENAME_AND_FILL_SQL)
        self._run('update public."Order" set grade = 4 where "select" = 1')

    # -- Traffic -------------------------------------------------------------------------------

    def _kinds(self) -> list[Kind]:
        touch_customer = self._change(CUSTOMERS, self._touched_customer)
        return [
            self._insert_new(CUSTOMERS),
            touch_customer,
            touch_customer,
            self._change(CUSTOMERS, self._rewritten_customer),
            self._move(CUSTOMERS),
            self._delete(CUSTOMERS),
            self._revive(CUSTOMERS, touch_customer),
            self._insert_new(ORDERS),
            self._change(ORDERS, self._touched_order),
            self._move(ORDERS),
            self._delete(ORDERS),
            self._change(ORDERS, self._touched_lines),
            self._insert_new(DOCUMENTS),
            self._change(
                DOCUMENTS,
                lambda key: self._updated(DOCUMENTS, key, title=self._random.choice(values.TEXTS)),
            ),
            self._delete(DOCUMENTS),
            self._new_readings,
            self._change_readings,
        ]

    def _new(self, session: Session, table: str, key: Any | None = None) -> list[Statement]:
        if key is None:
            key = self._values.uuid() if table == DOCUMENTS else self._fresh_id()
        session.keys[table].append(key)
        if table == CUSTOMERS:
            return [self._customer(key, note=self._values.note())]
        if table == DOCUMENTS:
            return [self._document(key, body=self._values.note())]
        lines = [self._line(key, n) for n in range(1, self._random.randint(2, 3))]
        return [self._order(key, customer_id=self._random.randint(1, 200)), *lines]

    def _touched_customer(self, key: int) -> Statement:
        drawn = self._values
        return self._updated(
            CUSTOMERS, key, name=self._random.choice(values.TEXTS), balance=drawn.balance(),
            updated_at=self._random.choice(values.WALL_CLOCKS),
        )  # fmt: skip

    def _rewritten_customer(self, key: int) -> Statement:
        drawn = self._values
        return self._updated(
            CUSTOMERS,
            key,
            note=drawn.note(),
            tags=self._random.choice(values.TAGS),
            prefs=drawn.preferences(),
        )

    def _touched_order(self, key: int) -> Statement:
        status = self._random.choice(["paid", "on hold", "shipped"])
        return self._updated(ORDERS, key, status=status)

    def _touched_lines(self, key: int) -> Statement:
        sql = (
            "update public.order_lines set qty = qty + 1, iv = cast(:iv as interval)"
            " where order_id = :id"
        )
        return sql, {"id": key, "iv": self._random.choice(values.INTERVALS)}

    def _new_readings(self, session: Session) -> list[Statement]:
        reading = self._reading(session.name, self._random.choice(["1.500", "-2.250"]))
        return [reading] * self._random.randint(1, 2)

    def _change_readings(self, session: Session) -> list[Statement]:
        one = (
            "(select ctid from public.readings where sensor = :sensor"
            " order by value, at, ctid limit 1)"
        )
        change = self._random.choice(
            ["update public.readings set value = value + 1", "delete from public.readings"]
        )
        return [(f"{change} where ctid = {one}", {"sensor": session.name})]

    # -- Rows ----------------------------------------------------------------------------------

    def _customer(self, number: int, note: str | None) -> Statement:
        row = {
            "id": number,
            # Unique even when a deleted identifier is used again, or moved away from.
            "email": f"c{number}.{self._fresh_id()}@x.org",
            "name": self._random.choice(values.TEXTS),
            "balance": self._values.balance(),
            "note": note,
            "tags": self._random.choice(values.TAGS),
            "prefs": self._values.preferences(),
            "scores": self._values.scores(),
            "active": self._random.random() < 0.5,
            "created_at": self._values.instant(),
            "updated_at": self._random.choice(values.WALL_CLOCKS),
            "birthday": self._values.birthday(),
        }
        if self._has_legacy_code:
            row["legacy_code"] = self._random.choice(["L1", None])
        return self._inserted(CUSTOMERS, row)

    def _order(self, number: int, customer_id: int) -> Statement:
        row = {
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
        return self._inserted(ORDERS, row)

    def _line(self, order_id: int, line_no: int) -> Statement:
        row = {
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
        return self._inserted(LINES, row)

    def _document(self, identifier: str, body: str | None) -> Statement:
        row = {
            "id": identifier,
            "title": self._random.choice(values.TEXTS),
            "body": body,
            "meta": self._values.preferences(),
            "labels": self._random.choice(values.TAGS),
            "score": self._random.choice(["1.500", "-0.000001", "123456789012345678901.5", "0"]),
            "data": self._random.choice([self._values.random.randbytes(60), b"", None]),
            "refs": self._random.choice([[self._values.uuid(), self._values.uuid()], [], None]),
            "counts": self._random.choice([[2**63 - 1, -(2**63), 0, 1, 2, 3], [1], None]),
        }
        return self._inserted(DOCUMENTS, row)

    def _reading(self, sensor: str, value: str) -> Statement:
        # Few different rows: equal ones are the point of this table.
        at = self._random.choice(["2026-01-01 00:00:00+00", "2026-01-01 00:00:00.5+00"])
        return self._inserted(READINGS, {"sensor": sensor, "value": value, "at": at, "raw": None})

    def _archive(self, numbers: Iterable[int], reason: str) -> None:
        for number in numbers:
            row = {"id": number, "reason": reason, "archived_at": self._values.instant()}
            self._do(self._inserted("archive.orders", row))

    # -- Running -------------------------------------------------------------------------------

    def _execute(self, connection: Any, sql: str, parameters: dict[str, Any]) -> None:
        connection.run(sql, **parameters)

    def _script(self, sql: str) -> None:
        # The extended protocol takes one statement at a time; none of ours holds a semicolon.
        self._do(*(statement for statement in sql.split(";") if statement.strip()))
