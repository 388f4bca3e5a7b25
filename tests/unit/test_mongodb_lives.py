"""Steps of one document become versions: as the reference says."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from dbt_debezium_spark.mongodb.lives import Content, HistoryOptions, Lives, Step
from reference.version_steps import Change
from reference.versions import Options, Version, versions_of_changes

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
KEY = "7"
TOLD = (
    "life", "version", "is_current", "from_event_id", "to_event_id", "tx_id", "to_tx_id",
    "began_by", "ended_by", "from_is_exact",
)  # fmt: skip


def moment(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else EPOCH + timedelta(microseconds=microseconds)


def micros(value: datetime | None) -> int | None:
    return None if value is None else (value - EPOCH) // timedelta(microseconds=1)


def drawn_steps(rng: random.Random) -> list[Change]:
    """Return steps as a walk may make them: it can begin anywhere, and clocks go back."""
    changes = []
    transaction, left = None, 0
    for number in range(rng.randint(1, 12)):
        if left == 0:
            transaction, left = None, 1
            if rng.random() < 0.3:
                transaction, left = (0, f"tx:{number}"), rng.randint(1, 4)
        left -= 1
        how = rng.choice(("insert", "update", "update", "read", "delete", "tombstone"))
        is_upsert = how not in ("delete", "tombstone")
        n = rng.randint(1, 3)
        document = json.dumps({"_id": 7, "n": n, "x": rng.randint(1, 2)}, separators=(",", ":"))
        at = rng.randint(1, 20) * 1_000_000
        no_transaction = how in ("read", "tombstone")
        changes.append(
            Change(
                is_upsert=is_upsert,
                how=how,
                event_id=f"t:0:{number}",
                at=at,
                source_at=None if how == "tombstone" else at,
                place=None,
                transaction=None if no_transaction else transaction,
                tx_id=None if no_transaction or transaction is None else transaction[1],
                incarnation=0,
                row={"_id": KEY, "document": document, "n": n} if is_upsert else {},
                unknown=frozenset(["document"] if is_upsert and rng.random() < 0.2 else []),
            )
        )
    return changes


def step_of(change: Change) -> Step:
    content = None
    if change.is_upsert:
        text = change.row["document"]
        content = Content(text, sorted(change.unknown), {"n": json.loads(text)["n"]})
    return Step(
        how=change.how,
        at=moment(change.at),
        event_id=change.event_id,
        pos=None,
        source_at=moment(change.source_at),
        transaction=None if change.transaction is None else str(change.transaction),
        tx_id=change.tx_id,
        incarnation=0,
        content=content,
        is_upsert=change.is_upsert,
    )


def kept(changes: list[Change], options: HistoryOptions) -> list[dict[str, Any]]:
    """Return the versions of a document."""
    lives = Lives(KEY, options)
    rows = [row for change in changes for row in lives.take(step_of(change))]
    return sorted([*rows, *lives.finish()], key=lambda row: row["_cdc_version"])


def expected(version: Version) -> dict[str, Any]:
    incarnation, event = version.scd_id[1:3]
    found = {name: getattr(version, name) for name in (*TOLD, "valid_from", "valid_to")}
    found["scd_id"] = hashlib.md5(f"{KEY}|{incarnation}|{event}".encode()).hexdigest()
    return found | {"row": version.row, "unknown": sorted(version.unknown)}


def shown(row: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: row.get(f"_cdc_{name}") for name in (*TOLD, "scd_id")}
    found |= {name: micros(row.get(f"_cdc_{name}")) for name in ("valid_from", "valid_to")}
    values = {name: row[name] for name in ("_id", "document", "n")}
    return found | {"row": values, "unknown": sorted(row["_cdc_unavailable"] or [])}


@pytest.mark.covers("support MongoDB: history")
@pytest.mark.parametrize("first", [0, 1000])
def test_versions_are_those_of_the_reference(first: int) -> None:
    for seed in range(first, first + 1000):
        rng = random.Random(seed)
        tracked = rng.choice((None, None, ("n",)))
        options = Options(
            within_transaction=rng.choice(("last", "all")),
            track=tracked,
            deleted_rows=rng.random() < 0.5,
        )
        ours = HistoryOptions(options.within_transaction == "all", tracked, options.deleted_rows)
        changes = drawn_steps(rng)
        told = versions_of_changes([(KEY, iter(changes))], [], options)
        versions = [one for one in told if not one.is_deleted]
        gaps = {one.version: one for one in told if one.is_deleted}
        rows = kept(changes, ours)
        assert [shown(row) for row in rows] == [expected(one) for one in versions], seed
        if options.deleted_rows:
            found = {row["_cdc_version"]: row for row in rows if row.get("_cdc_has_gap")}
            assert {*found} == {*gaps}, seed
            for number, row in found.items():
                gap = gaps[number]
                assert micros(row.get("_cdc_gap_to")) == gap.valid_to, seed
                assert row.get("_cdc_gap_ended_by") == gap.ended_by, seed
                assert row.get("_cdc_gap_to_event_id") == gap.to_event_id, seed


def test_not_a_number_is_itself() -> None:
    nan = float("nan")
    lives = Lives(KEY, HistoryOptions(tracked=("n",)))
    steps = [
        Step("insert", moment(1), "t:0:0", None, None, None, None, 0,
             Content('{"n":NaN,"x":1}', (), {"n": nan}), True),
        Step("update", moment(2), "t:0:1", None, None, None, None, 0,
             Content('{"n":NaN,"x":2}', (), {"n": float("nan")}), True),
    ]  # fmt: skip

    rows = [row for step in steps for row in lives.take(step)] + [*lives.finish()]

    assert [row["document"] for row in rows] == ['{"n":NaN,"x":2}']
