"""Per table: only what its records cannot tell."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from dbt_debezium_spark.config.columns import ColumnConfig, read_columns
from dbt_debezium_spark.config.errors import (
    ConfigError,
    expect_known,
    expect_list,
    expect_mapping,
    expect_text,
)
from dbt_debezium_spark.config.fields import FieldConfig, read_fields
from dbt_debezium_spark.config.included import Included, read_included
from dbt_debezium_spark.config.replica_identity import ReplicaIdentity, read_replica_identity

KEYS = (
    "replica_identity",
    "key",
    "columns",
    "model",
    "renames",
    "added_defaults",
    "close_unseen",
    "fields",
    "includes",
)
COLLECTION_KEYS = ("fields", "includes", "model")
MODEL_NAME = re.compile(r"[a-z0-9_]+")


@dataclass(frozen=True)
class TableConfig:
    """What the operator knows of one table."""

    name: str
    replica_identity: tuple[ReplicaIdentity, ...] | None = None
    """The identities it had, the earliest first."""
    key: tuple[str, ...] | None = None
    columns: tuple[ColumnConfig, ...] | None = None
    model: str | None = None
    renames: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Columns with the names they had before, the latest first."""
    fields: tuple[FieldConfig, ...] | None = None
    """Typed columns of a MongoDB collection; None: those of a sample."""
    added_defaults: tuple[tuple[str, str], ...] = ()
    """Columns with what the rows got that existed when the column was added, as text."""
    close_unseen: bool = False
    """A complete full snapshot ends the rows that it does not show."""
    includes: tuple[Included, ...] = ()
    """What source blocks hold whose records are of this table, too."""

    def to_dict(self) -> dict[str, Any]:
        """Return the table's options; what is not set is left out."""
        described: dict[str, Any] = {}
        if self.replica_identity is not None:
            entries = self.replica_identity
            described["replica_identity"] = (
                entries[0].is_
                if len(entries) == 1 and entries[0].from_ is None
                else [entry.to_dict() for entry in entries]
            )
        if self.key is not None:
            described["key"] = list(self.key)
        if self.columns is not None:
            described["columns"] = [column.to_dict() for column in self.columns]
        if self.model is not None:
            described["model"] = self.model
        if self.renames:
            described["renames"] = {column: list(names) for column, names in self.renames}
        if self.fields is not None:
            described["fields"] = {
                field.path: {"type": field.type, "name": field.name} for field in self.fields
            }
        if self.added_defaults:
            described["added_defaults"] = dict(self.added_defaults)
        if self.close_unseen:
            described["close_unseen"] = True
        if self.includes:
            described["includes"] = [dict(one) for one in self.includes]
        return described


def read_tables(value: Any, where: str, connector: str) -> dict[str, TableConfig]:
    """Return the configured tables by name.

    Raises:
        ConfigError: a wrong table name or option.
    """
    tables = {}
    for name, options in expect_mapping(value if value is not None else {}, where).items():
        _check_name(name, where, connector)
        tables[name] = _read_table(name, options, f"{where}.{name}", connector)
    _check_included_once(tables, where)
    models: dict[str, str] = {}
    for name, table in tables.items():
        if table.model in models:
            raise ConfigError(
                f"{where} gives `{name}` and `{models[table.model]}` the model `{table.model}`",
                "Give each table its own",
            )
        if table.model is not None:
            models[table.model] = name
    return tables


def _check_name(name: str, where: str, connector: str) -> None:
    parts = name.split(".")
    if len(parts) < 2 or not all(parts):
        form = (
            "<database>.<collection>"
            if connector == "mongodb"
            else "<database>.<table>"
            if connector in ("mysql", "mariadb")
            else "<schema>.<table>"
        )
        raise ConfigError(f"{where} names the table `{name}`", f"Write it as `{form}`")


