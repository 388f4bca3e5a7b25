"""Names under which a flattened record has the members of its envelope."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from dbt_debezium_spark.config.records import path_and_name, split_fields
from dbt_debezium_spark.decode.connectors import CONNECTORS

DELETED = "__deleted"
# Name of the schema of a flattened row that was read as an envelope.
SCHEMA_NAME = "dbt_debezium_spark.Flattened"

_COMMON = (
    "version", "connector", "name", "ts_ms", "ts_us", "ts_ns", "snapshot", "db", "sequence",
)  # fmt: skip
_TRANSACTION = ("id", "total_order", "data_collection_order")
_ENVELOPE = ("op", "ts_ms", "ts_us", "ts_ns")


class Names(TypedDict):
    """Names of one member of the envelope: added to the value, and as headers."""

    fields: list[str]
    headers: list[str]


class FlattenedFields(TypedDict):
    """How records of a source are flattened.

    `members`: names by path (`op`, `source.lsn`, `transaction.id`); `added`: names in a value that
    are no columns.
    """

    members: dict[str, Names]
    added: list[str]


def source_members(connector: str) -> tuple[str, ...]:
    """Return the members of a source block that a connector can write."""
    return (*_COMMON, *CONNECTORS[connector].source)


def flattened_fields(config: Mapping[str, Any]) -> FlattenedFields | None:
    """Return how the records of a source are flattened; None for envelopes.

    Args:
        config: configuration of the source.
    """
    settings = config.get("flattened")
    if settings is None:
        return None
    connector = config["connector"]
    members: dict[str, Names] = {}
    added = [DELETED]
    prefix = settings["add_fields_prefix"]
    if settings["add_fields"]:
        named = [_named(field, prefix) for field in split_fields(settings["add_fields"])]
    else:
        named = _default_names(connector, prefix)
    for path, name in named:
        _names_of(members, path)["fields"].append(name)
        added.append(name)
    for field in split_fields(settings["add_headers"] or ""):
        path, name = _named(field, settings["add_headers_prefix"])
        _names_of(members, path)["headers"].append(name)
    return {"members": members, "added": list(dict.fromkeys(added))}


def row_fields(
    config: Mapping[str, Any], schema: str, fields: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Return the fields of a row's schema without those that the transform added.

    Args:
        config: configuration of the source.
        schema: JSON text of the schema of an event.
        fields: the fields of its row image.
    """
    if not is_flattened_schema(schema):
        return list(fields)
    added = added_names(config)
    return [field for field in fields if field.get("field") not in added]


def added_names(config: Mapping[str, Any]) -> list[str]:
    """Return the names in values of a source that are no columns."""
    flattened = flattened_fields(config)
    return [] if flattened is None else flattened["added"]


def is_flattened_schema(schema: str | None) -> bool:
    """Return whether the schema of an event is that of a flattened row."""
    return schema is not None and schema.endswith(f'"name":"{SCHEMA_NAME}"}}')


def added_fields_line(settings: Mapping[str, Any], paths: tuple[str, ...]) -> str:
    """Return a value of `add.fields` that has the paths, and what is configured already."""
    configured = split_fields(settings.get("add_fields") or "")
    known = {_path(field) for field in configured}
    missing = [path for path in paths if path not in known]
    return ",".join([*configured, *missing])


def _names_of(members: dict[str, Names], path: str) -> Names:
    return members.setdefault(path, {"fields": [], "headers": []})


def _named(field: str, prefix: str) -> tuple[str, str]:
    """Return the path of a configured field in the envelope, and its name in the record."""
    configured, name = path_and_name(field)
    return _path(field), prefix + (name or configured.replace(".", "_"))


def _path(field: str) -> str:
    """Return the path of a configured field in the envelope."""
    path, _ = path_and_name(field)
    if "." in path:
        return path
    struct = _struct_of(path)
    return f"{struct}.{path}" if struct else path


def _struct_of(member: str) -> str:
    """Return the struct in which the transform looks for a field that names none."""
    if member in _ENVELOPE:
        return ""
    return "transaction" if member in _TRANSACTION else "source"


def _default_names(connector: str, prefix: str) -> list[tuple[str, str]]:
    names = [(member, prefix + member) for member in _ENVELOPE]
    for member in source_members(connector):
        names.append((f"source.{member}", f"{prefix}source_{member}"))
        if _struct_of(member) == "source":
            names.append((f"source.{member}", prefix + member))
    for member in _TRANSACTION:
        names.append((f"transaction.{member}", f"{prefix}transaction_{member}"))
        names.append((f"transaction.{member}", prefix + member))
    return names
