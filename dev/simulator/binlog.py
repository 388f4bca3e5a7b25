"""What the connectors of MySQL and MariaDB share: both follow a binlog."""

from __future__ import annotations

import random
from abc import abstractmethod
from typing import Any

from dev.simulator import columns as of
from dev.simulator.columns import Column, base64_of
from dev.simulator.connect_schema import field, fields
from dev.simulator.connector import Connector, Emission
from dev.simulator.database import Change
from dev.simulator.features import Features
from dev.simulator.table import Table, standard_table

INT32 = of.integers(32)
TRANSACTION_BYTES = 256  # between two commits, at least
FILE_BYTES = 16_384
FIRST_EVENT = 4  # a binlog file begins with four bytes of its own
LONGEST = 839 * 3_600_000_000 - 1_000_000  # of a time of day


def table(features: Features, more: tuple[Column, ...], name: str = "articles") -> Table:
    """Return the standard table: the same columns whatever the features, but for the key."""
    values = (
        Column("name", "string", of.texts, optional=False),
        Column("qty", "int32", INT32, optional=False),
        Column("tiny", "int16", of.pick(0, 1, 255)),  # unsigned
        Column("flag", "int16", of.pick(0, 1)),  # tinyint(1)
        Column("medium", "int32", of.pick(0, 16_777_215)),  # unsigned
        Column("wide", "int64", of.pick(0, 4_294_967_295)),  # int unsigned
        Column("big", "int64", of.integers(64)),
        Column("huge", "int64", of.pick(0, 2**63 - 1, -(2**63), -1)),  # unsigned: wraps
        Column("bit", "boolean", of.pick(True, False)),
        Column(
            "mask",
            "bytes",
            of.pick(*(base64_of(raw) for raw in (b"\1\1", b"\0\0", b"\xff\1"))),
            "io.debezium.data.Bits",
            {"length": "9"},
        ),
        Column("ratio", "double", of.pick(0.0, 1.5, -2.25, 1e300, 0.1)),
        Column("weight", "float", of.pick(0.0, 0.5, -1.25, 1024.0)),
        of.decimal("price", 12, 2),
        of.decimal("vast", 65, 30),
        of.moment("born", "Date", 0, -1, 17321, -719162, 2932896),
        # a zero date of a column that is not nullable is the epoch
        of.moment("due", "Date", 0, 17321, optional=False),
        of.moment("opens", "MicroTime", 0, 47_290_123_789, -1_000, -LONGEST, LONGEST),
        of.moment("joined", "Year", 1901, 2016, 2155),
        of.moment("logged", "Timestamp", 0, -3, 1531488225780),
        of.moment("seen", "MicroTimestamp", 0, -1, 1529507596945104, 253402300799999999),
        of.moment(
            "at",
            "ZonedTimestamp",
            "2018-07-13T01:23:45.456Z",
            "1970-01-01T00:00:00Z",
            "2024-02-29T00:00:00.5Z",
        ),
        Column("size", "string", of.pick("S", "a,b", ""), "io.debezium.data.Enum"),
        Column("colours", "string", of.pick("", "red", "red,blue"), "io.debezium.data.EnumSet"),
        Column("note", "string", of.long_texts),
        Column("blob", "bytes", of.byte_strings),
    )
    return standard_table(features, name, values + more, schema="shop")


class Binlog(Connector):
    """Positions: (file, pos, row); a transaction is written when it commits."""

    server_id = 223_344
    file_name: str

    @abstractmethod
    def gtid(self, number: int) -> str | None:
        """Return the id of a transaction."""

    def change_source(self, change: Change, emission: Emission, no_commit: bool) -> dict[str, Any]:
        """Return where the change lies; a transaction's rows may share their event."""
        place, row = change.total_order, 0
        if self.features.compressed and change.kind != "truncate":
            # the place is the payload's, the row that in one of the events inside it
            place, row = 0, change.total_order % 2
        elif change.transaction % 2:
            place, row = place - place % 3, place % 3
        return self._position(change.commit_lsn, place, row) | {
            "server_id": self.server_id,
            "gtid": self.gtid(change.transaction),
            "thread": 7,
        }

    def read_source(self, marker: str, lsn: int, commit_lsn: int | None) -> dict[str, Any]:
        """A full read has the position at which the stream begins, and no server."""
        if marker == "incremental":
            position = self._position(lsn, 0, 0)
            return position | {"server_id": self.server_id, "gtid": self.gtid(lsn), "thread": None}
        position = self._position(lsn if commit_lsn is None else commit_lsn, 0, 0)
        return position | {"server_id": 0, "gtid": None, "thread": None}

    def is_placed(self, change: Change) -> bool:
        """Changes of a compressed transaction share theirs."""
        return not self.features.compressed or change.kind == "truncate"

    def transaction_id(self, change: Change) -> str:
        """Return the GTID, or the place of the transaction."""
        position = self._position(change.commit_lsn, 0, 0)
        place = f"file={position['file']},pos={position['pos']}"
        return self.gtid(change.transaction) or place

    def same_offset(self, one: Any, other: Any) -> bool:
        """Amid a compressed transaction nothing tells equal changes from repeats of each other."""
        if not self.features.compressed:
            return super().same_offset(one, other)
        both = isinstance(one, Change) and isinstance(other, Change)
        return both and one.transaction == other.transaction

    def location(self) -> dict[str, Any]:
        """There is no schema: the database takes its place."""
        return {"table": self.table.name}

    def source_ms(self, wall_ms: int) -> int:
        """The binlog counts seconds."""
        return super().source_ms(wall_ms) // 1000 * 1000

    def source_fields(self) -> list[dict[str, Any]]:
        """Return the position fields."""
        return [
            field("server_id", "int64", False),
            field("gtid", "string"),
            *fields({"file": "string", "pos": "int64", "row": "int32"}, False),
            *fields({"thread": "int64", "query": "string"}),
        ]

    @staticmethod
    def start_lsn(rng: random.Random) -> tuple[int, int, int]:
        """Start where a file's number gets another digit, the six-digit ones included."""
        per_file = FILE_BYTES // TRANSACTION_BYTES
        last = rng.choice([10_000, 100_000, 1_000_000, 1_000_000])
        return last * per_file - 300, rng.choice([3, 80]), rng.choice([70, 10 * per_file - 100])

    def _position(self, lsn: int, place: int, row: int) -> dict[str, Any]:
        file, offset = divmod(lsn * TRANSACTION_BYTES + place, FILE_BYTES)
        return {
            "file": f"{self.file_name}.{file:06d}",
            "pos": FIRST_EVENT + offset,
            "row": row,
            "query": None,
        }
