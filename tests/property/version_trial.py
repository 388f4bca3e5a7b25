"""Random histories whose versions are kept together, held against the reference of versions."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pyspark.sql import DataFrame, Row

from dev.simulator import History
from reference import KafkaRecord, canonical_json
from reference.as_of import cuts
from reference.versions import Options, Version, versions
from tests.property.histories import (
    BATCHES,
    KEYS,
    Difference,
    expected_values,
)
from tests.property.lab_trial import CONNECTOR, FOLDED, Folder, Staged, staged_groups, union
from tests.property.plain_values import comparable
from tests.support.lab import Lab, LabMacros, in_a_lab

TIMES = ("valid_from", "valid_to", "source_at")
TOLD = (
    "life",
    "version",
    "scd_id",
    "is_current",
    "from_event_id",
    "to_event_id",
    "tx_id",
    "to_tx_id",
    "began_by",
    "ended_by",
    "from_is_exact",
    "previous_key",
    "next_key",
)
INSTANTS = 1  # as of which a history is asked for its rows
DAY = 86_400_000_000


def configured(options: Options, slots: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return the configuration that asks for these options; columns by their names there."""
    named = slots or {}
    found: dict[str, Any] = {
        "within_transaction": options.within_transaction,
        "deleted_rows": options.deleted_rows,
    }
    if options.track is not None:
        found["track"] = [named.get(name, name) for name in options.track]
    if options.ignore:
        found["ignore"] = [named.get(name, name) for name in options.ignore]
    if options.keep is not None:
        found["keep"] = options.keep
    return found


def drawn_options(seed: int, *, documents: bool = False) -> Options:
    """Return options that a seed draws: those that mean the same in a table of many histories."""
    rng = random.Random(f"options {seed}")
    return Options(
        within_transaction=rng.choice(("last", "last", "all")),
        deleted_rows=rng.random() < 0.4,
        track=rng.choice((None, None, ("n", "address"))) if documents else None,
    )


@in_a_lab
def keep_together(
    lab: Lab,
    groups: Sequence[Sequence[History]],
    options: Options = Options(),  # noqa: B008
    *,
    most: int = BATCHES,
    late: bool = True,
    progress: Callable[[str], None] = lambda text: None,
    plans: Callable[[str], None] = lambda sql: None,
) -> list[Difference]:
    """Stage the histories of each group, keep the versions of all, and return every difference.

    The arguments are those of `lab_trial.fold_together`.
    """
    parts, batches, differences = staged_groups(lab, groups, most, late, progress)
    if differences:
        return differences
    staged = union(parts).localCheckpoint()
    keeper = _Keeper(lab, parts, options)
    histories = [history for part in parts for history in part.histories]
    for batch in range(1, max(map(len, batches.values())) + 1):
        plans(keeper.keep(staged.where(f"_cdc_batch_id = {batch}")))
        shown = keeper.versions()
        for history in histories:
            landed = [one for records in batches[history.topic][:batch] for one in records]
            expected = versions(landed, history.config, options)
            found = shown.pop(history.topic, [])
            differences += compare_versions(history, batch, expected, found)
            if batch == len(batches[history.topic]):
                differences += compare_as_of(history, landed, found)
        assert not shown, f"versions of no history: {shown}"
        progress(f"kept batch {batch}: {len(differences)} differences")
        if differences:
            break
    return differences


