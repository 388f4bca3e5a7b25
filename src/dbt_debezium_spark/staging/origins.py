"""The origin of a record by its source block: (name, db, schema, table), or collection.

A topic shows nothing: transforms route tables, tenants and databases into one. `origins` of a table
are a list of {member: text}, its own first, then those that the option `includes` adds. `*` matches
any characters, and a member that is not named may be anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypedDict

from dbt_debezium_spark.decode import Config
from dbt_debezium_spark.decode.connectors import connector_of
from dbt_debezium_spark.text.sql_text import text_literal

Origin = Mapping[str, str]


class Included(TypedDict):
    """One entry of the option `includes`: records with `members` belong to the table with `own`."""

    table: str
    own: dict[str, str]
    members: dict[str, str]


class OriginRules(TypedDict):
    """How records of a source name their table.

    `members` are members of a source block, `columns` the catalog's columns of each (the first one
    has its value), `included` the entries of the option `includes`.
    """

    members: Sequence[str]
    columns: Mapping[str, Sequence[str]]
    included: Sequence[Included]


def origin_members(config: Config) -> list[str]:
    """Return the members of a source block that name a table, from the outermost."""
    return list(connector_of(config).table)


def origin_columns(config: Config) -> dict[str, list[str]]:
    """Return the catalog's columns for each member.

    MySQL and MongoDB have databases where others have schemas.
    """
    has_schemas = "schema" in origin_members(config)
    return {
        "name": ["topic_prefix"],
        "db": ["database_name"] if has_schemas else ["schema_name", "database_name"],
        "schema": ["schema_name"],
        "table": ["table_name"],
        "collection": ["table_name"],
    }


def origin_struct(config: Config) -> str:
    """Return SQL: the origin in a source block as the struct that the catalog keeps."""
    members = origin_members(config)
    parts = [
        f"'{member}', " + (f"source.{own}" if own in members else "cast(null as string)")
        for member, own in zip(
            ("name", "db", "schema", "table"), ("name", "db", "schema", members[-1]), strict=True
        )
    ]
    return f"named_struct({', '.join(parts)})"


def is_of_table(
    config: Config, table: str, origins: Sequence[Origin], source: str = "source"
) -> str:
    """Return a SQL condition: nothing in a source block names another table.

    Args:
        config: configuration of the source.
        table: the table as configuration names it; all that is known of it without `origins`.
        origins: its origins.
        source: SQL of the block: `source` in records, `origin` in the catalog.
    """
    if not origins:
        parts = [_member(source, member) for member in origin_members(config)[1:]]
        names = [
            f"concat_ws('.', {', '.join(parts[-count:])}) = {text_literal(table)}"
            for count in range(2, len(parts) + 1)
        ]
        return f"({' or '.join(names)} or coalesce({parts[-1]}, '') = '')"

    def matches(origin: Origin) -> str:
        return " and ".join(
            f"coalesce({matches_text(_named(_member(source, member)), text)}, true)"
            for member, text in origin.items()
        )

    return f"({' or '.join(map(matches, origins))})"


def has_no_origin(
    config: Config, table: str, origins: Sequence[Origin], source: str = "source"
) -> str:
    """Return a SQL condition: a source block leaves open which of several tables it is of.

    A table whose name is unique without its database need not name one.
    """
    members = origin_members(config)[1:]
    if not origins or ".".join(origins[0].get(member, "") for member in members[-2:]) == table:
        members = members[-2:]
    missing = [f"coalesce({_member(source, member)}, '') = ''" for member in members]
    return f"({' or '.join(missing)})"


def is_read_for_table(
    config: Config, table: str, origins: Sequence[Origin], sharing: Mapping[str, int]
) -> str:
    """Return a SQL condition: a record is read for the table.

    A tombstone has no source block: before the first record of another table it is the table's own;
    later it may be of either, and only repeats the `d` before it.

    Args:
        config: configuration of the source.
        table: the table as configuration names it.
        origins: its origins.
        sharing: topics with records of other tables, and the time of the first in microseconds.
    """
    own_tombstone = "false"
    if sharing:
        since = " ".join(
            f"when {text_literal(topic)} then {time}" for topic, time in sharing.items()
        )
        first = f"case topic {since} else {2**63 - 1} end"
        own_tombstone = f"coalesce(unix_micros(timestamp) < {first}, false)"
    return f"if(is_tombstone, {own_tombstone}, {is_of_table(config, table, origins)})"


def origin_text(config: Config, source: str = "source") -> str:
    """Return SQL: the origin as one text."""
    members = ", ".join(_member(source, member) for member in origin_members(config))
    return f"concat_ws('.', {members})"


def routed_table(config: Config) -> str:
    """Return SQL: the table in a record's source block, as configuration names it."""
    if connector_of(config).has_documents:
        return "concat(source.db, '.', source.collection)"
    return "concat(coalesce(source.schema, source.db), '.', source.table)"


