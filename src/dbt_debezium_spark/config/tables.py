"""Options of single tables: what their records cannot contain."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, model_validator

from dbt_debezium_spark.config.block import Block, NamedBlock
from dbt_debezium_spark.config.columns import Columns
from dbt_debezium_spark.config.errors import problem
from dbt_debezium_spark.config.fields import Fields
from dbt_debezium_spark.config.history import History
from dbt_debezium_spark.config.included import Includes
from dbt_debezium_spark.config.replica_identity import ReplicaIdentities
from dbt_debezium_spark.config.values import (
    as_flag,
    as_list,
    as_mapping,
    as_text,
    flag,
    unless_none,
)

COLLECTION_OPTIONS = ("feed", "fields", "history", "includes", "model")
CONTRACT = "Set `+contract: {enforced: true}` on the models in dbt_project.yml (docs/generate.md)"
MODEL_NAME = re.compile(r"[a-z0-9_]+")


def _key(value: Any) -> tuple[str, ...]:
    key = tuple(as_text(one, "id", f"[{number}]") for number, one in enumerate(as_list(value)))
    if len(set(key)) < len(key):
        raise problem(f" is {list(key)!r}, with a column twice", "Name each once")
    return key


def _columns_for(value: Any, info: ValidationInfo) -> Any:
    """Refuse database types for connectors with a schema-change topic.

    Raises:
        PydanticCustomError: a column has a database type.
    """
    connector = (info.context or {})["connector"]
    by_type = [column.name for column in value or () if column.database_type is not None]
    if by_type and connector != "postgresql":
        raise problem(
            f" gives `{by_type[0]}` by its `database_type`",
            f"Give its Connect type (`type`): the schema-change topic of `{connector}` contains"
            " the database types",
        )
    return value


def _model(value: Any) -> str:
    if not (isinstance(value, str) and MODEL_NAME.fullmatch(value)):
        raise problem(f" is {value!r}", "Use lower-case letters, digits and `_` only")
    return value


def _renames(value: Any) -> dict[str, tuple[str, ...]]:
    renames: dict[str, tuple[str, ...]] = {}
    for column, former in as_mapping({} if value is None else value).items():
        names = [former] if isinstance(former, str) else former
        if not isinstance(names, list | tuple):
            raise problem(f".{column} is {former!r}", "Write it as a list")
        renames[column] = tuple(as_text(name, "old_name", f".{column}") for name in names)
    owners: dict[str, str] = {}
    for column, former_names in renames.items():
        for one in former_names:
            if one in renames:
                raise problem(
                    f" gives `{one}` a former name and makes it the former name of `{column}`",
                    f"List both under the current name: {column}: [{one}, ...]",
                )
            if one in owners:
                raise problem(
                    f" makes `{one}` the former name of `{owners[one]}` and of `{column}`",
                    "Give it to one of them",
                )
            owners[one] = column
    return renames


def _added_defaults(value: Any) -> dict[str, str]:
    defaults = {}
    for column, default in as_mapping({} if value is None else value).items():
        if isinstance(default, bool):
            defaults[column] = str(default).lower()
        elif isinstance(default, str | int | float | date):
            defaults[column] = str(default)
        else:
            raise problem(
                f".{column} is {default!r}",
                "Write the value that existing rows received, like 7, '2.50' or '2026-01-31'",
            )
    return defaults


class TableConfig(Block):
    """Options of one table.

    Attributes:
        replica_identity: its identities, the earliest first.
        renames: former names by column, the latest first.
        added_defaults: by added column the value that existing rows received, as text.
        close_unseen: whether a complete full snapshot ends rows that it does not contain.
        history: options of its history; None for what the source says.
        fields: typed columns of a MongoDB collection; None for those of a sample.
        includes: members of source blocks whose records also belong to this table.
        feed: whether it has a change feed; None: as its source says.
    """

    key_field = "name"
    unset = {
        "name": None,
        "replica_identity": None,
        "key": None,
        "columns": None,
        "model": None,
        "renames": {},
        "added_defaults": {},
        "close_unseen": False,
        "history": None,
        "fields": None,
        "includes": (),
        "feed": None,
    }

    removed = {"contract": CONTRACT}

    name: str = Field(exclude=True)
    replica_identity: ReplicaIdentities = None
    key: Annotated[tuple[str, ...] | None, unless_none(_key)] = None
    columns: Annotated[Columns, AfterValidator(_columns_for)] = None
    model: Annotated[str | None, unless_none(_model)] = None
    renames: Annotated[dict[str, tuple[str, ...]], BeforeValidator(_renames)] = {}
    added_defaults: Annotated[dict[str, str], BeforeValidator(_added_defaults)] = {}
    close_unseen: Annotated[bool, flag("Use true or false")] = False
    history: History = None
    fields: Fields = None
    includes: Includes = ()
    feed: Annotated[bool | None, unless_none(as_flag)] = None

    @classmethod
    def prepare(
        cls, options: dict[str, Any], name: str, context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the options; refuse those of tables for collections, and the reverse."""
        connector = context["connector"]
        if connector != "mongodb":
            if options.get("fields") is not None:
                raise problem(
                    f".fields is set for the connector `{connector}`",
                    "Remove it: only MongoDB's documents have fields; see `columns`",
                )
            return options
        for option in options:
            if option not in COLLECTION_OPTIONS:
                raise problem(
                    f".{option} is set for the connector `mongodb`",
                    "Remove it: documents have no columns; name their typed fields in `fields`",
                )
        return options

    @model_validator(mode="after")
    def _key_is_declared(self) -> Self:
        declared = None if self.columns is None else {column.name for column in self.columns}
        missing = [
            key_column
            for key_column in self.key or ()
            if declared is not None and key_column not in declared
        ]
        if missing:
            raise problem(
                f".key names `{missing[0]}`, which is not among its `columns`",
                "Correct the name or declare the column",
            )
        return self


