"""Source tables whose records are of another table: shards, partitions, a database renamed."""

from __future__ import annotations

from typing import Any

from dbt_debezium_spark.config.errors import (
    ConfigError,
    expect_known,
    expect_list,
    expect_mapping,
    expect_text,
)

# What a source block says of its table, per connector; with another name for `table`.
_MEMBERS = {
    "mysql": ("name", "db", "table"),
    "mariadb": ("name", "db", "table"),
    "mongodb": ("name", "db", "collection"),
}
_MEMBERS_WITH_SCHEMA = ("name", "db", "schema", "table")
_EXAMPLES = {"name": "shop_before", "db": "shop_2", "schema": "tenant_2", "table": "orders_p*"}

Included = tuple[tuple[str, str], ...]


def read_included(value: Any, where: str, table: str, connector: str) -> tuple[Included, ...]:
    """Return the entries of the option `includes` of a table, members in the connector's order.

    Args:
        value: the option; none at all includes nothing.
        where: its place in the configuration, for messages.
        table: name of the table.
        connector: kind of the source.

    Raises:
        ConfigError: an entry names no source table, or names what the table's own name leaves open.
    """
    entries = expect_list(value if value is not None else [], where)
    included: list[Included] = []
    for number, entry in enumerate(entries):
        one = _read_entry(entry, f"{where}[{number}]", connector)
        _check_database(dict(one), f"{where}[{number}]", table, connector)
        if one in included:
            raise ConfigError(f"{where} names {dict(one)!r} twice", "Remove one of them")
        included.append(one)
    return tuple(included)


def _read_entry(value: Any, where: str, connector: str) -> Included:
    entry = expect_mapping(value, where)
    members = _MEMBERS.get(connector, _MEMBERS_WITH_SCHEMA)
    expect_known(entry, members, where)
    if not entry:
        raise ConfigError(
            f"{where} is empty",
            f"Say how the source block of the included table differs, as in `{{{members[-1]}:"
            f" {_EXAMPLES['table']!r}}}`",
        )
    return tuple(
        (member, expect_text(entry[member], f"{where}.{member}", _EXAMPLES.get(member, "orders_2")))
        for member in members
        if member in entry
    )


def _check_database(entry: dict[str, str], where: str, table: str, connector: str) -> None:
    """Refuse a database where the table's own name tells none that could take its place.

    Raises:
        ConfigError: the name of the table lacks its database.
    """
    if "db" in entry and connector not in _MEMBERS and table.count(".") < 2:
        raise ConfigError(
            f"{where} gives the database `{entry['db']}`, and `{table}` does not name its own",
            f"Write the table with its database in front: `<database>.{table}`",
        )
