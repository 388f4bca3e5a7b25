"""The PostgreSQL connector."""

from __future__ import annotations

import json
import random
from typing import Any

from dev.simulator import columns as of
from dev.simulator.columns import Column
from dev.simulator.connect_schema import fields
from dev.simulator.connector import Connector, Emission
from dev.simulator.database import Change
from dev.simulator.features import Features
from dev.simulator.table import Row, Table, standard_table

INT32 = of.integers(32)


def table(features: Features, name: str = "articles") -> Table:
    """Return the standard table: the same columns whatever the features, but for the key."""
    toast = features.toast
    values = (
        Column("name", "string", of.texts, optional=False, toast=toast),
        Column("qty", "int32", INT32, optional=False),
        Column("small", "int16", of.integers(16)),
        Column("big", "int64", of.integers(64)),
        Column("flag", "boolean", of.pick(True, False)),
        Column("ratio", "double", of.doubles),
        Column("weight", "float", of.pick(0.0, 0.5, -1.25, 1024.0)),
        of.decimal("price", 12, 2),
        of.decimal("mass", 38, 10),
        of.moment("born", "Date", 0, -1, 17321, -719162, 2932896),
        of.moment("opens", "MicroTime", 0, 1, 47290123789, 86399999999, 86400000000),
        of.moment(
            "seen",
            "MicroTimestamp",
            0,
            -1,
            1529507596945104,
            -62135596800000000,
            253402300799999999,
        ),
        of.moment("noted", "Timestamp", 0, -1, 1529507596123),
        of.moment(
            "at",
            "ZonedTimestamp",
            "2018-07-13T01:23:45.456Z",
            "1969-12-31T23:59:59.999999Z",
            "2024-02-29T00:00:00Z",
        ),
        Column("uid", "string", of.uuids, of.UUID),
        Column("note", "string", of.long_texts, toast=toast),
        Column("doc", "string", of.json_texts, of.JSON, toast=toast),
        Column("blob", "bytes", of.byte_strings, toast=toast),
        Column("tags", "array", of.lists(of.texts), items={"type": "string"}, toast=toast),
        Column("nums", "array", of.lists(INT32), items={"type": "int32"}, toast=toast),
        Column("bigs", "array", of.lists(of.integers(64)), items={"type": "int64"}, toast=toast),
        Column(
            "uids",
            "array",
            of.lists(of.uuids),
            items={"type": "string", "semantic": of.UUID},
            toast=toast,
        ),
        Column("attrs", "string", of.json_texts, of.JSON, toast=toast),
    )
    return standard_table(features, name, values, schema="public", full=features.full_identity)


class PostgreSQL(Connector):
    """Positions: `lsn` for a row, `sequence` = [last commit, lsn] for the stream."""

    name = "postgresql"
    shares_positions = True

    def images(self, change: Change) -> tuple[Row | None, Row | None]:
        """An old image depends on the replica identity."""
        table, before, after = self.table, change.old, change.new
        if before is not None and not table.full:
            before = None if change.kind == "update" else table.partial_before(before)
        if before is not None or change.kind == "update":
            after = after and table.without_unchanged(after, change.unchanged)
        return before, after

    def change_source(self, change: Change, emission: Emission, no_commit: bool) -> dict[str, Any]:
        """Return lsn, txId and sequence."""
        commit = None if no_commit else change.previous_commit_lsn
        return {
            "sequence": _sequence(commit, change.lsn),
            "txId": change.transaction,
            "lsn": change.lsn,
            "xmin": None,
        }

    def read_source(self, marker: str, lsn: int, commit_lsn: int | None) -> dict[str, Any]:
        """Only rows of a full snapshot have an lsn."""
        if marker == "incremental":
            return {"sequence": _sequence(commit_lsn, lsn), "txId": None, "lsn": None, "xmin": None}
        return {"sequence": _sequence(None, lsn), "txId": 499, "lsn": lsn, "xmin": None}

    def transaction_id(self, change: Change) -> str:
        """Differs on each event of a transaction."""
        return f"{change.transaction}:{change.lsn}"

    def source_fields(self) -> list[dict[str, Any]]:
        """Return txId, lsn and xmin."""
        return fields({"txId": "int64", "lsn": "int64", "xmin": "int64"})

    @staticmethod
    def start_lsn(rng: random.Random) -> tuple[int, int, int]:
        """Start where digits, 32 bits or a double's exact integers end."""
        start = rng.choice([99_500, 23_758_184, 2**32 - 900, 2**53 - 700, 10**18 - 800])
        return start, rng.choice([3, 80]), rng.choice([1_000, 9_800])


def _sequence(commit: int | None, lsn: int) -> str:
    return json.dumps([None if commit is None else str(commit), str(lsn)], separators=(",", ":"))