def _by_name(value: Any, info: ValidationInfo) -> dict[str, NamedBlock]:
    """Return each table's name with its options, which may be empty.

    Raises:
        PydanticCustomError: a name lacks its schema or database.
    """
    connector = (info.context or {})["connector"]
    tables = as_mapping({} if value is None else value)
    for name in tables:
        parts = name.split(".")
        if len(parts) < 2 or not all(parts):
            form = (
                "<database>.<collection>"
                if connector == "mongodb"
                else "<database>.<table>"
                if connector in ("mysql", "mariadb")
                else "<schema>.<table>"
            )
            raise problem(f" names the table `{name}`", f"Write it as `{form}`")
    return {
        name: NamedBlock(name, {} if options is None else options)
        for name, options in tables.items()
    }


def _with_unique_includes(tables: dict[str, TableConfig]) -> dict[str, TableConfig]:
    """Refuse a source table that two tables include.

    Raises:
        PydanticCustomError: two tables include the same source table.
    """
    owners: dict[tuple[str, str], str] = {}
    for name, table in tables.items():
        rest = name.rsplit(".", 1)[0]
        for include in table.includes:
            # equal entries in one schema mean the same table
            entry = (repr(include), rest)
            if "table" in include and entry in owners:
                raise problem(
                    f" includes {include!r} in `{owners[entry]}` and in `{name}`",
                    "Leave it to one of them",
                )
            owners[entry] = name
    return tables


def _with_unique_models(tables: dict[str, TableConfig]) -> dict[str, TableConfig]:
    models: dict[str, str] = {}
    for name, table in tables.items():
        if table.model in models:
            raise problem(
                f" gives `{name}` and `{models[table.model]}` the model `{table.model}`",
                "Give each table its own",
            )
        if table.model is not None:
            models[table.model] = name
    return tables


Tables = Annotated[
    dict[str, TableConfig],
    BeforeValidator(_by_name),
    AfterValidator(_with_unique_includes),
    AfterValidator(_with_unique_models),
]
