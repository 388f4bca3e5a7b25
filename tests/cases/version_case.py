"""A case of histories: a log, how it lands, and the versions that must come out. Said once.

    VersionCase(
        "a version ends when the next begins",
        Story().c(1, 10, "a").u(1, 20, "b"),
        [("a", 10, 20, "insert", "update"), ("b", 20, None, "update", None)],
    )

The reference runs it, and the SQL of histories in a lab, which lands the log in several ways.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reference import canonical_json
from reference.versions import Options, Version
from tests.cases.case import Case, Landing
from tests.cases.log import Log
from tests.cases.table import MARK_STEP, Story
from tests.cases.tables import plain_table
from tests.support.examples import START_MS

VERSIONS: list[VersionCase] = []
TIMES = ("valid_from", "valid_to", "source_at")
NAMES = (
    "life", "version", "is_current", "from_event_id", "to_event_id", "tx_id", "to_tx_id",
    "began_by", "ended_by", "from_is_exact", "previous_key", "next_key",
)  # fmt: skip


class Changes(Log):
    """A log in which each change is a transaction and happens at a second of its own.

    A change at the position 10 commits behind 9, ten seconds after the start.
    """

    def t(self, position: int | None, **more: Any) -> Log:
        """Truncate the table."""
        assert position is not None
        more.setdefault("commit", position - 1)
        more.setdefault("source", {"ts_ms": START_MS + 1000 * position})
        return super().t(position, **more)

    def r(self, number: int | None, position: int | None, v: Any = None, **more: Any) -> Log:
        """Read a row in an incremental snapshot, unless `snapshot` says else."""
        more.setdefault("snapshot", "incremental")
        return super().r(number, position, v, **{"commit": (position or 0) - 1, **more})

    def _change(
        self, op: str, number: int | None, position: int | None, v: Any, more: dict[str, Any]
    ) -> Log:
        assert position is not None
        more.setdefault("commit", position - 1)
        more.setdefault("ms", 1000 * position)
        return super()._change(op, number, position, v, more)


@dataclass(eq=False)
class VersionCase(Case):
    """A log and its versions by key and number.

    Attributes:
        rows: value, begin, end, what began and what ended each version. Times are seconds since
            the start, as in `more`. So are those of `after` and `landings`.
        more: further columns of the versions, by name.
        options: of the history.
    """

    rows: Sequence[tuple[Any, ...]] = ()  # type: ignore[assignment]
    more: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    options: Options = Options()  # noqa: RUF009

    def __post_init__(self) -> None:
        """Enter it into the list of cases of histories."""
        VERSIONS.append(self)

    def is_quick(self, landing: Landing) -> bool:
        """Tell whether `make test` lands the log so: each history costs seconds in the lab."""
        return landing.name == "whole" or (
            self.is_told(landing)
            and self.told_on is plain_table("postgresql")
            and stored(self.options) == Options()
        )

    def check(self, found: Sequence[Mapping[str, Any]], landing: str = "whole") -> None:
        """Compare versions, as `told_by` and `told_of` tell them, with what the case says."""
        assert self.rows_of(found) == list(self.rows), landing
        for name, expected in self.more.items():
            values = [_plain(name, one) for one in sorted(found, key=place_of)]
            assert values == list(expected), f"{landing}: {name}"

    def rows_of(self, found: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
        """Return versions as `rows` tells them."""
        return [
            (one["row"]["v"], _seconds(one["valid_from"]), _seconds(one["valid_to"]))
            + (one["began_by"], one["ended_by"])
            for one in sorted(found, key=place_of)
        ]


def place_of(told: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return what versions are ordered by."""
    return told["key"], told["version"], told["is_deleted"]


def told_by(version: Version, columns: Sequence[str]) -> dict[str, Any]:
    """Return what a version of the reference tells."""
    told = {name: getattr(version, name) for name in (*NAMES, *TIMES)}
    return told | {
        "key": version.key,
        "row": {name: version.row.get(name) for name in columns},
        "unknown": sorted(version.unknown),
        "is_deleted": version.is_deleted,
    }


def told_of(row: Mapping[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    """Return what a row of a history tells; `micros_` are its times in microseconds."""
    told = {name: row[f"_cdc_{name}"] for name in NAMES}
    told |= {name: row[f"micros_{name}"] for name in TIMES}
    return told | {
        "key": canonical_json(json.loads(row["_cdc_key"])),
        "row": {name: row[name] for name in columns},
        "unknown": sorted(row["_cdc_unavailable"] or []),
        "is_deleted": row.get("_cdc_is_deleted", False),
    }


def unmarked(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return a version with the keys that the case tells."""
    keys = {name: _own_key(told[name]) for name in ("key", "previous_key", "next_key")}
    return {**told, **keys, "row": {**told["row"], "id": told["row"]["id"] % MARK_STEP}}


def _own_key(text: str | None) -> str | None:
    return None if text is None else canonical_json({"id": json.loads(text)["id"] % MARK_STEP})


def _seconds(instant: int | None) -> float | None:
    return None if instant is None else instant / 1_000_000 - START_MS / 1_000


def _plain(name: str, told: Mapping[str, Any]) -> Any:
    """Return a column of a version as cases tell it; of events the place, of keys the id."""
    if name in told["row"]:
        return told["row"][name]
    value = told[name]
    if value is None:
        return None
    if name in TIMES:
        return _seconds(value)
    if name.endswith("event_id"):
        return int(value.rsplit(":", 1)[1])
    return json.loads(value)["id"] if name.endswith("key") else value


def stories(cases: Sequence[VersionCase]) -> Iterator[tuple[VersionCase, Landing, Story]]:
    """Yield a story for each way in which the log of a case lands."""
    landings = [(case, landing) for case in cases for landing in case.all_landings()]
    for number, (case, landing) in enumerate(landings, start=1):
        story = Story(case.told_on, f"history_{number}", number)
        for batch in landing.batches:
            story.batches.append([story.marked(case.records[one]) for one in batch])
        yield case, landing, story


def seconds(count: float) -> int:
    """Return an instant so many seconds after the start, as options have it."""
    return int(START_MS * 1_000 + count * 1_000_000)


def stored(options: Options) -> Options:
    """Return the options that the rows of the table depend on; the view does the rest."""
    return replace(options, first_from=None, valid_to_current=None)
