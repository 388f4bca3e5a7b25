"""The source database: rows, transactions that interleave, and the changes in commit order.

Positions are plain integers of one ever-growing log; each connector writes them in its own form.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dev.simulator.table import Row, Table


@dataclass(frozen=True)
class Stored:
    """A stored version of a row, and the columns the database keeps out of line."""

    row: Row
    toasted: frozenset[str] = frozenset()


@dataclass
class Change:
    """One logged change. `kind`: insert, update, delete, move (key change) or truncate.

    `late`: logged before the delete that it waited for.
    `serial` counts changes that share `lsn`; `unchanged` lists out-of-line columns that the change
    did not touch. Commit data is filled in when the transaction commits.
    """

    kind: str
    lsn: int
    old: Row | None
    new: Row | None
    unchanged: frozenset[str] = frozenset()
    old_unchanged: frozenset[str] = frozenset()
    serial: int = 1
    transaction: int = 0
    commit_lsn: int = 0
    previous_commit_lsn: int | None = None
    total_order: int = 0
    is_last: bool = False
    late: bool = False


def settle(
    changes: Sequence[Change], transaction: int, commit_lsn: int, previous: int | None
) -> None:
    """Fill in what the changes of a transaction have when it commits.

    Args:
        changes: in their order.
        transaction: its number.
        commit_lsn: where it commits.
        previous: where the transaction before it did.
    """
    for number, change in enumerate(changes, start=1):
        change.transaction = transaction
        change.commit_lsn = commit_lsn
        change.previous_commit_lsn = previous
        change.total_order = number
        change.is_last = number == len(changes)


@dataclass
class Transaction:
    """An open transaction: its changes so far and the versions only it can see.

    `waits`: the key of its insert that another transaction holds, where that insert was logged,
    and the row whose key it changes to this one, None where it inserts a row.
    """

    number: int
    changes: list[Change] = field(default_factory=list)
    writes: dict[Any, Stored | None] = field(default_factory=dict)
    truncates: bool = False
    waits: tuple[Any, int, Any] | None = None


class Database:
    """One table. Rows are identified by their key text, or by a hidden number without a key."""

    def __init__(
        self, table: Table, rng: random.Random, lsn: int, step: int, grain: int = 1
    ) -> None:
        """Start empty, the log at `lsn`, growing by up to `step` per record.

        A commit or a truncate starts at a multiple of `grain`: Oracle gives it an SCN of its own.
        """
        self.table = table
        self.committed: dict[Any, Stored] = {}
        self.open: list[Transaction] = []
        self.stream: list[Any] = []
        self.lsn = lsn
        self.last_commit_lsn: int | None = None
        self._rng = rng
        self._step = step
        self._grain = grain
        self._transactions = 500
        self._row_numbers = 0

    def advance(self) -> int:
        """Return the position of the next log record."""
        self.lsn += self._rng.randint(1, self._step)
        return self.lsn

    def advance_to_commit(self) -> int:
        """Return the position of a commit."""
        self.lsn = -(-self.advance() // self._grain) * self._grain
        return self.lsn

    def begin(self) -> Transaction:
        """Open a transaction."""
        self._transactions += 1
        transaction = Transaction(self._transactions)
        self.open.append(transaction)
        return transaction

    def visible(self, transaction: Transaction) -> dict[Any, Stored]:
        """Return the rows a transaction sees: committed ones and its own."""
        rows = {} if transaction.truncates else dict(self.committed)
        for row_id, stored in transaction.writes.items():
            rows.pop(row_id, None)
            if stored is not None:
                rows[row_id] = stored
        return rows

    def locked(self, transaction: Transaction) -> set[Any]:
        """Return the row ids that other open transactions hold."""
        return {
            row_id for other in self.open if other is not transaction for row_id in other.writes
        }

    def table_locked(self, transaction: Transaction) -> bool:
        """Tell whether another open transaction truncated the table."""
        return any(other.truncates for other in self.open if other is not transaction)

    def new_row_id(self) -> int:
        """Return a hidden row number, for tables without a key."""
        self._row_numbers += 1
        return self._row_numbers

    def insert(
        self, tx: Transaction, row_id: Any, row: Row, lsn: int | None = None, serial: int = 1
    ) -> Change:
        """Insert a row."""
        tx.writes[row_id] = Stored(row, self._out_of_line(row))
        return self._log(tx, Change("insert", lsn or self.advance(), None, row, serial=serial))

    def update(self, tx: Transaction, row_id: Any, changes: Row) -> Change:
        """Update columns that are not in the key."""
        old = self.visible(tx)[row_id]
        row = old.row | changes
        unchanged = old.toasted - set(changes)
        tx.writes[row_id] = Stored(row, unchanged | (self._out_of_line(row) & set(changes)))
        return self._log(
            tx, Change("update", self.advance(), old.row, row, unchanged, old_unchanged=unchanged)
        )

    def delete(self, tx: Transaction, row_id: Any, lsn: int | None = None) -> Change:
        """Delete a row."""
        old = self.visible(tx)[row_id]
        tx.writes[row_id] = None
        return self._log(tx, Change("delete", lsn or self.advance(), old.row, None))

    def move(
        self,
        tx: Transaction,
        row_id: Any,
        new_id: Any,
        changes: Row,
        lsn: int | None = None,
        serial: int = 1,
    ) -> Change:
        """Change a row's key, and perhaps other columns with it."""
        old = self.visible(tx)[row_id]
        row = old.row | changes
        unchanged = old.toasted - set(changes)
        tx.writes[row_id] = None
        tx.writes[new_id] = Stored(row, unchanged | (self._out_of_line(row) & set(changes)))
        change = Change("move", lsn or self.advance(), old.row, row, unchanged, serial=serial)
        return self._log(tx, change)

    def truncate(self, tx: Transaction) -> Change:
        """Truncate the table; needs that no other transaction holds any row."""
        tx.writes = {}
        tx.truncates = True
        return self._log(tx, Change("truncate", self.advance_to_commit(), None, None))

    def commit(self, transaction: Transaction) -> None:
        """Commit: the changes enter the stream, in one piece."""
        commit_lsn = self.advance_to_commit()
        settle(transaction.changes, transaction.number, commit_lsn, self.last_commit_lsn)
        self.stream += transaction.changes
        self.committed = self.visible(transaction)
        self.open.remove(transaction)
        self.last_commit_lsn = commit_lsn

    def roll_back(self, transaction: Transaction) -> None:
        """Forget a transaction; its log records stay behind, unread."""
        self.open.remove(transaction)

    def _log(self, transaction: Transaction, change: Change) -> Change:
        transaction.changes.append(change)
        return change

    def _out_of_line(self, row: Row) -> frozenset[str]:
        return frozenset(
            column.name
            for column in self.table.toasted
            if row[column.name] is not None and self._rng.random() < 0.7
        )
