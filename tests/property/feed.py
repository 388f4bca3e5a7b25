"""What a consumer makes of a change feed, batch by batch, as the example of docs/feed.md does.

It holds a copy and takes from the feed only rows of batches above the highest that it holds. After
each batch the copy must be what the feed is. At the end, a state folded at once must give the same
feed, batch numbers included.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests.property.histories import Difference
from tests.support.lab import Lab

_LANDING = ("_cdc_batch_id", "_cdc_landed_at")


def feed_rows(
    lab: Lab, sources: Mapping[str, Any], table: str, columns: Sequence[str], state: str
) -> list[dict[str, Any]]:
    """Return the rows of the change feed of a lab's state."""
    sql = lab.macros(sources, "all").feed(
        source="sim", table=table, state=lab.name(state), columns=list(columns)
    )
    return [row.asDict() for row in lab.session.sql(sql).collect()]


class FeedConsumer:
    """A copy of a table's feed, and what is wrong with it."""

    def __init__(
        self, rows: Callable[[str], Iterable[dict[str, Any]]], seed_of: Callable[[str], int]
    ) -> None:
        """Begin empty.

        Args:
            rows: returns the rows of the feed of a state.
            seed_of: tells for a key the seed of its history.
        """
        self._rows = rows
        self._seed_of = seed_of
        self._copy: dict[str, dict[str, Any]] = {}
        self.deletes = 0  # keys that the copy learned to be gone without an event of their own

    def feed(self, state: str = "state") -> dict[str, dict[str, Any]]:
        """Return the rows of the feed of a state, by key."""
        rows = list(self._rows(state))
        assert len({row["_cdc_key"] for row in rows}) == len(rows), "the feed has a key twice"
        return {row["_cdc_key"]: row for row in rows}

    def follow(self, batch: int) -> list[Difference]:
        """Take what is new since the last batch, and return where the copy is wrong then."""
        rows = self.feed()
        highest = max((row["_cdc_batch_id"] for row in self._copy.values()), default=0)
        new = {key: row for key, row in rows.items() if row["_cdc_batch_id"] > highest}
        for key, row in new.items():
            before = self._copy.get(key)
            if before and not before["_cdc_is_deleted"] and row["_cdc_is_deleted"]:
                self.deletes += row["_cdc_op"] not in ("d", "tombstone")
        self._copy.update(new)
        return list(self._unlike(rows, self._copy, batch, "a copy of the feed", _LANDING))

    def folded_at_once(self, batch: int) -> list[Difference]:
        """Return where a state that is folded at once gives another feed."""
        return list(self._unlike(self.feed("anew"), self.feed(), batch, "the feed, batch by batch"))

    def _unlike(
        self,
        expected: Mapping[str, Mapping[str, Any]],
        found: Mapping[str, Mapping[str, Any]],
        batch: int,
        where: str,
        without: Sequence[str] = (),
    ) -> Iterator[Difference]:
        for key in sorted({*expected, *found}):
            wanted, own = (
                {name: repr(value) for name, value in rows.get(key, {}).items()}
                for rows in (expected, found)
            )
            names = [
                name
                for name in {**wanted, **own}
                if name not in without and wanted.get(name) != own.get(name)
            ]
            if names:
                yield Difference(
                    self._seed_of(key),
                    batch,
                    key,
                    {name: wanted.get(name) for name in names},
                    {name: own.get(name) for name in names},
                    f"in {where}",
                )


def seed_of_ids(seeds: Mapping[int, int], per_history: int) -> Callable[[str], int]:
    """Return a function from a key to its history's seed: ids tell the number of the history."""
    return lambda key: seeds.get(json.loads(key)["id"] // per_history, -1)
