"""What the images before a change, and the keys of deletes, can be trusted with.

With REPLICA IDENTITY USING INDEX, PostgreSQL's connector makes up what the key of a delete lacks
(0, '' or the like), and the delete would end another row (spec §16). Two signs show it: such a
value in the key, and another value in `before` outside of the key, which the default identity never
has. A declared `replica_identity` decides: `index` makes the first sign enough, others make every
key right. What has both signs by chance is refused, and the error names the option.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from dbt_debezium_spark.decode import Column, Config
from dbt_debezium_spark.decode.connectors import connector_of


def has_complete_before(config: Config, table: str, *, always: bool = False) -> bool:
    """Return whether `before` holds the whole old row.

    For PostgreSQL only REPLICA IDENTITY FULL does, which no record states; otherwise it is null,
    partial or invented (spec §6.4). Of flattened records, only a delete shows the old row.

    Args:
        config: configuration of the source.
        table: the table as configuration names it.
        always: for all records, and not from some time on.
    """
    if config.get("flattened"):
        return False
    before = connector_of(config).before
    if before != "declared":
        return before == "complete"
    condition = before_is_complete(config, table)
    return condition == "true" if always else condition != "false"


def before_is_complete(config: Config, table: str) -> str:
    """Return a SQL condition over `timestamp`; `true` or `false` if it holds for all or none."""
    if connector_of(config).before == "declared":
        return replica_identity_is(config, table, ["full"])
    return "true"


def may_invent_keys(config: Config, table: str, key: Sequence[Column], doubtful_keys: bool) -> bool:
    """Return whether deletes can have keys that were made up.

    Args:
        config: configuration of the source.
        table: the table as configuration names it.
        key: columns of its key.
        doubtful_keys: whether the catalog has seen a key that can be one.
    """
    is_declared = connector_of(config).before == "declared"
    if not is_declared or not key or has_right_keys(config, table) == "true":
        return False
    return doubtful_keys or replica_identity_is(config, table, ["index"]) != "false"


def has_right_keys(config: Config, table: str) -> str:
    """Return a SQL condition: under the declared identity every key is right."""
    return replica_identity_is(config, table, ["default", "full", "nothing"])


def may_lack_keys(config: Config) -> bool:
    """Return whether files of a sink may hold values without their keys.

    Then the row is told by `after`, and of a delete by `before`, even if that is not complete:
    every replica identity but `nothing` has the key, and the macro `is_invented_key` finds those
    that were made up.
    """
    return config.get("key_switch") is not None


def replica_identities(config: Config, table: str) -> list[dict[str, Any]]:
    """Return the configured identities, the earliest first: no record shows them.

    Each is {is, from, until}, as record timestamps.
    """
    setting = ((config.get("tables") or {}).get(table) or {}).get("replica_identity")
    if connector_of(config).before != "declared" or not setting:
        return []
    if isinstance(setting, str):
        return [{"is": setting}]
    ends = [{"until": entry["from"]} for entry in setting[1:]]
    return [{**entry, **end} for entry, end in zip(setting, [*ends, {}], strict=True)]


def replica_identity_is(config: Config, table: str, words: Collection[str]) -> str:
    """Return a SQL condition over `timestamp`; `true` or `false` if it holds for all or none."""
    times = []
    for entry in replica_identities(config, table):
        if entry["is"] not in words:
            continue
        bounds = [
            f"timestamp {sign} timestamp '{entry[end]}'"
            for end, sign in (("from", ">="), ("until", "<"))
            if entry.get(end)
        ]
        if not bounds:
            return "true"
        times.append(f"({' and '.join(bounds)})")
    return f"coalesce({' or '.join(times)}, false)" if times else "false"