class _Keeper(Folder):
    """The history of the common table, and what it shows."""

    def __init__(self, lab: Lab, parts: Sequence[Staged], options: Options) -> None:
        """Configure a source for the staged events of these groups."""
        super().__init__(lab, parts)
        (slots,) = {json.dumps(configured(options, part.slots)) for part in parts}
        self._sources["sim"]["history"] = json.loads(slots)
        of_connectors = sorted({part.histories[0].connector for part in parts})
        lab.replaced["event_transaction"] = lambda macros: _transactions(macros, of_connectors)

    def keep(self, staged: DataFrame) -> str:
        """Keep versions of one more batch of staged events, and return the SQL that did."""
        lab = self._lab
        lab.append("stg", staged)
        lab.keep_versions(
            self._sources, "sim", "stg", "hist", table=FOLDED, key=["id"], columns=self._columns
        )
        return lab.sql["hist"]

    def versions(self) -> dict[str, list[dict[str, Any]]]:
        """Return what the history shows, by topic."""
        lab = self._lab
        sql = lab.macros(self._sources, "shown").stored_versions(
            lab.name("hist"), self._columns, _Config(self._sources["sim"]["history"])
        )
        shown: dict[str, list[dict[str, Any]]] = {}
        for row in with_times(lab.session.sql(sql)):
            key = json.loads(row["_cdc_key"])
            part, history = self._of_history[key["id"] // KEYS]
            shown.setdefault(history.topic, []).append(told(row, part.slots))
        return shown


def _transactions(
    macros: LabMacros, connectors: Sequence[str]
) -> Callable[[Mapping[str, Any]], str]:
    """Return the macro `event_transaction` for events of several connectors."""
    of_one = macros._macros["event_transaction"]

    def transaction(config: Mapping[str, Any]) -> str:
        branches = [
            f"when '{name}' then {of_one(_Config({**config, 'connector': name}))}"
            for name in connectors
        ]
        return f"case {CONNECTOR} {' '.join(branches)} end"

    return transaction


class _Config(dict[str, Any]):
    """A configuration as Jinja reads it."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


def with_times(frame: DataFrame) -> list[Row]:
    """Return the rows of a history, its times also as numbers."""
    times = [f"unix_micros(_cdc_{name}) as micros_{name}" for name in TIMES]
    return frame.selectExpr(*times, "*").collect()


def told_of_version(row: Row) -> dict[str, Any]:
    """Return what a row of a history says besides its columns."""
    said = {name: row[f"_cdc_{name}"] for name in TOLD}
    said |= {name: row[f"micros_{name}"] for name in TIMES}
    said["key"] = row["_cdc_key"]
    said["is_deleted"] = "_cdc_is_deleted" in row and row["_cdc_is_deleted"]
    said["unknown"] = sorted(row["_cdc_unavailable"] or [])
    return said


def told(row: Row, slots: Mapping[str, str]) -> dict[str, Any]:
    """Return what a row of a history says; `slots`: its columns by those of the table."""
    names = {slot: name for name, slot in slots.items()}
    said = told_of_version(row)
    return said | {
        **{name: _key(said[name]) for name in ("previous_key", "next_key", "key")},
        "key_text": said["key"],
        "unknown": sorted(names[slot] for slot in said["unknown"]),
        "row": {name: comparable(row[slot]) for name, slot in slots.items()},
    }


def _key(text: str | None) -> str | None:
    return None if text is None else canonical_json(json.loads(text))


def compare_versions(
    history: History,
    batch: int,
    expected: Sequence[Version],
    found: Sequence[Mapping[str, Any]],
) -> list[Difference]:
    """Return how the versions of a history differ from those of the reference."""
    texts = {one["key"]: one["key_text"] for one in found}
    wanted = {}
    for version in expected:
        text = texts.get(version.key)
        wanted[(version.key, version.version, version.is_deleted)] = {
            **{name: getattr(version, name) for name in (*TOLD, *TIMES)},
            "key": version.key,
            "key_text": text,
            "scd_id": scd_id(version, text or version.key),
            "is_deleted": version.is_deleted,
            "unknown": sorted(version.unknown),
            "row": expected_values(history, version.row),
        }
    shown = {(one["key"], one["version"], one["is_deleted"]): one for one in found}
    differences = []
    if len(shown) < len(found):
        differences.append(
            Difference(history.seed, batch, "", len(shown), len(found), "numbers are not unique in")
        )
    for name in sorted({*wanted, *shown}):
        one, other = wanted.get(name), shown.get(name)
        if one != other:
            seed, connector = history.seed, history.connector
            differences.append(version_difference(seed, batch, name, one, other, connector))
    return differences


def version_difference(
    seed: int,
    batch: int,
    name: Any,
    one: Mapping[str, Any] | None,
    other: Mapping[str, Any] | None,
    connector: str,
) -> Difference:
    """Return the difference of two versions, of which only what is unlike is told."""
    if one is not None and other is not None:
        unlike = [part for part in one if one[part] != other[part]]
        one, other = {part: one[part] for part in unlike}, {part: other[part] for part in unlike}
    return Difference(seed, batch, str(name), one, other, f"version of {connector}")


def compare_as_of(
    history: History, landed: Sequence[KafkaRecord], found: Sequence[Mapping[str, Any]]
) -> list[Difference]:
    """Return how rows as of a drawn event's time differ from those of the log cut there."""
    rng = random.Random(f"as of {history.seed}")
    differences = []
    for cut in cuts(
        landed, history.config, lambda instants: rng.sample(instants, min(INSTANTS, len(instants)))
    ):
        wanted = {
            key: (expected_values(history, row), sorted(unknown))
            for key, (row, unknown) in cut.rows.items()
        }
        shown: dict[Any, Any] = {}
        for one in found:
            if (
                one["valid_from"] <= cut.instant
                and (one["valid_to"] is None or cut.instant < one["valid_to"])
                and not one["is_deleted"]
            ):
                said = (one["row"], one["unknown"])
                shown[one["key"]] = [shown[one["key"]], said] if one["key"] in shown else said
        for key in sorted({*wanted, *shown}):
            if wanted.get(key) != shown.get(key):
                differences.append(
                    Difference(
                        history.seed, -1, f"{key} as of {cut.instant}",
                        wanted.get(key), shown.get(key), history.connector,
                    )
                )  # fmt: skip
    return differences


def scd_id(version: Version, key: str) -> str:
    """Return the hash that Spark must give."""
    _, incarnation, event, *gap = version.scd_id
    found = hashlib.md5(f"{key}|{incarnation}|{event}".encode()).hexdigest()
    return f"{found}/deleted" if gap else found
