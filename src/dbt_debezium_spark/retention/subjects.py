"""Which tables of a project have a retention, and why others keep their records."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dbt_debezium_spark.explain.asked import find_table
from dbt_debezium_spark.text.literals import read_argument

Subject = dict[str, Any]


def subjects(
    nodes: Mapping[str, Mapping[str, Any]],
    variable: Callable[..., Any],
    configs: Mapping[str, Mapping[str, Any]],
) -> list[Subject]:
    """Return the tables whose staging has a retention, by source and name.

    Args:
        nodes: nodes of dbt's `graph`.
        variable: dbt's `var`.
        configs: sources by name, as macros read them.

    Returns:
        of each what `find_table` returns, `staging_us`, and `kept_because`: why nothing of it can
        go, None if it can.
    """
    found: list[Subject] = []
    for source, table in sorted(_tables(nodes)):
        config = configs.get(source)
        staging_us = config and staging_retention(config, table)
        if not config or not staging_us:
            continue
        subject = find_table(nodes, table, source, variable)
        if "problem" not in subject:
            kept_because = _kept_because(config, subject)
            found.append({**subject, "staging_us": staging_us, "kept_because": kept_because})
    return found


def staging_retention(config: Mapping[str, Any], table: str) -> int | None:
    """Return for how long the staged records of a table are kept, in microseconds; None: for ever.

    Args:
        config: its source, as macros read it.
        table: its name.
    """
    own = (config.get("tables") or {}).get(table) or {}
    options = own.get("retention", config.get("retention"))
    return (options or {}).get("staging")


def _tables(nodes: Mapping[str, Mapping[str, Any]]) -> set[tuple[str, str]]:
    metas = [(node["config"].get("meta") or {}).get("debezium_spark") for node in nodes.values()]
    return {
        (meta["source"], read_argument(meta["table"])) for meta in metas if meta and "table" in meta
    }


def _kept_because(config: Mapping[str, Any], subject: Subject) -> str | None:
    if subject["kind"] == "keyless":
        return "it has no key, so each of its records is a row"
    if subject["kind"] == "documents":
        return "the documents of a collection are made of all their records"
    if {"versions", "hist"} & subject["models"].keys():
        return "its history is made of them"
    if config.get("provide_transaction_metadata"):
        return "transactions are counted by them"
    if config.get("offset_gaps"):
        return "lost events are found by the offsets of all records"
    return None
