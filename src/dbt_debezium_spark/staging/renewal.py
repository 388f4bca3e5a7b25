"""What the stored rows of a staging model depend on besides the records, and when they can stay."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dbt_debezium_spark.decode import Column, Config, column_form, key_form
from dbt_debezium_spark.staging.records import ignored_records
from dbt_debezium_spark.staging.replica_identity import (
    has_complete_before,
    may_lack_keys,
    replica_identities,
)
from dbt_debezium_spark.staging.type_change import Differences
from dbt_debezium_spark.text.property_text import short_hash

# Raised when a release reads records in another way.
VERSION = 9


def staging_fingerprint(config: Config, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what rows depend on, small enough for a table property.

    The next run compares it with its own. Names of members are stored, and stay.

    Args:
        config: configuration of the source.
        arguments: arguments of the macro `staging` by name.

    Returns:
        * `version`: see `VERSION`,
        * `columns`: a hash of how each is read,
        * `key`, `options`: hashes of all the rest; a change of the key is no change of an option,
        * `ignored`: {topic:partition:offset: reason}, unless it is empty.
    """
    table = arguments["table"]
    options = {
        "connector": config["connector"],
        "table": table,
        "topics": sorted(arguments["topics"]),
        "shared_topic": arguments["shared_topic"] and arguments["schemas"] is None,
        "origins": arguments["origins"],
        "former_keys": arguments["former_keys"],
        "complete_before": "yes" if has_complete_before(config, table) else "no",
        "placeholder": config.get("unavailable_value_placeholder"),
        "decimal_format": config.get("decimal_format"),
        "binary_handling_mode": config.get("binary_handling_mode"),
        **flattened_fingerprint(config),
    }
    identities = replica_identities(config, table)
    if identities and identities != [{"is": "full"}]:
        # which `before` may be trusted, and which keys
        options["replica_identities"] = identities
    if may_lack_keys(config):
        options["may_lack_keys"] = True
    chosen = {
        column["source_name"]: column["name"]
        for column in arguments["columns"]
        if column.get("source_name")
    }
    if chosen or arguments["excluded"]:
        # stored rows have nothing of a column under another name, or of one that was left out
        options["chosen_columns"] = [chosen, sorted(arguments["excluded"])]
    ignored = {
        f"{record['topic']}:{record['partition']}:{record['offset']}": record["reason"]
        for record in ignored_records(config, arguments["topics"])
    }
    return {
        **({"ignored": ignored} if ignored else {}),
        "version": VERSION,
        "columns": {
            column["name"]: short_hash(column_form(config, column))
            for column in arguments["columns"]
        },
        "key": short_hash(key_form(config, arguments["key"])),
        "options": short_hash(options),
    }


def flattened_fingerprint(config: Config) -> dict[str, Any]:
    """Return the part of the fingerprint of models that read flattened records."""
    if not config.get("flattened"):
        return {}
    return {"flattened": [config["flattened"], config["topic_prefix"]]}


def changed_columns(
    stored: Mapping[str, Any] | None, fingerprint: Mapping[str, Any], columns: Sequence[Column]
) -> list[Column]:
    """Return the columns that are read otherwise than stored rows were."""
    before = (stored or {}).get("columns") or {}
    return [
        column
        for column in columns
        if before.get(column["name"]) != fingerprint["columns"][column["name"]]
    ]


def incompatible_changes(
    stored: Mapping[str, Any] | None,
    fingerprint: Mapping[str, Any],
    differences: Differences,
    key: Sequence[Column],
) -> list[str]:
    """Return the changes that those who read the table must know of first, as words."""
    changes = [
        f"column {column['name']} is {column['table_type']} and becomes {column['data_type']}"
        for column in differences.incompatible
    ]
    if stored and stored.get("key") != fingerprint["key"]:
        names = ", ".join(column["name"] for column in key)
        changes.append(f"the key becomes ({names})")
    return changes


def rebuild_reasons(
    stored: Mapping[str, Any] | None,
    fingerprint: Mapping[str, Any],
    differences: Differences,
    changed: Sequence[Column],
    arguments: Mapping[str, Any],
) -> list[str]:
    """Return why stored rows cannot stay, as words; none if they can.

    A column with another handling mode concerns records without schemas, which nothing
    distinguishes: they are read by the present configuration.

    Args:
        stored: fingerprint by which the rows were read; None for a table without one.
        fingerprint: today's.
        differences: between the table's columns and the model's.
        changed: columns that are read otherwise: see `changed_columns`.
        arguments: arguments of the macro `staging` by name.
    """
    if not stored:
        return ["it does not say how it was read"]
    if stored.get("version") != fingerprint["version"]:
        return ["this release reads records otherwise"]
    reasons = []
    if stored["options"] != fingerprint["options"]:
        reasons.append("the configuration of its source changed")
    if arguments["former_keys"]:
        reasons.append("its key changed before")
    aligned = {
        column["name"] for column in (*differences.new, *differences.wider, *differences.narrower)
    }
    keys = {column["name"] for column in arguments["key"]}
    for column in changed:
        name, was_stored = column["name"], column["name"] in stored["columns"]
        if column.get("formerly") or column.get("added_default") is not None:
            reasons.append(f"{name} reaches back to earlier events")
        elif column.get("gone_until"):
            reasons.append(f"{name} was dropped and added again")
        elif not arguments["key"]:
            # its rows are known by their content, and `_cdc_before` has the columns too
            reasons.append(f"a table without a key gets the column {name}")
        elif name in keys and not was_stored:
            reasons.append(f"{name} is read from the keys of records")
        elif name not in aligned and was_stored:
            # not in the stored fingerprint: an interrupted run added it and redecoded nothing
            reasons.append(f"{name} is written otherwise")
    return reasons


def changed_events(stored: Mapping[str, Any], fingerprint: Mapping[str, Any]) -> list[str]:
    """Return the records that are newly ignored, no longer, or for another reason.

    Each is topic:partition:offset.
    """
    before, after = stored.get("ignored") or {}, fingerprint.get("ignored") or {}
    return [
        event_id
        for event_id in dict.fromkeys((*before, *after))
        if before.get(event_id) != after.get(event_id)
    ]
