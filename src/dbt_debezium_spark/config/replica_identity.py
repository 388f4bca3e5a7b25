"""The replica identity of a PostgreSQL table, which no record tells, and since when it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.config.errors import (
    ConfigError,
    expect_known,
    expect_list,
    expect_mapping,
    expect_one_of,
)
from dbt_debezium_spark.config.timestamps import utc_text

REPLICA_IDENTITIES = ("default", "full", "index", "nothing")
KEYS = ("is", "from")


@dataclass(frozen=True)
class ReplicaIdentity:
    """One identity, for records from a moment on; without a moment from the first record on."""

    is_: str
    from_: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the entry in the form it is configured in."""
        return {"is": self.is_} | ({} if self.from_ is None else {"from": self.from_})


def read_replica_identity(
    value: Any, where: str, connector: str
) -> tuple[ReplicaIdentity, ...] | None:
    """Return the identities that a table had, the earliest first; None where nothing is said.

    Args:
        value: a word, which holds for all records; or a list of `{is, from}` in the order of their
            moments, which are record timestamps. The first may do without `from`.
        where: place in the configuration.
        connector: the source's connector.

    Raises:
        ConfigError: the connector has none, or an entry says something else.
    """
    if value is None:
        return None
    if connector != "postgresql":
        raise ConfigError(
            f"{where} is set for the connector `{connector}`",
            "Remove it: only PostgreSQL has replica identities",
        )
    if not isinstance(value, list | tuple):
        return (ReplicaIdentity(expect_one_of(value, REPLICA_IDENTITIES, where)),)
    entries: list[ReplicaIdentity] = []
    for number, one in enumerate(expect_list(value, where)):
        entry = _read_entry(one, f"{where}[{number}]")
        if entries and entry.from_ is None:
            raise ConfigError(
                f"{where}[{number}].from is missing",
                "Say since when it holds, by record timestamp: only the first may do without",
            )
        if entries and entry.from_ <= (entries[-1].from_ or ""):  # type: ignore[operator]
            raise ConfigError(
                f"{where}[{number}].from is `{entry.from_}`, not after the entry before it",
                "Order the entries by their moments",
            )
        entries.append(entry)
    if not entries:
        raise ConfigError(f"{where} is an empty list", "Write a word or entries, or remove it")
    return tuple(entries)


def _read_entry(value: Any, where: str) -> ReplicaIdentity:
    entry = expect_mapping(value, where)
    expect_known(entry, KEYS, where)
    is_ = expect_one_of(entry.get("is"), REPLICA_IDENTITIES, f"{where}.is")
    from_ = entry.get("from")
    return ReplicaIdentity(is_, None if from_ is None else utc_text(from_, f"{where}.from"))
