"""Groups and exposures in properties files, from the configuration of a source.

Models of this package are dbt's `ref`; every other text is a YAML scalar.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypedDict

from dbt_debezium_spark.config import defined_groups
from dbt_debezium_spark.generator.messages import MessageFields, message
from dbt_debezium_spark.literals import yaml_name, yaml_text

_TEXTS = ("label", "type", "maturity", "url", "description")


class Exposures(TypedDict):
    """Entries of an `exposures` block, in the order of the configuration, and messages."""

    entries: list[dict[str, Any]]
    messages: list[MessageFields]


def unknown_group(
    config: Mapping[str, Any], sources: Mapping[str, Any], groups: Collection[str]
) -> MessageFields | None:
    """Return a message if the group of a source is defined nowhere: dbt would read no model.

    Args:
        config: configuration of the source.
        sources: the var `debezium_sources`.
        groups: names of the groups that files of the project define, except generated ones.
    """
    group = config.get("group")
    if not group or group.get("owner") or group["name"] in groups:
        return None
    if any(group["name"] in defined_groups(options) for options in sources.values()):
        return None
    text = (
        f"group '{group['name']}' of source '{config['name']}' is not defined; its models get no"
        f" group. Define it: debezium_sources.{config['name']}.group: {{name: {group['name']},"
        " owner: {email: …}}."
    )
    return message("warning", config["name"], None, text)


def defined_group(config: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the group that a source defines: `name` and `owner`, None if it defines none."""
    group = config.get("group")
    if not group or not group.get("owner"):
        return None
    return {"name": yaml_name(group["name"]), "owner": _owner(group["owner"])}


def exposures(
    config: Mapping[str, Any],
    tables: Sequence[Mapping[str, Any]],
    kept: Sequence[Mapping[str, Any]],
) -> Exposures:
    """Return the exposures of a source.

    Args:
        config: configuration of the source.
        tables: tables of all sources whose models are written: `source`, `name`, `model`.
        kept: tables of all sources whose models stay: `source`, `table`, `model`.
    """
    source = config["name"]
    models = {one["table"]: one["model"] for one in kept if one["source"] == source}
    models |= {one["name"]: one["model"] for one in tables if one["source"] == source}
    found = Exposures(entries=[], messages=[])
    for exposure in config.get("exposures") or ():
        names = sorted(models) if exposure.get("tables") is None else exposure["tables"]
        for name in names:
            if name not in models:
                found["messages"].append(_unknown(source, exposure["name"], name))
        read = [f"cur_{source}__{models[name]}" for name in names if name in models]
        if not read:
            continue
        entry: dict[str, Any] = {"name": yaml_name(exposure["name"])}
        entry |= {text: yaml_text(exposure[text]) for text in _TEXTS if exposure.get(text)}
        entry["owner"] = _owner(exposure["owner"])
        entry["models"] = read
        found["entries"].append(entry)
    return found


def _owner(owner: Mapping[str, str]) -> dict[str, str]:
    return {part: yaml_text(owner[part]) for part in ("name", "email") if owner.get(part)}


def _unknown(source: str, exposure: str, table: str) -> MessageFields:
    text = (
        f"exposure '{exposure}' names the table '{table}', which has no models. Correct"
        f" debezium_sources.{source}.exposures, or land records of the table."
    )
    return message("warning", source, None, text)
