"""Groups of histories that share a table, and which of them are folded together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from dev.simulator import History
from tests.property.histories import histories_of


@dataclass(frozen=True)
class Group:
    """Histories of one connector that share a staging model.

    Attributes:
        connector: of all of them.
        first: seed of the first history; it draws what the table and the source have in common.
        count: how many there are, with consecutive seeds.
        fixed: switches of `Features` that are not drawn.
    """

    connector: str
    first: int
    count: int
    fixed: dict[str, Any] = field(default_factory=dict)

    @property
    def seeds(self) -> range:
        """The seeds of its histories."""
        return range(self.first, self.first + self.count)


def draw(groups: Sequence[Group], *, alone: bool = False) -> list[list[History]]:
    """Return the histories of each group; no two have the same topic or the same ids."""
    drawn: list[list[History]] = []
    for group in groups:
        drawn.append(
            histories_of(
                group.seeds,
                group.connector,
                topic=f"simulated.{group.connector}_{group.first}.articles",
                number=sum(map(len, drawn)),
                alone=alone,
                **group.fixed,
            )
        )
    return drawn


def by_kind(groups: Sequence[list[History]]) -> list[list[list[History]]]:
    """Return groups in lists of which each can be folded together; ids stay those of all."""
    kinds: dict[tuple[bool, ...], list[list[History]]] = {}
    for histories in groups:
        config = histories[0].config
        kind = (config.keyless, config.keyless and config.complete_before, config.close_unseen)
        kinds.setdefault(kind, []).append(histories)
    return list(kinds.values())


_CLOSING = {
    "key": "single",
    "close_unseen": True,
    "hidden_deletes": True,
    "snapshot_again": True,
}
_IN_ORDER = {
    "transforms": False,  # another topic or a retry is not in order
    "toast": False,
    "partitions": 1,
    "add_partitions": False,
    "second_topic": False,
    "compaction": False,
}

# At least 200 histories of each connector. The plan of a fold is that of all its events: so events
# that need a dearer one lie apart from those that do not.
POSITIONS = (
    Group("postgresql", 251, 80, {"key": "single", "toast": False, "full_identity": True}),
    Group("sqlserver", 101, 70, {"key": "composite"}),
    Group("mysql", 101, 100, {"key": "single", "compressed": False}),
    Group("mariadb", 1, 70, {"key": "composite"}),
    Group("mariadb", 301, 100, {"key": "single"}),
)
UNAVAILABLE_AND_CONTENTS = (
    Group("postgresql", 51, 50, {"key": "composite"}),
    Group("oracle", 101, 50, {"key": "composite", "binary": "hex"}),
    Group("mysql", 501, 100, {"key": "composite", "compressed": True}),
)
CLOSED = (
    Group("sqlserver", 301, 60, _CLOSING),
    Group("oracle", 301, 80, {"toast": False, **_CLOSING}),
    Group("mariadb", 601, 40, _CLOSING),
)
KEYLESS = (
    Group("postgresql", 126, 80, {"key": "none", "toast": False}),
    Group("sqlserver", 1, 70, {"key": "none"}),
    Group("oracle", 1, 80, {"key": "none"}),
    Group("mysql", 201, 70, {"key": "none", "compressed": True}),
    Group("mariadb", 401, 100, {"key": "none"}),
)
# Nothing lands late and no key moves: each batch goes on from the state.
IN_ORDER = (
    Group("postgresql", 701, 40, {"key": "single", **_IN_ORDER}),
    Group("sqlserver", 701, 40, {"key": "composite", **_IN_ORDER}),
    Group("mysql", 701, 40, {"key": "single", "compressed": False, **_IN_ORDER}),
    Group("oracle", 701, 40, {"key": "single", "unordered": False, **_IN_ORDER}),
)
# Followed by a copy of their change feed.
FED = (
    Group("postgresql", 801, 25, {"key": "single", "key_changes": True, "truncates": True}),
    Group("oracle", 801, 15, {"key": "single", "binary": "bytes", "truncates": True}),
    Group("mariadb", 801, 15, {"key": "single", "truncates": True}),
)
FED_CLOSED = (Group("mariadb", 851, 30, {**_CLOSING, "truncates": True}),)
# Epochs and incarnations by time bind a whole source: such a history has one of its own.
ALONE = {
    "postgresql": Group("postgresql", 37, 1, {"recreate_topic": True, "toast": False}),
    "sqlserver": Group("sqlserver", 3, 1, {"recreate_topic": True, "restore": "epoch"}),
    "oracle": Group("oracle", 3, 1, {"recreate_topic": True, "restore": "epoch"}),
    "mariadb": Group("mariadb", 3, 1, {"recreate_topic": True, "restore": "epoch"}),
}
