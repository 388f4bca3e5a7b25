"""What the users of the source database do: random transactions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

from dev.simulator.database import Database, Transaction
from dev.simulator.features import Features
from dev.simulator.table import Row
from reference import canonical_json

MOST_OPEN = 3


class Workload:
    """Random changes in transactions that interleave; row locks keep them apart."""

    def __init__(
        self,
        database: Database,
        features: Features,
        connector: str,
        key_rows: list[Row],
        rng: random.Random,
    ) -> None:
        """Work on `database` with the keys of `key_rows`.

        Without a key they are whole rows, few, so that equal ones come about.
        """
        self.paused = False
        self.truncated = False
        self._database = database
        self._table = database.table
        self._features = features
        self._connector = connector
        self._rng = rng
        self._key_rows = key_rows
        self._by_id = {self.row_id(row): row for row in key_rows} if self._table.key else {}
        self._barred: set[Any] = set()

    def row_id(self, row: Row) -> Any:
        """Return what identifies a row: its key, or all of it."""
        return canonical_json(self._table.key_of(row) or row)

    def fill(self) -> None:
        """Commit some first rows."""
        transaction = self._database.begin()
        for _ in range(self._rng.randint(1, len(self._key_rows))):
            self._insert(transaction)
        self._database.commit(transaction)

    def work(self, changes: int, kinds: Iterable[str] | None = None) -> None:
        """Make up to so many random changes."""
        for _ in range(0 if self.paused else changes):
            transaction = self._some_transaction()
            self._change(transaction, kinds)
            if transaction not in self._database.open or transaction.waits:
                continue
            fate = self._rng.random()
            if fate < 0.45:
                self._database.commit(transaction)
            elif fate < 0.5:
                self._database.roll_back(transaction)

    def finish(self) -> None:
        """End every open transaction."""
        for transaction in list(self._database.open):
            if transaction.waits:
                self._go_on(transaction)
            if transaction not in self._database.open:
                continue
            if not transaction.waits and self._rng.random() < 0.8:
                self._database.commit(transaction)
            else:
                self._database.roll_back(transaction)

    def finish_truncates(self) -> None:
        """End transactions that truncated the table: nobody can read it before they do."""
        for transaction in list(self._database.open):
            if transaction.truncates:
                self._database.commit(transaction)

    def bar_dead_keys(self) -> None:
        """Never again use keys that are not alive now."""
        self._barred = set(self._by_id) - set(self._database.committed)

    def _some_transaction(self) -> Transaction:
        running = self._database.open
        if running and (len(running) >= MOST_OPEN or self._rng.random() < 0.6):
            return self._rng.choice(running)
        return self._database.begin()

    def _change(self, transaction: Transaction, kinds: Iterable[str] | None) -> None:
        if self._database.table_locked(transaction):
            return
        if transaction.waits:
            self._go_on(transaction)
            return
        features = self._features
        weights: dict[str, tuple[Callable[[Transaction], object], int]] = {
            "insert": (self._insert, 5),
            "update": (self._update, 6),
            "delete": (self._delete, 3),
            "move": (self._move, 3 if features.key_changes else 0),
            "swap": (self._swap, 2 if features.swaps else 0),
            "shift": (self._shift, 2 if features.swaps else 0),
            "truncate": (self._truncate, 1 if features.truncates else 0),
            "copy": (self._copy, 3 if features.copy else 0),
            "race": (self._race, 4 if features.late_births else 0),
            "rewrite": (self._rewrite, 4 if features.direct else 0),
            "renumber": (self._renumber, 3 if features.direct and self._table.key else 0),
        }
        allowed = [name for name in weights if kinds is None or name in kinds]
        name = self._rng.choices(allowed, [weights[name][1] for name in allowed])[0]
        weights[name][0](transaction)

    def _free_ids(self, transaction: Transaction) -> list[Any]:
        taken = set(self._database.visible(transaction)) | self._database.locked(transaction)
        return [row_id for row_id in self._by_id if row_id not in taken | self._barred]

    def _own_ids(self, transaction: Transaction) -> list[Any]:
        locked = self._database.locked(transaction)
        return [row_id for row_id in self._database.visible(transaction) if row_id not in locked]

    def _insert(self, transaction: Transaction) -> None:
        if not self._table.key:
            row = dict(self._rng.choice(self._key_rows))
            self._database.insert(transaction, self._database.new_row_id(), row)
            return
        free = self._free_ids(transaction)
        if free:
            row_id = self._rng.choice(free)
            row = self._table.random_row(self._by_id[row_id], self._rng)
            self._database.insert(transaction, row_id, row)

    def _copy(self, transaction: Transaction) -> None:
        """Insert several rows at one position, some of them equal."""
        lsn = self._database.advance()
        row = dict(self._rng.choice(self._key_rows))
        for _ in range(self._rng.randint(2, 3)):
            if self._rng.random() < 0.3:
                row = dict(self._rng.choice(self._key_rows))
            self._database.insert(transaction, self._database.new_row_id(), row, lsn)

    def _update(self, transaction: Transaction) -> None:
        ids = self._own_ids(transaction)
        if not ids:
            return
        if self._table.key:
            self._database.update(transaction, self._rng.choice(ids), self._new_values())
        else:
            row = self._rng.choice(self._key_rows)
            names = [c.name for c in self._table.columns]
            changed = self._rng.sample(names, self._rng.randint(1, len(names)))
            self._database.update(
                transaction, self._rng.choice(ids), {name: row[name] for name in changed}
            )

    def _new_values(self) -> Row:
        columns = [c for c in self._table.columns if c.name not in self._table.key]
        changed = self._rng.sample(columns, self._rng.randint(1, 4))
        return {c.name: self._table.random_value(c, self._rng) for c in changed}

    def _delete(self, transaction: Transaction) -> None:
        ids = self._own_ids(transaction)
        if ids:
            self._database.delete(transaction, self._rng.choice(ids))

    def _move(self, transaction: Transaction) -> None:
        ids, free = self._own_ids(transaction), self._free_ids(transaction)
        if ids and free:
            row_id, new_id = self._rng.choice(ids), self._rng.choice(free)
            more = self._new_values() if self._rng.random() < 0.5 else {}
            self._move_row(transaction, row_id, new_id, more)

    def _move_row(
        self,
        transaction: Transaction,
        row_id: Any,
        new_id: Any,
        more: Row,
        lsn: int | None = None,
        serial: int = 1,
    ) -> None:
        key = self._by_id[new_id]
        self._database.move(transaction, row_id, new_id, more | key, lsn, serial)

    def _swap(self, transaction: Transaction) -> None:
        """Let two rows swap keys: over a free key, or as SQL Server logs one statement."""
        ids, free = self._own_ids(transaction), self._free_ids(transaction)
        if len(ids) < 2:
            return
        one, other = self._rng.sample(ids, 2)
        if self._connector == "sqlserver" and self._rng.random() < 0.5:
            rows = self._database.visible(transaction)
            first, second = rows[one].row, rows[other].row
            self._database.update(transaction, one, second | self._by_id[one])
            self._database.update(transaction, other, first | self._by_id[other])
        elif free:
            spare = self._rng.choice(free)
            self._move_row(transaction, one, spare, {})
            self._move_row(transaction, other, one, {})
            self._move_row(transaction, spare, other, {})

    def _shift(self, transaction: Transaction) -> None:
        """Move a run of keys up by one, the highest first, as `id = id + 1` does."""
        order, own, end = self._run_of_keys(transaction)
        if not end:
            return
        shared = self._connector == "sqlserver" and self._rng.random() < 0.5
        lsn = self._database.advance() if shared else None
        serial = 1
        while end > 0 and order[end - 1] in own:
            self._move_row(transaction, order[end - 1], order[end], {}, lsn, serial)
            if self._rng.random() < 0.3:
                return
            end -= 1
            serial += 2 if shared else 0

    def _run_of_keys(self, transaction: Transaction) -> tuple[list[Any], set[Any], int]:
        """Return all keys in order, those at hand, and the place behind some of these, 0 if none.

        The key at that place is free.
        """
        order = sorted(self._by_id, key=lambda row_id: self._by_id[row_id]["id"])
        own, free = set(self._own_ids(transaction)), set(self._free_ids(transaction))
        ends = [n for n in range(1, len(order)) if order[n] in free and order[n - 1] in own]
        return order, own, self._rng.choice(ends) if ends else 0

    def _truncate(self, transaction: Transaction) -> None:
        others = [other for other in self._database.open if other is not transaction]
        if any(other.writes or other.waits for other in others):
            return
        self.truncated = True
        if self._connector in ("mysql", "mariadb"):
            # a statement of DDL commits what was done before it, and itself
            self._database.commit(transaction)
            transaction = self._database.begin()
            self._database.truncate(transaction)
            self._database.commit(transaction)
        else:
            self._database.truncate(transaction)

    def _race(self, transaction: Transaction) -> None:
        """Delete a row whose key another transaction has just logged an insert of.

        That one waits for the end of this one: what it logged lies below the delete.
        """
        ids = self._own_ids(transaction)
        if not ids:
            return
        row_id = self._rng.choice(ids)
        other = self._database.begin()
        moved = [
            one
            for one in self._own_ids(other)
            if one != row_id and one not in self._barred and one not in transaction.writes
        ]
        renames = self._features.key_changes and moved and self._rng.random() < 0.4
        origin = self._rng.choice(moved) if renames else None
        if origin is not None:
            other.writes[origin] = self._database.committed[origin]  # it holds that row
        other.waits = (row_id, self._database.advance(), origin)
        if self._rng.random() < 0.5:
            self._database.update(transaction, row_id, self._new_values())
        self._database.delete(transaction, row_id)

    def _go_on(self, transaction: Transaction) -> None:
        """Insert what a transaction waited to, if the key is free by now."""
        assert transaction.waits is not None
        row_id, lsn, origin = transaction.waits
        if row_id in self._database.locked(transaction):
            return
        if row_id in self._database.visible(transaction):
            self._database.roll_back(transaction)  # the key is not unique
            return
        transaction.waits = None
        if origin is None:
            row = self._table.random_row(self._by_id[row_id], self._rng)
            change = self._database.insert(transaction, row_id, row, lsn)
        else:
            more = self._new_values() if self._rng.random() < 0.5 else {}
            change = self._database.move(
                transaction, origin, row_id, more | self._by_id[row_id], lsn
            )
        change.late = True

    def _rewrite(self, transaction: Transaction) -> None:
        """Update rows of a unique column: all deletes, then all inserts, as SQL Server logs it."""
        ids = self._own_ids(transaction)
        chosen = self._rng.sample(ids, min(len(ids), self._rng.randint(1, 3)))
        rows = self._database.visible(transaction)
        pairs = []
        for row_id in chosen:
            if self._table.key:
                pairs.append((row_id, row_id, rows[row_id].row | self._new_values()))
            else:
                new_id = self._database.new_row_id()
                pairs.append((row_id, new_id, dict(self._rng.choice(self._key_rows))))
        self._delete_and_insert(transaction, pairs)

    def _renumber(self, transaction: Transaction) -> None:
        """Move a run of keys up by one, as `id = id + 1` does of several rows in direct mode."""
        order, own, end = self._run_of_keys(transaction)
        if not end:
            return
        start = end
        while start > 0 and order[start - 1] in own:
            start -= 1
        start = self._rng.randint(start, end - 1)
        rows = self._database.visible(transaction)
        self._delete_and_insert(
            transaction,
            [
                (order[n], order[n + 1], rows[order[n]].row | self._by_id[order[n + 1]])
                for n in range(start, end)
            ],
        )

    def _delete_and_insert(
        self, transaction: Transaction, pairs: list[tuple[Any, Any, Row]]
    ) -> None:
        """Delete rows and insert others for them; each pair is logged beside each other.

        The log has the insert first where the value falls. Both halves may share their place, then
        with serials of their own, or since 3.7 with one.
        """
        places = []
        for _ in pairs:
            lsns = [self._database.advance(), self._database.advance()]
            insert_first = self._rng.random() < 0.6
            delete, insert = reversed(lsns) if insert_first else lsns
            shared = self._rng.random() < 0.25
            places.append((delete, delete if shared else insert))
        for (row_id, _, _), (lsn, _) in zip(pairs, places, strict=True):
            self._database.delete(transaction, row_id, lsn)
        for (_, new_id, row), (_, lsn) in zip(pairs, places, strict=True):
            serial = self._rng.choice([1, 2])
            self._database.insert(transaction, new_id, row, lsn, serial)