def short_name(config: Config, table: str, origins: Sequence[Origin]) -> str:
    """Return the table's name as statements have it, also where its models are named by more."""
    if not origins:
        return table
    return ".".join(origins[0].get(member, "") for member in origin_members(config)[-2:])


def matches_text(value: str, text: str) -> str:
    """Return a SQL condition: a value is a text, in which `*` matches any characters."""
    if "*" not in text:
        return f"{value} = {text_literal(text)}"
    pattern = text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"{value} like {text_literal(pattern.replace('*', '%'))}"


def included_origins(config: Config) -> list[Included]:
    """Return the option `includes`: records with `members` are of the table with `own`."""
    inclusions: list[Included] = []
    for table, settings in (config.get("tables") or {}).items():
        own = _origin_of_name(config, table)
        for entry in settings.get("includes") or []:
            whole = {**own, "name": config["topic_prefix"]} if "name" in entry else own
            inclusions.append({"table": table, "own": whole, "members": {**own, **entry}})
    return inclusions


def origin_rules(config: Config) -> OriginRules:
    """Return how records of the source name their table."""
    return {
        "members": origin_members(config),
        "columns": origin_columns(config),
        "included": included_origins(config),
    }


def with_included(config: Config, inclusions: Sequence[Included], column: str) -> str:
    """Return SQL: a part of a table's name; for an included table, of the one that includes it."""
    columns = origin_columns(config)
    branches = []
    for inclusion in inclusions:
        is_included = " and ".join(
            matches_text(columns[member][0], text) for member, text in inclusion["members"].items()
        )
        part = column
        for member, text in inclusion["own"].items():
            if column in columns[member]:
                part = text_literal(text)
        branches.append(f"when coalesce(({is_included}), false) then {part}")
    return f"case {' '.join(branches)} else {column} end"


def table_of_collection(
    config: Config, entries: Iterable[Mapping[str, Any]], collection: str
) -> str:
    """Return SQL: the modelled table that a data collection's events go to, NULL without one.

    Boundaries of transactions name a collection by members of its source block: schema and table
    (PostgreSQL), database, schema and table (SQL Server, Oracle), database and table (MySQL,
    MariaDB) or collection (MongoDB, before 2.6 with the replica set in front).

    Args:
        config: configuration of the source.
        entries: {table, origins} of each modelled table.
        collection: SQL: the name.
    """
    branches = []
    for entry in entries:
        conditions = " or ".join(
            _is_collection_of(config, entry["table"], origin, collection)
            for origin in entry.get("origins") or [{}]
        )
        branches.append(f"when {conditions} then {text_literal(entry['table'])}")
    return f"case {' '.join(branches)} end" if branches else "cast(null as string)"


def _is_collection_of(config: Config, table: str, origin: Origin, collection: str) -> str:
    """By the origin, or without one by the table's name in the configuration."""
    members = connector_of(config).counted
    names = [origin[member] for member in members if member in origin]
    name = ".".join(names) if names else table
    is_equal = matches_text(collection, name)
    if len(names) == len(members) and not connector_of(config).has_documents:
        return is_equal
    # the origin leaves out what stands in front
    behind = f"substr({collection}, instr({collection}, '.') + 1)"
    return f"({is_equal} or {matches_text(behind, name)})"


def _member(source: str, member: str) -> str:
    return f"{source}." + ("table" if source != "source" and member == "collection" else member)


def _named(member: str) -> str:
    return f"nullif({member}, '')"


def _origin_of_name(config: Config, name: str) -> dict[str, str]:
    """Return the members in a configured name.

    It is read from its end; MongoDB's from the start, as collections have dots.
    """
    if connector_of(config).has_documents:
        database, collection = name.split(".", 1)
        return {"db": database, "collection": collection}
    members = origin_members(config)[1:]
    parts = name.split(".")[-len(members) :]
    return dict(zip(members[-len(parts) :], parts, strict=True))
