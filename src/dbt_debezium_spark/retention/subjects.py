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
        staging_us = config and retention_of(config, table, "staging")
        if not config or not staging_us:
            continue
        subject = find_table(nodes, table, source, variable)
        if "problem" not in subject:
            kept_because = _kept_because(config, subject)
            found.append({**subject, "staging_us": staging_us, "kept_because": kept_because})
    return found


def raw_logs(
    nodes: Mapping[str, Mapping[str, Any]],
    variable: Callable[..., Any],
    configs: Mapping[str, Mapping[str, Any]],
) -> list[Subject]:
    """Return the raw tables of which some topic has a retention, by source.

    Args:
        nodes: nodes of dbt's `graph`.
        variable: dbt's `var`.
        configs: sources by name, as macros read them.

    Returns:
        of each `source`, `raw` (name of the model), `tables` that read a topic with a retention,
        each with `staging` (name of the model) and `raw_us`; `topics`, of each such topic the
        names of these models; and `kept_because`: why no record can go, None if some can.
    """
    found: list[Subject] = []
    for source, config in sorted(configs.items()):
        names = [table for of_source, table in sorted(_tables(nodes)) if of_source == source]
        kept_for = {table: retention_of(config, table, "raw") for table in names}
        if not any(kept_for.values()):
            continue
        subjects_of = {table: find_table(nodes, table, source, variable) for table in names}
        readers: dict[str, list[str]] = {}
        for table, subject in subjects_of.items():
            for topic in [] if "problem" in subject else subject["call"]["topics"]:
                readers.setdefault(topic, []).append(table)
        topics = {
            topic: tables
            for topic, tables in readers.items()
            if all(kept_for[table] for table in tables)
        }
        found.append(
            {
                "source": source,
                "raw": f"raw_{source}",
                "tables": [
                    {"staging": subjects_of[table]["staging"], "raw_us": kept_for[table]}
                    for table in sorted({one for tables in topics.values() for one in tables})
                ],
                "topics": {
                    topic: [subjects_of[table]["staging"] for table in tables]
                    for topic, tables in sorted(topics.items())
                },
                "kept_because": _raw_kept_because(config, subjects_of),
            }
        )
    return found


def retention_of(config: Mapping[str, Any], table: str, log: str) -> int | None:
    """Return for how long the records of a table are kept, in microseconds; None: for ever.

    Args:
        config: its source, as macros read it.
        table: its name.
        log: `staging` or `raw`.
    """
    own = (config.get("tables") or {}).get(table) or {}
    options = own.get("retention", config.get("retention"))
    return (options or {}).get(log)


def _raw_kept_because(config: Mapping[str, Any], subjects_of: Mapping[str, Subject]) -> str | None:
    if config.get("offset_gaps"):
        return "lost events are found by the offsets of all records"
    unread = [table for table, subject in subjects_of.items() if "problem" in subject]
    if unread:
        return f"the staging model of {unread[0]} does not tell its topics"
    return None


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
