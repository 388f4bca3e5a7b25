"""The SQL Server connector."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from dev.simulator import columns as of
from dev.simulator.columns import PLACEHOLDER, Column
from dev.simulator.connect_schema import fields
from dev.simulator.connector import Connector, Emission
from dev.simulator.database import Change
from dev.simulator.features import Features
from dev.simulator.table import Row, Table, standard_table

INT32 = of.integers(32)


def table(features: Features, name: str = "articles") -> Table:
    """Return the standard table: the same columns whatever the features, but for the key."""
    values = (
        Column("name", "string", of.texts, optional=False),
        Column("qty", "int32", INT32, optional=False),
        Column("tiny", "int16", of.pick(0, 1, 255)),
        Column("big", "int64", of.integers(64)),
        Column("flag", "boolean", of.pick(True, False)),
        Column("ratio", "double", of.pick(0.0, 1.5, -2.25, 1e300, 0.1)),
        Column("weight", "float", of.pick(0.0, 0.5, -1.25, 1024.0)),
        of.decimal("price", 12, 2),
        of.decimal("cash", 19, 4),
        of.decimal("mass", 38, 10),
        of.moment("born", "Date", 0, -1, 17321, -719162, 2932896),
        of.moment("opens", "NanoTime", 0, 100, 37425678901200, 86399999999900),
        of.moment("logged", "Timestamp", 0, -3, 1531488225780),
        of.moment("seen", "NanoTimestamp", 0, -100, 1531481025340000000, 1478267490123456700),
        of.moment(
            "at", "ZonedTimestamp", "2018-07-13T12:23:45.456+11:00", "1969-12-31T23:59:59.9999999Z"
        ),
        Column("uid", "string", lambda rng: of.uuids(rng).upper()),
        Column("note", "string", of.long_texts),
        Column("page", "string", of.pick("<a>b</a>", "<x/>"), "io.debezium.data.Xml"),
        Column("blob", "bytes", of.byte_strings),
    )
    return standard_table(features, name, values, schema="dbo")


def lsn_text(lsn: int) -> str:
    """Return a log sequence number as SQL Server prints it: 8:8:4 hex digits."""
    return f"{lsn >> 48:08x}:{(lsn >> 16) & 0xFFFFFFFF:08x}:{lsn & 0xFFFF:04x}"


class SqlServer(Connector):
    """Positions: (commit_lsn, change_lsn, event_serial_no)."""

    name = "sqlserver"
    names_database = True

    def __init__(self, table: Table, topic: str, features: Features, rng: random.Random) -> None:
        """Set up the connector for one table."""
        super().__init__(table, topic, features, rng)
        if features.direct:
            self.version = self.versions[-1]

    def emissions(self, change: Change) -> list[Emission]:
        """CDC itself splits a key change into d and c, without a link between them."""
        *others, last = super().emissions(change)
        later = change.serial + (change.kind in ("update", "move"))
        return [
            *(replace(one, link=None, serial=change.serial) for one in others),
            replace(last, link=None, serial=later),
        ]

    def images(self, change: Change) -> tuple[Row | None, Row | None]:
        """From 3.6 on, `before` has the placeholder in unchanged (max) columns."""
        old, new = change.old, change.new
        if self.features.max_before and old and old["note"]:
            if new is None or new["note"] == old["note"]:
                return old | {"note": PLACEHOLDER}, new
        return old, new

    def change_source(self, change: Change, emission: Emission, no_commit: bool) -> dict[str, Any]:
        """Return both log sequence numbers and the serial."""
        return {
            "change_lsn": lsn_text(change.lsn),
            "commit_lsn": lsn_text(change.commit_lsn),
            "event_serial_no": emission.serial,
        }

    def read_source(self, marker: str, lsn: int, commit_lsn: int | None) -> dict[str, Any]:
        """A full read has the last commit's position only."""
        if marker == "incremental":
            return {
                "change_lsn": lsn_text(lsn),
                "commit_lsn": lsn_text(lsn + 1),
                "event_serial_no": 1,
            }
        return {
            "change_lsn": None,
            "commit_lsn": lsn_text(lsn if commit_lsn is None else commit_lsn),
            "event_serial_no": None,
        }

    def transaction_id(self, change: Change) -> str:
        """Return the commit's position."""
        return lsn_text(change.commit_lsn)

    def source_fields(self) -> list[dict[str, Any]]:
        """Return the position fields."""
        places = {"change_lsn": "string", "commit_lsn": "string"}
        return fields(places | {"event_serial_no": "int64"})

    @staticmethod
    def start_lsn(rng: random.Random) -> tuple[int, int, int]:
        """Start where a hex group carries into the next one."""
        start = rng.choice([0x27_00000AC0_0002, 0x27_FFFFFFFF_FF00, 0x09_00000FFF_FFF0])
        return start, rng.choice([3, 900]), 0x05_00000010_0001