def _read_table(name: str, value: Any, where: str, connector: str) -> TableConfig:
    options = expect_mapping(value if value is not None else {}, where)
    expect_known(options, KEYS, where)
    _check_kind(options, where, connector)

    key = options.get("key")
    if key is not None:
        key = tuple(
            expect_text(one, f"{where}.key[{number}]", "id")
            for number, one in enumerate(expect_list(key, f"{where}.key"))
        )
        if len(set(key)) < len(key):
            raise ConfigError(
                f"{where}.key is {list(key)!r}, with a column twice", "Name each once"
            )

    columns = options.get("columns")
    if columns is not None:
        columns = read_columns(columns, f"{where}.columns")
        by_type = [column.name for column in columns if column.database_type is not None]
        if by_type and connector != "postgresql":
            raise ConfigError(
                f"{where}.columns gives `{by_type[0]}` by its `database_type`",
                f"Give its Connect type (`type`): the schema-change topic of `{connector}` knows"
                " the database types",
            )
        missing = [one for one in key or () if one not in {column.name for column in columns}]
        if missing:
            raise ConfigError(
                f"{where}.key names `{missing[0]}`, which is not among its `columns`",
                "Correct the name or declare the column",
            )

    close_unseen = options.get("close_unseen", False)
    if not isinstance(close_unseen, bool):
        raise ConfigError(f"{where}.close_unseen is {close_unseen!r}", "Use true or false")

    model = options.get("model")
    if model is not None and not (isinstance(model, str) and MODEL_NAME.fullmatch(model)):
        raise ConfigError(
            f"{where}.model is {model!r}", "Use lower-case letters, digits and `_` only"
        )
    return TableConfig(
        name=name,
        replica_identity=read_replica_identity(
            options.get("replica_identity"), f"{where}.replica_identity", connector
        ),
        key=key,
        columns=columns,
        model=model,
        renames=_read_renames(options.get("renames"), f"{where}.renames"),
        fields=read_fields(options["fields"], f"{where}.fields")
        if options.get("fields") is not None
        else None,
        added_defaults=_read_added_defaults(
            options.get("added_defaults"), f"{where}.added_defaults"
        ),
        close_unseen=close_unseen,
        includes=read_included(options.get("includes"), f"{where}.includes", name, connector),
    )


def _check_included_once(tables: Mapping[str, TableConfig], where: str) -> None:
    """Refuse one source table in two tables.

    Raises:
        ConfigError: two tables include what has one name.
    """
    owners: dict[tuple[Included, str], str] = {}
    for name, table in tables.items():
        rest = name.rsplit(".", 1)[0]
        for one in table.includes:
            # equal entries below one schema differ in nothing
            if "table" in dict(one) and (one, rest) in owners:
                raise ConfigError(
                    f"{where} includes {dict(one)!r} in `{owners[one, rest]}` and in `{name}`",
                    "Leave it to one of them",
                )
            owners[one, rest] = name


def _check_kind(options: Mapping[str, Any], where: str, connector: str) -> None:
    """Refuse options of tables for collections, and the reverse.

    Raises:
        ConfigError: an option says nothing for the connector.
    """
    if connector != "mongodb":
        if options.get("fields") is not None:
            raise ConfigError(
                f"{where}.fields is set for the connector `{connector}`",
                "Remove it: only MongoDB's documents have fields; see `columns`",
            )
        return
    for option in options:
        if option not in COLLECTION_KEYS:
            raise ConfigError(
                f"{where}.{option} is set for the connector `mongodb`",
                "Remove it: documents have no columns; name their typed fields in `fields`",
            )


def _read_renames(value: Any, where: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    renames: dict[str, tuple[str, ...]] = {}
    for column, former in expect_mapping(value if value is not None else {}, where).items():
        listed = [former] if isinstance(former, str) else expect_list(former, f"{where}.{column}")
        renames[column] = tuple(expect_text(one, f"{where}.{column}", "old_name") for one in listed)
    owners: dict[str, str] = {}
    for column, names in renames.items():
        for one in names:
            if one in renames:
                raise ConfigError(
                    f"{where} gives `{one}` a former name and makes it the former name of"
                    f" `{column}`",
                    f"List both under the name of today: {column}: [{one}, ...]",
                )
            if one in owners:
                raise ConfigError(
                    f"{where} makes `{one}` the former name of `{owners[one]}` and of `{column}`",
                    "Give it to one of them",
                )
            owners[one] = column
    return tuple(renames.items())


def _read_added_defaults(value: Any, where: str) -> tuple[tuple[str, str], ...]:
    defaults = {}
    for column, default in expect_mapping(value if value is not None else {}, where).items():
        if isinstance(default, bool):
            defaults[column] = str(default).lower()
        elif isinstance(default, str | int | float | date):
            defaults[column] = str(default)
        else:
            raise ConfigError(
                f"{where}.{column} is {default!r}",
                "Write the value that the rows got which existed, like 7, '2.50' or '2026-01-31'",
            )
    return tuple(defaults.items())
