"""The Oracle connector, by LogMiner: Debezium 2.1.4 and 3.6."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from dev.simulator import columns as of
from dev.simulator.columns import Column
from dev.simulator.connect_schema import fields
from dev.simulator.connector import Connector, Emission
from dev.simulator.database import Change
from dev.simulator.features import Features
from dev.simulator.table import Row, Table, standard_table

INT32 = of.integers(32)
GRAIN = 8  # log records of one SCN, at most
STATEMENTS = 4  # changes of one redo record, at most
PLAIN_NUMBER = "io.debezium.data.VariableScaleDecimal"


def table(features: Features, name: str = "ARTICLES") -> Table:
    """Return the standard table: the same columns whatever the features, but for the key."""
    lob = features.toast
    values = (
        Column("NAME", "string", _texts(of.texts, features), optional=False),
        Column("QTY", "int32", INT32, optional=False),
        Column("TINY", "int8", of.pick(-99, 0, 1, 99)),
        Column("BIG", "int64", of.pick(0, -1, 999999999999999999, -999999999999999999)),
        of.decimal("PRICE", 12, 2),
        of.decimal("MASS", 38, 10),
        of.decimal("ROUNDED", 20, -2),
        Column("AMOUNT", "struct", _plain_numbers, PLAIN_NUMBER),
        Column("RATIO", "double", of.doubles),
        Column("WEIGHT", "float", of.pick(0.0, 0.5, -1.25, 1024.0)),
        # a DATE has a time of day
        of.moment("BORN", "Timestamp", 0, -1000, 1522154096000),
        of.moment("SEEN", "MicroTimestamp", 0, -1, 1529507596945104, -62135596800000000),
        of.moment("LOGGED", "NanoTimestamp", 0, -1, 1522154096125456789),
        of.moment(
            "AT", "ZonedTimestamp", "2018-07-13T12:23:45.456789123+11:00", "1969-12-31T23:59:59Z"
        ),
        Column("BODY", "string", _texts(of.long_texts, features), toast=lob),
        Column("PAGE", "string", of.pick("<a>b</a>", "<x/>"), "io.debezium.data.Xml", toast=lob),
        _binary("SCAN", features, toast=lob),
        _binary("DIGEST", features),
    )
    return standard_table(
        features,
        name,
        values,
        database="ORCLPDB1",
        schema="DEBEZIUM",
        code=Column("CODE", "string", _texts(of.texts, features), optional=False),
    )


def _texts(
    draw: Callable[[random.Random], str], features: Features
) -> Callable[[random.Random], str]:
    """Draw texts; where BLOBs are texts, too, none that would be the placeholder of one."""
    if features.binary == "bytes":
        return draw
    form = of.in_binary_mode(of.base64_of(of.PLACEHOLDER.encode()), features.binary)

    def drawn(rng: random.Random) -> str:
        text = draw(rng)
        return "a" if text == form else text

    return drawn


def _binary(name: str, features: Features, toast: bool = False) -> Column:
    """Return a RAW or BLOB in the binary mode."""
    mode = features.binary
    if mode == "bytes":
        return Column(name, "bytes", of.byte_strings, toast=toast)
    return Column(
        name,
        "string",
        lambda rng: of.in_binary_mode(of.byte_strings(rng), mode),
        parameters={"binary.handling.mode": mode},
        toast=toast,
    )


def _plain_numbers(rng: random.Random) -> dict[str, Any]:
    """Draw a NUMBER without a scale: each value carries its own."""
    unscaled = rng.choice([0, 5, -1, 10**38, -(10**40) - 1, rng.randint(-99999, 99999)])
    scale = rng.choice([0, 3, 20]) if unscaled == 0 else rng.choice([0, 3, 20, -2])
    return {"scale": scale, "value": of.base64_decimal(unscaled)}


class Oracle(Connector):
    """Positions: (SCN, rs_id, ssn); the SCN is shared by several changes.

    A transaction of a cluster writes to the redo of one thread, whose rs_ids are its own.
    """

    name = "oracle"
    names_database = True
    mixes_places = True
    grain = GRAIN

    def __init__(self, table: Table, topic: str, features: Features, rng: random.Random) -> None:
        """Set up the connector for one table."""
        super().__init__(table, topic, features, rng)
        self.threads = rng.choice([1, 1, 2])

    def images(self, change: Change) -> tuple[Row | None, Row | None]:
        """LOB columns are never in `before`, and in `after` when the change wrote them."""
        old, new = change.old, change.new
        if old is None:
            return None, new
        lobs = frozenset(column.name for column in self.table.toasted)
        before = self.table.without_unchanged(old, lobs)
        if new is None:
            return before, None
        unwritten = frozenset(name for name in lobs if old[name] == new[name])
        return before, self.table.without_unchanged(new, unwritten)

    def change_source(self, change: Change, emission: Emission, no_commit: bool) -> dict[str, Any]:
        """Return SCNs and redo record; before 3.2 only the last change knows its own commit."""
        commit = change.commit_lsn
        if self._is_old and not change.is_last:
            commit = change.previous_commit_lsn or change.lsn
        position = self._position(change.lsn, commit, change.transaction)
        if not self.is_placed(change):
            position |= self._without_order(change, position)
        return position | self._extras(
            {"txSeq": change.total_order, "start_scn": str(change.lsn // GRAIN)}
        )

    def is_placed(self, change: Change) -> bool:
        """Some have no number in their redo record."""
        return not (self.features.unordered and change.kind != "move" and change.lsn % 3 == 0)

    def _without_order(self, change: Change, position: dict[str, Any]) -> dict[str, Any]:
        """Return what takes the order away within an SCN: a number that did not fit, no record."""
        if self._is_old:
            # no redo record changes a row twice
            return {"rs_id": f"{position['rs_id'][:-4]}{change.lsn % STATEMENTS:04x}", "ssn": -1}
        return {"rs_id": None, "ssn": 0}

    def read_source(self, marker: str, lsn: int, commit_lsn: int | None) -> dict[str, Any]:
        """An incremental read carries what the event carried that closed its window."""
        if marker == "incremental":
            return self._position(lsn, commit_lsn or lsn, 499) | self._extras({})
        return {
            "txId": None,
            "scn": str((lsn if commit_lsn is None else commit_lsn) // GRAIN),
            "commit_scn": None,
            "lcr_position": None,
            "rs_id": None,
            "ssn": 0,
            "redo_thread": None,
            "user_name": None,
        } | self._extras({})

    def _position(self, lsn: int, commit_lsn: int, transaction: int) -> dict[str, Any]:
        thread = 1 + transaction % self.threads
        record = lsn // STATEMENTS
        return {
            "txId": self._xid(transaction),
            "scn": str(lsn // GRAIN),
            "commit_scn": str(commit_lsn // GRAIN),
            "lcr_position": None,
            # thread 2 is behind with its log files
            "rs_id": f" 0x{(0x44 >> thread) + (record >> 32) % 999:06x}.{record % 2**32:08x}.0010",
            "ssn": 8 + lsn % STATEMENTS,
            "redo_thread": thread,
            "user_name": "UNKNOWN",
        }

    @staticmethod
    def _xid(transaction: int) -> str:
        return f"{transaction % 16:02x}001c00{transaction:08x}"

    @property
    def _is_old(self) -> bool:
        return self.version.startswith("2.1.")

    def _extras(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the members that came between 2.6 and 3.2."""
        if self._is_old:
            return {}
        return {name: values.get(name) for name in EXTRAS}

    def transaction_id(self, change: Change) -> str:
        """Return the XID."""
        return self._xid(change.transaction)

    def source_fields(self) -> list[dict[str, Any]]:
        """Return the position fields."""
        ssn = "int32" if self._is_old else "int64"
        kinds = {
            "txId": "string",
            "scn": "string",
            "commit_scn": "string",
            "lcr_position": "string",
            "rs_id": "string",
            "ssn": ssn,
            "redo_thread": "int32",
            "user_name": "string",
        }
        kinds |= {} if self._is_old else EXTRAS
        return fields(kinds)

    @staticmethod
    def start_lsn(rng: random.Random) -> tuple[int, int, int]:
        """Start where the digits of the SCN, or what a number type holds, end."""
        start = rng.choice([990, 2_122_185, 9_999_990, 2**53 - 40, 2**63 - 40, 10**20 - 30])
        return start * GRAIN, rng.choice([2, 5, 60]), rng.choice([95, 500]) * GRAIN


EXTRAS = {
    "redo_sql": "string",
    "row_id": "string",
    "commit_ts_ms": "int64",
    "start_scn": "string",
    "start_ts_ms": "int64",
    "txSeq": "int64",
}
