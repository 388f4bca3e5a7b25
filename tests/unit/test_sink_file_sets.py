"""Which files of a sink a run reads together, and which wait."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from dbt_debezium_spark.inputs.sinks.file_sets import Known, SinkFile, plan_files
from dbt_debezium_spark.inputs.sinks.names import connect_name
from dbt_debezium_spark.landing.listing import File

FOLDER = "topics/t/partition=0"


def file(name: str) -> SinkFile:
    path = f"{FOLDER}/{name}"
    listed = File(path, f"file:/{path}", 1, datetime(2026, 1, 1, tzinfo=UTC))
    return SinkFile(listed, connect_name(path))


def read(*names: str) -> Known:
    """Return what the ledger tells after these files were read."""
    highest: dict[tuple[str, int, str], int] = {}
    for name in names:
        told = file(name).name
        place = (told.topic, told.partition, told.part)
        highest[place] = max(highest.get(place, -1), told.first_offset)
    return Known(frozenset(f"{FOLDER}/{name}" for name in names), highest)


V0, K0, H0 = "t+0+0.json", "t+0+0.keys.avro", "t+0+0.headers.avro"
V5, K5 = "t+0+5.json", "t+0+5.keys.avro"
OTHER_KEYS = "t+0+0.keys.json"
SOURCE = {"known": read(V0, K0)}
LATE = {K0: "its values landed before it, without their keys"}
TWICE = {OTHER_KEYS: "another file has the keys of the same values"}

# new files => the sets that are read, what waits, what is refused; and what was read before
PLANS: dict[str, tuple[list[str], list[tuple[str, ...]], list[str], dict[str, Any]]] = {
    "values without keys are read at once": ([V0, V5], [(V0,), (V5,)], [], {}),
    "keys and headers are read with their values": ([H0, V0, K0], [(V0, K0, H0)], [], {}),
    "the newest values wait for keys that others have": ([V0, K0, V5], [(V0, K0)], [V5], {}),
    "and for those that earlier runs read": ([V5], [], [V5], SOURCE),
    "until there are keys": ([V5, K5], [(V5, K5)], [], SOURCE),
    "older values do not wait, as their keys would be there": (
        [V0, V5, K5], [(V0,), (V5, K5)], [], {},
    ),
    "values wait for headers too": ([V5, K5], [], [V5, K5], {"known": read(V0, K0, H0)}),
    "keys wait for their values": ([K0], [], [K0], {}),
    "keys that come after their values have landed are told": (
        [K0], [], [], {"known": read(V0), "old": [V0], "refused": LATE},
    ),
    "values are read again with keys that changed": ([K0], [(V0, K0)], [], {**SOURCE, "old": [V0]}),
    "values that changed are read with the same keys": (
        [V0], [(V0, K0)], [], {**SOURCE, "old": [K0]},
    ),
    "two files with the keys of the same values are told": (
        [V0, K0, OTHER_KEYS], [(V0, K0)], [], {"refused": TWICE},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", PLANS)
def test_files_are_read_together(case: str) -> None:
    names, sets, waiting, more = PLANS[case]
    files = [file(name) for name in names]
    new = frozenset(one.file.name for one in files)
    old = [file(name) for name in more.get("old", ())]
    plan = plan_files([*files, *old], more.get("known", Known()), new)

    assert [tuple(_short(one) for one in files.files) for files in plan.sets] == sets
    assert sorted(_short(one) for one in plan.waiting) == waiting
    refused = {uri.rpartition("/")[2]: why for uri, why in plan.refused.items()}
    assert {name: why.partition(";")[0] for name, why in refused.items()} == more.get("refused", {})


def _short(one: SinkFile) -> str:
    return one.file.name.rpartition("/")[2]
