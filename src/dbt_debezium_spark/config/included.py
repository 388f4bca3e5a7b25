"""Source tables that are parts of another table: shards, partitions, a renamed database."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, ValidationInfo

from dbt_debezium_spark.config.errors import BLOCK, problem
from dbt_debezium_spark.config.values import LIST, as_mapping, as_text, refuse_unknown

# Members of the source block that name a table, for connectors without schemas.
_MEMBERS = {
    "mysql": ("name", "db", "table"),
    "mariadb": ("name", "db", "table"),
    "mongodb": ("name", "db", "collection"),
}
_MEMBERS_WITH_SCHEMA = ("name", "db", "schema", "table")
_EXAMPLES = {"name": "shop_before", "db": "shop_2", "schema": "tenant_2", "table": "orders_p*"}


def _entry(value: Any, info: ValidationInfo) -> dict[str, str]:
    """Return one entry, with its members in the connector's order.

    Raises:
        PydanticCustomError: the entry names no source table.
    """
    entry = as_mapping(value)
    members = _MEMBERS.get(_connector(info), _MEMBERS_WITH_SCHEMA)
    refuse_unknown(entry, members)
    if not entry:
        raise problem(
            " is empty",
            f"Say how the source block of the included table differs, as in `{{{members[-1]}:"
            f" {_EXAMPLES['table']!r}}}`",
            BLOCK,
        )
    return {
        member: as_text(entry[member], _EXAMPLES.get(member, "orders_2"), f".{member}")
        for member in members
        if member in entry
    }


def _without_duplicates(
    entries: tuple[dict[str, str], ...], info: ValidationInfo
) -> tuple[dict[str, str], ...]:
    """Refuse duplicates, and an entry with a database if the table's own name has none.

    Raises:
        PydanticCustomError: an entry occurs twice, or the name of the table lacks its database.
    """
    table = info.data["name"]
    for number, entry in enumerate(entries):
        if "db" in entry and _connector(info) not in _MEMBERS and table.count(".") < 2:
            raise problem(
                f"[{number}] gives the database `{entry['db']}`, and `{table}` does not name its"
                " own",
                f"Write the table with its database in front: `<database>.{table}`",
            )
        if entry in entries[:number]:
            raise problem(f" names {entry!r} twice", "Remove one of them")
    return entries


def _connector(info: ValidationInfo) -> str:
    return str((info.context or {})["connector"])


Includes = Annotated[
    tuple[Annotated[dict[str, str], BeforeValidator(_entry)], ...],
    LIST,
    AfterValidator(_without_duplicates),
]
