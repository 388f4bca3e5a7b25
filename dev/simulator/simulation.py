"""Let a database work, a connector follow it, and things go wrong between them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dev.simulator.broker import TOMBSTONE_TEXTS, Broker, Said
from dev.simulator.connector import Connector, Emission
from dev.simulator.database import Change, Database
from dev.simulator.features import Features
from dev.simulator.table import Row, Table
from dev.simulator.transaction_topic import TransactionTopic
from dev.simulator.workload import Workload
from reference import Epoch, canonical_json


@dataclass
class Chunk:
    """An incremental snapshot's chunk, where its window closes in the stream."""

    row_ids: list[Any]
    rows: list[Row]
    lsn: int
    previous_commit_lsn: int | None
    emitted: bool = False


@dataclass
class FullRead:
    """An ad hoc snapshot, where its signal lies in the stream."""

    lsn: int
    commit_lsn: int
    emitted: bool = False


class Simulation:
    """One history in the making."""

    def __init__(
        self,
        table: Table,
        connector: Connector,
        broker: Broker,
        features: Features,
        key_rows: list[Row],
        rng: random.Random,
    ) -> None:
        """Set up an empty table; `key_rows` are the keys that may ever live in it."""
        start, step, self._restored_lsn = connector.start_lsn(rng)
        self.table = table
        self.connector = connector
        self.broker = broker
        self.features = features
        self.rng = rng
        self.database = Database(table, rng, start, step, connector.grain)
        self.workload = Workload(self.database, features, connector.name, key_rows, rng)
        self.epochs: list[Epoch] = []
        self.incarnations: list[int] = []
        self.doubts: list[str] = []
        self._cursor = 0  # next piece of the stream to send
        self._floor = 0  # the connector never goes back before this one
        self._no_commit: int | str | None = None  # transaction whose last commit is unknown
        self._key_schema = features.schemas == "with"
        self._chunk_to_redo: list[Any] | None = None
        self._ever_sent = 0  # pieces of the stream that some run has sent
        self.transactions = TransactionTopic(connector.name, connector.prefix)

    def run(self, steps: int) -> None:
        """Run the whole history; at its end everything committed has been sent."""
        self._start()
        disasters = self._disasters(steps)
        for step in range(steps):
            for disaster in disasters.get(step, []):
                disaster()
            self.workload.work(self.rng.randint(0, 3))
            if self.rng.random() < 0.6:
                self.send(self.rng.randint(1, 6))
            if self.features.redelivery and self.rng.random() < 0.1:
                self._crash()
            if self.features.incremental and self.rng.random() < 0.1:
                self._read_chunk()
            if self.features.blocking != "no" and self.rng.random() < 0.06:
                self._ask_for_snapshot()
        self.workload.finish()
        self.send()
        if self.features.ends_in_redelivery and self._cursor > self._floor:
            self._crash()
            self.send(self.rng.randint(1, 5))

    def send(self, pieces: int | None = None) -> None:
        """Send the next pieces of the stream, all of them by default."""
        stream = self.database.stream
        end = len(stream) if pieces is None else min(len(stream), self._cursor + pieces)
        while self._cursor < end:
            self._send_piece(self._cursor)
            self._cursor += 1
            self._ever_sent = max(self._ever_sent, self._cursor)
        if pieces is None and self._chunk_to_redo is not None:
            self._redo_chunk()
            self.send()

    def _start(self) -> None:
        if self.features.initial != "empty":
            self.workload.fill()
        if self.features.initial == "snapshot":
            if self.features.broken_snapshot:
                self._snapshot(broken=True)
                self.workload.work(3, kinds=("insert", "update"))
                self.workload.finish()
            self._snapshot()
        else:
            self._cursor = self._floor = len(self.database.stream)

    def _disasters(self, steps: int) -> dict[int, list[Callable[[], None]]]:
        """Choose when the rare things happen."""
        features, plan = self.features, []
        if features.snapshot_again:
            plan.append(self._snapshot_again)
        if features.restore != "no":
            plan.append(self._restore)
        if features.add_partitions:
            plan.append(self.broker.add_partitions)
        if features.second_topic:
            plan.append(self.broker.change_topic)
        if features.recreate_topic:
            plan.append(self._recreate_topic)
        if features.schemas == "mixed":
            plan.append(self._turn_key_schemas_on)
        at: dict[int, list[Callable[[], None]]] = {}
        for disaster in plan:
            at.setdefault(self.rng.randrange(max(1, steps)), []).append(disaster)
        return at

    # Streaming.

    def _send_piece(self, index: int, only_records: int | None = None) -> None:
        piece = self.database.stream[index]
        if isinstance(piece, Chunk):
            self._send_chunk(piece, index)
            return
        if isinstance(piece, FullRead):
            self._read_all(piece)
            return
        no_commit = self._sends_no_commit(piece)
        sent = 0
        for emission in self.connector.emissions(piece):
            if only_records is not None and sent >= only_records:
                return
            position = self.connector.change_source(piece, emission, no_commit)
            self._send(emission, position, "false", index, self._transaction(piece), piece)
            sent += 1
            if emission.tombstone and self.features.tombstones != "off":
                if only_records is not None and sent >= only_records:
                    return
                self._send_tombstone(emission, index)
                sent += 1
        if piece.is_last:
            self.transactions.committed(self.broker.now_ms)

    def _sends_no_commit(self, change: Change) -> bool:
        if self._no_commit == "next":
            self._no_commit = change.transaction
            if change.late:
                self._no_commit = None  # nothing tells that the insert came behind the delete
        return self._no_commit == change.transaction

    def _transaction(self, change: Change) -> dict[str, Any] | None:
        if self.features.transaction_topic:
            return self.transactions.event(
                change.transaction,
                self.connector.transaction_id(change),
                self.connector.data_collection,
                self.broker.now_ms,
            )
        if not self.features.transaction_metadata:
            return None
        order: Any = change.total_order
        if self.features.quoted_numbers:
            order = str(order)
        return {
            "id": self.connector.transaction_id(change),
            "total_order": order,
            "data_collection_order": order,
        }

    def _send(
        self,
        emission: Emission,
        position: dict[str, Any],
        marker: str,
        order: int,
        transaction: dict[str, Any] | None = None,
        change: Change | None = None,
    ) -> None:
        if emission.op == "t":
            self.broker.tick()
        key = None if emission.key_row is None else self.table.key_of(emission.key_row)
        value = self.connector.value(emission, position, marker, self.broker.now_ms, transaction)
        key_text = None if key is None else canonical_json(key)
        true_row = change.new if change is not None else emission.after
        said = {
            "t": Said("truncate", None, order),
            "d": Said("gone", key_text, order),
        }.get(emission.op, Said("row", key_text, order, true_row))
        with_schema = self.features.schemas == "with" or (
            self.features.schemas == "mixed" and self.rng.random() < 0.5
        )
        self.broker.append(
            self.connector.key_text(key, self._key_schema),
            self.connector.value_text(value, with_schema),
            self.connector.headers(emission.link),
            said,
            self.connector.tells_retry(change, order < self._ever_sent),
        )
        if emission.op == "t":
            self.broker.tick()

    def _send_tombstone(self, emission: Emission, order: int) -> None:
        assert emission.key_row is not None
        key = self.table.key_of(emission.key_row)
        text = None if key is None else canonical_json(key)
        self.broker.append(
            self.connector.key_text(key, self._key_schema),
            TOMBSTONE_TEXTS[self.features.tombstones],
            self.connector.headers(emission.link),
            Said("nothing" if key is None else "gone", text, order),
        )

    def _crash(self) -> None:
        """Die, perhaps amid the records of one change, and resume from an older offset."""
        if self._cursor < len(self.database.stream) and self.rng.random() < 0.5:
            if isinstance(self.database.stream[self._cursor], Change):
                self._send_piece(self._cursor, only_records=self.rng.randint(1, 2))
        self._cursor = self.rng.randint(max(self._floor, self._cursor - 8), self._cursor)
        while self._cursor > self._floor and self._amid_one_position():
            self._cursor -= 1
        if self.connector.name == "postgresql" and self.rng.random() < 0.3:
            self._tell_another_commit()
        self._start_run()
        self._resume_transactions()
        self.broker.tick()

    def _resume_transactions(self) -> None:
        """Let the transaction topic go on behind the last change before the cursor."""
        if self.features.transaction_topic:
            sent = self.database.stream[self._floor : self._cursor]
            self.transactions.resume(
                [(self.connector, one) for one in sent if isinstance(one, Change)]
            )

    def _tell_another_commit(self) -> None:
        """Let a resumed connector take another commit for the last one before (spec 5.2).

        One and the same from then on: otherwise nothing would order what it sends twice.
        """
        stream = self.database.stream
        first = stream[self._cursor] if self._cursor < len(stream) else None
        if not isinstance(first, Change) or first.previous_commit_lsn is None:
            return
        another = first.previous_commit_lsn + 1
        for piece in stream:
            if isinstance(piece, Change) and piece.transaction == first.transaction:
                piece.previous_commit_lsn = another

    def _start_run(self) -> None:
        self.connector.run += 1
        self.broker.end_batches()

    def _amid_one_position(self) -> bool:
        """An offset holds a position: nothing resumes between two changes that share it."""
        stream = self.database.stream
        if self._cursor >= len(stream):
            return False
        return self.connector.same_offset(stream[self._cursor - 1], stream[self._cursor])

    # Snapshots.

    def _snapshot(self, broken: bool = False) -> int:
        """Read the whole table; streaming goes on from where it began. Returns how many rows."""
        database = self.database
        self.workload.finish_truncates()
        self._start_run()
        start = database.advance()
        # Another table's commit, so that no two snapshots share a position.
        database.last_commit_lsn = commit_lsn = database.advance_to_commit()
        if self.connector.name == "postgresql":
            start = database.advance()
        cursor = len(database.stream)
        if self.features.overlap and not broken:
            self.workload.work(4)
        rows = [stored.row for stored in database.committed.values()]
        if broken:
            rows = rows[: self.rng.randint(0, len(rows))]
        self._send_reads(rows, start, commit_lsn, broken)
        self._cursor = self._floor = cursor
        self._chunk_to_redo = None
        self._no_commit = "next"
        return len(rows)

    def _send_reads(self, rows: list[Row], lsn: int, commit_lsn: int, broken: bool = False) -> None:
        self.broker.tick()
        for number, row in enumerate(rows):
            last = number == len(rows) - 1 and not broken
            marker = "last" if last else "first" if number == 0 else "true"
            position = self.connector.read_source(marker, lsn, commit_lsn)
            order = len(self.database.stream) - 1
            self._send(Emission("r", row, None, row), position, marker, order)
        self.broker.tick()

    def _ask_for_snapshot(self) -> None:
        """Write a signal into the source: once the connector reads it, it reads the table."""
        database = self.database
        if self.features.blocking == "drained":
            self.workload.finish_truncates()
        database.last_commit_lsn = lsn = database.advance_to_commit()
        database.stream.append(FullRead(lsn, lsn))
        if self.features.blocking == "drained":
            self.send()

    def _read_all(self, asked: FullRead) -> None:
        """Streaming pauses, the table is read as it is now, streaming goes on from where it was.

        After a crash before the signal the connector meets it again, or has noted that it is done.
        Perhaps somebody asked twice: nothing happens between both, which share their position.
        """
        again, asked.emitted = asked.emitted, True
        if again and self.rng.random() < 0.5:
            return
        self.workload.finish_truncates()
        unsent = self.database.stream[max(self._ever_sent, self._cursor) :]
        if self.features.blocking == "drained" and any(isinstance(p, Change) for p in unsent):
            return
        rows = [stored.row for stored in self.database.committed.values()]
        times = self.rng.choice([1, 1, 2])
        if not self.table.key and len(rows) < 2:
            # The only read is marked as the last: nothing but a run tells where another begins.
            if again and self.features.headers != "all":
                return
            times = 1
        for _ in range(times):
            self._send_reads(rows, asked.lsn, asked.commit_lsn)

    def _snapshot_again(self) -> None:
        """The connector lost its offsets: what it had not sent is lost, too."""
        if self.features.hidden_deletes:
            self.workload.work(12)  # it was down for a while
        self.workload.finish_truncates()
        unsent = self.database.stream[self._cursor :]
        hides = any(isinstance(p, Change) and p.kind not in ("insert", "update") for p in unsent)
        hidden = self.table.key and hides and self.features.hidden_deletes
        if self.table.key and hides and not hidden:
            self.send()
        elif not hidden and (self.rng.random() < 0.5 or not self.database.committed):
            self.send()  # a snapshot of an empty table says nothing
        rows = self._snapshot()
        if hidden and not (self.features.close_unseen and rows):
            self.doubts.append("a repeated snapshot hides deletes")

    def _read_chunk(self) -> None:
        """Open a window, let the database work, close it, and read what did not change in it."""
        committed = list(self.database.committed)
        if not committed:
            return
        first = self.rng.randrange(len(committed))
        chunk = committed[first : first + 3]
        opened = len(self.database.stream)
        self.workload.work(self.rng.randint(0, 3))
        self._close_window(chunk, opened)

    def _redo_chunk(self) -> None:
        """A crash took the connector back before a chunk: it is read afresh."""
        row_ids, self._chunk_to_redo = self._chunk_to_redo or [], None
        self._close_window(row_ids, len(self.database.stream))

    def _close_window(self, row_ids: list[Any], opened: int) -> None:
        database = self.database
        self.workload.finish_truncates()
        changed: set[str] = set()
        for piece in database.stream[opened:]:
            if isinstance(piece, Change):
                if piece.kind == "truncate":
                    changed.update(map(repr, row_ids))
                for image in (piece.old, piece.new):
                    if image is not None:
                        changed.add(repr(self.workload.row_id(image)))
        survivors = [
            row_id
            for row_id in row_ids
            if row_id in database.committed and repr(row_id) not in changed
        ]
        previous = database.last_commit_lsn
        lsn = database.advance()
        database.last_commit_lsn = database.advance_to_commit()
        rows = [database.committed[row_id].row for row_id in survivors]
        database.stream.append(Chunk(row_ids, rows, lsn, previous))

    def _send_chunk(self, chunk: Chunk, order: int) -> None:
        if chunk.emitted:
            self._chunk_to_redo = chunk.row_ids
            return
        chunk.emitted = True
        if self._no_commit == "next":
            self._no_commit = None  # the commit that the reads tell is known from now on
        for row in chunk.rows:
            position = self.connector.read_source(
                "incremental", chunk.lsn, chunk.previous_commit_lsn
            )
            self._send(Emission("r", row, None, row), position, "incremental", order)

    # Positions and offsets that start again.

    def _restore(self) -> None:
        """The source comes back with the same rows and a log that starts lower."""
        self.workload.finish()
        self.send()
        self.database.lsn = self._restored_lsn
        self.database.last_commit_lsn = None
        self._cursor = self._floor = len(self.database.stream)
        self.broker.end_batches()  # an epoch of offsets begins behind what it repeats
        boundary = self.broker.tick()
        if self.features.restore in ("epoch", "both") or self._positions_decide():
            self.epochs.append(self._epoch(boundary))
        elif self.table.key:
            # The snapshot resets only the marks of the keys it reads.
            self.workload.bar_dead_keys()
        self.broker.tick()
        if self.features.restore in ("snapshot", "both"):
            overlap, self.workload.paused = self.workload.paused, True
            self._snapshot()
            self.workload.paused = overlap

    def _positions_decide(self) -> bool:
        """Tell whether a snapshot does not show that positions started again.

        Rows born after the restore would lie below the truncates before it; of a table without a
        key, deletes from before it above those behind.
        """
        keyless = not self.table.key and self.features.truncates
        return self.workload.truncated or keyless

    def _epoch(self, boundary: int) -> Epoch:
        moves = self.features.add_partitions or self.features.recreate_topic
        if moves or self.features.second_topic or self.rng.random() < 0.5:
            return Epoch(from_ms=boundary)
        offsets = {
            partition: self.broker.next_offsets.get(partition, 0)
            for partition in range(self.broker.partitions)
        }
        return Epoch(topic=self.broker.topic, offsets=offsets)

    def _recreate_topic(self) -> None:
        self.incarnations.append(self.broker.create_anew())

    def _turn_key_schemas_on(self) -> None:
        """The converter's configuration changes: keys are written anew and may move."""
        self.broker.tick()
        self._key_schema = not self._key_schema
