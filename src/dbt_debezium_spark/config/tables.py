"""Options of single tables: what their records cannot contain."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    ValidationInfo,
    model_validator,
)

from dbt_debezium_spark.config.block import (
    EMPTY_LIST,
    Block,
    Flag,
    Moment,
    NamedBlock,
    as_mapping,
    as_one_of,
    as_text,
    connector_name,
    first_repeated,
    matching,
    moment,
    moment_text,
    one_of,
    refuse_unknown,
    text,
)
from dbt_debezium_spark.config.columns import Columns, Fields
from dbt_debezium_spark.config.errors import BLOCK, problem
from dbt_debezium_spark.decode.connectors import Connector, connector_of
from dbt_debezium_spark.text.names import RESERVED, collision, unwritable


def _connector(info: ValidationInfo) -> Connector:
    """Return what is particular to the connector of a validated block; nothing if it is unknown."""
    return connector_of({"connector": connector_name(info)})


# -- histories -------------------------------------------------------------------------------------

_DURATION = re.compile(r"([1-9][0-9]{0,5}) (day|hour)s?")
_MICROSECONDS = {"day": 86_400_000_000, "hour": 3_600_000_000}


def _instant(value: Any) -> str:
    """Return a time in UTC as `YYYY-MM-DD HH:MM:SS`, the text of a Spark timestamp."""
    if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
        value = dt.datetime(value.year, value.month, value.day)
    found = moment(value)
    if found is None:
        raise problem(f" is {value!r}, not a time", "Write for example '1900-01-01', in UTC")
    return moment_text(found, " ")


def _duration(value: Any) -> int:
    """Return a duration in microseconds; a number is one already, as in `to_dict`."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    match = _DURATION.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        raise problem(f" is {value!r}, not a duration", "Write for example `400 days`")
    return int(match[1]) * _MICROSECONDS[match[2]]


def _not_empty(names: tuple[str, ...]) -> tuple[str, ...]:
    if not names:
        raise problem(" is empty", "Name columns, or remove the option")
    return names


_Names = Annotated[tuple[Annotated[str, text("price")], ...], AfterValidator(_not_empty)]
_Instant = Annotated[str, BeforeValidator(_instant)]


class HistoryConfig(Block):
    """What makes versions of a table's rows, and how they are shown (docs/history.md#options).

    Attributes:
        enabled: false for a table without a history in a source with one.
        keep: in microseconds.
    """

    enabled: Flag = True
    within_transaction: Annotated[str, one_of(("last", "all"))] = "last"
    track: _Names | None = None
    ignore: _Names | None = None
    valid_to_current: _Instant | None = None
    first_from: _Instant | None = None
    deleted_rows: Flag = False
    keep: Annotated[int, BeforeValidator(_duration)] | None = None
    names: Annotated[str, one_of(("cdc", "dbt"))] = "cdc"

    @model_validator(mode="after")
    def _names_some_columns(self) -> Self:
        if self.track is not None and self.ignore is not None:
            raise problem(" has `track` and `ignore`", "Give one: each says what the other leaves")
        return self


def _history(value: Any) -> Any:
    if isinstance(value, bool):
        return {"enabled": value}
    if value is None or isinstance(value, Mapping | HistoryConfig):
        return value
    raise problem(f" is {value!r}", "Write true, false, or a mapping of options")


History = Annotated[HistoryConfig | None, BeforeValidator(_history)]

# -- retention -------------------------------------------------------------------------------------


class RetentionConfig(Block):
    """For how long logs keep their records (docs/retention.md), in microseconds.

    Attributes:
        staging: the staged records of a table; None: for ever.
        raw: the raw records of its topics; None: for ever.
    """

    staging: Annotated[int, BeforeValidator(_duration)] | None = None
    raw: Annotated[int, BeforeValidator(_duration)] | None = None


# -- replica identities, which no record contains --------------------------------------------------

REPLICA_IDENTITIES = ("default", "full", "index", "nothing")


class ReplicaIdentity(Block):
    """One identity of a PostgreSQL table, from a record timestamp on, or from the first record."""

    is_: Annotated[str, one_of(REPLICA_IDENTITIES)] = Field(alias="is")
    from_: Moment | None = Field(default=None, alias="from")


def _identities(value: Any, info: ValidationInfo) -> Any:
    """Return the entries; one identity alone is that of all records."""
    if value is None:
        return None
    if _connector(info).before != "declared":
        raise problem(
            f" is set for the connector `{connector_name(info)}`",
            "Remove it: only PostgreSQL has replica identities",
        )
    if not isinstance(value, list | tuple):
        return [{"is": as_one_of(value, REPLICA_IDENTITIES)}]
    if not value:
        raise problem(" is an empty list", "Write an identity or a list of entries, or remove it")
    return value


def _in_order(entries: tuple[ReplicaIdentity, ...] | None) -> tuple[ReplicaIdentity, ...] | None:
    """Refuse timestamps that do not increase; only the first entry may have none."""
    for number in range(1, len(entries or ())):
        before, entry = (entries or ())[number - 1 : number + 1]
        if entry.from_ is None:
            raise problem(
                f"[{number}].from is missing",
                "Add the record timestamp from which it applies: only the first entry may omit it",
            )
        if entry.from_ <= (before.from_ or ""):
            raise problem(
                f"[{number}].from is `{entry.from_}`, not after the entry before it",
                "Order the entries by `from`",
            )
    return entries


def _serialized_identities(entries: tuple[ReplicaIdentity, ...] | None) -> Any:
    if entries is not None and len(entries) == 1 and entries[0].from_ is None:
        return entries[0].is_
    return None if entries is None else [entry.to_dict() for entry in entries]


ReplicaIdentities = Annotated[
    tuple[ReplicaIdentity, ...] | None,
    BeforeValidator(_identities),
    AfterValidator(_in_order),
    PlainSerializer(_serialized_identities),
]

# -- source tables that are parts of another table: shards, partitions, a renamed database ---------

_EXAMPLES = {"name": "shop_before", "db": "shop_2", "schema": "tenant_2", "table": "orders_p*"}


def _included(value: Any, info: ValidationInfo) -> dict[str, str]:
    """Return one entry, with its members in the connector's order."""
    entry = as_mapping(value)
    members = _connector(info).table
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


def _distinct_tables(
    entries: tuple[dict[str, str], ...], info: ValidationInfo
) -> tuple[dict[str, str], ...]:
    """Refuse duplicates, and an entry with a database if the table's own name has none."""
    table = info.data["name"]
    for number, entry in enumerate(entries):
        if "db" in entry and "schema" in _connector(info).table and table.count(".") < 2:
            raise problem(
                f"[{number}] gives the database `{entry['db']}`, and `{table}` does not name its"
                " own",
                f"Write the table with its database in front: `<database>.{table}`",
            )
        if entry in entries[:number]:
            raise problem(f" names {entry!r} twice", "Remove one of them")
    return entries


Includes = Annotated[
    tuple[Annotated[dict[str, str], BeforeValidator(_included)], ...],
    EMPTY_LIST,
    AfterValidator(_distinct_tables),
]

# -- the options of a table ------------------------------------------------------------------------

COLLECTION_OPTIONS = ("feed", "fields", "history", "includes", "model", "retention")
CONTRACT = "Set `+contract: {enforced: true}` on the models in dbt_project.yml (docs/generate.md)"


def _key_once(key: tuple[str, ...]) -> tuple[str, ...]:
    if first_repeated(key) is not None:
        raise problem(f" is {list(key)!r}, with a column twice", "Name each once")
    return key


def _known_types(columns: Columns | None, info: ValidationInfo) -> Columns | None:
    """Refuse database types for connectors with a schema-change topic."""
    for column in columns or ():
        if column.database_type is not None and connector_name(info) != "postgresql":
            raise problem(
                f" gives `{column.name}` by its `database_type`",
                "Give its Connect type (`type`): the schema-change topic of"
                f" `{connector_name(info)}` contains the database types",
            )
    return columns


def _renames(value: Any) -> dict[str, tuple[str, ...]]:
    renames: dict[str, tuple[str, ...]] = {}
    for column, former in as_mapping({} if value is None else value).items():
        names = [former] if isinstance(former, str) else former
        if not isinstance(names, list | tuple):
            raise problem(f".{column} is {former!r}", "Write it as a list")
        renames[column] = tuple(as_text(name, "old_name", f".{column}") for name in names)
    columns: dict[str, str] = {}
    for column, former_names in renames.items():
        for name in former_names:
            if name in renames:
                raise problem(
                    f" gives `{name}` a former name and makes it the former name of `{column}`",
                    f"List both under the current name: {column}: [{name}, ...]",
                )
            if name in columns:
                raise problem(
                    f" makes `{name}` the former name of `{columns[name]}` and of `{column}`",
                    "Give it to one of them",
                )
            columns[name] = column
    return renames


def _names(value: Any) -> dict[str, str]:
    names: dict[str, str] = {}
    for column, name in as_mapping({} if value is None else value).items():
        names[column] = as_text(name, "order_number", f".{column}")
        if (why := unwritable(name)) is not None:
            raise problem(f".{column} is {name!r}, a name {why}", "Choose another name")
        if name.lower().startswith(RESERVED):
            raise problem(
                f".{column} is {name!r}, but {RESERVED} is the prefix of the columns we add",
                "Choose another name",
            )
    pair = collision(names.values())
    if pair is not None:
        raise problem(
            f" gives two columns the names `{pair[0]}` and `{pair[1]}`, which Spark takes for one",
            "Choose another for one of them",
        )
    return names


def _added_defaults(value: Any) -> dict[str, str]:
    defaults = {}
    for column, default in as_mapping({} if value is None else value).items():
        if not isinstance(default, str | int | float | dt.date):
            raise problem(
                f".{column} is {default!r}",
                "Write the value that existing rows received, like 7, '2.50' or '2026-01-31'",
            )
        text = str(default)
        defaults[column] = text.lower() if isinstance(default, bool) else text
    return defaults


_MODEL_REMEDY = "Use lower-case letters, digits and `_` only"


class TableConfig(Block):
    """Options of one table.

    Attributes:
        replica_identity: its identities, the earliest first.
        renames: former names by column, the latest first.
        as_: names of columns in the models, by their names at the source.
        exclude: columns at the source that the models leave out.
        added_defaults: by added column the value that existing rows received, as text.
        close_unseen: whether a complete full snapshot ends rows that it does not contain.
        history: options of its history; None for what the source says.
        fields: typed columns of a MongoDB collection; None for those of a sample.
        includes: members of source blocks whose records also belong to this table.
        feed: whether it has a change feed; None: as its source says.
        retention: for how long its logs keep records; None: as its source says.
    """

    key_field = "name"
    removed = {"contract": CONTRACT}

    name: str = Field(exclude=True)
    replica_identity: ReplicaIdentities = None
    key: Annotated[tuple[Annotated[str, text("id")], ...], AfterValidator(_key_once)] | None = None
    columns: Annotated[Columns | None, AfterValidator(_known_types)] = None
    model: Annotated[str, matching("[a-z0-9_]+", "orders", _MODEL_REMEDY)] | None = None
    renames: Annotated[dict[str, tuple[str, ...]], BeforeValidator(_renames)] = {}
    as_: Annotated[dict[str, str], BeforeValidator(_names)] = Field(default={}, alias="as")
    exclude: Annotated[tuple[Annotated[str, text("notes")], ...], EMPTY_LIST] = ()
    added_defaults: Annotated[dict[str, str], BeforeValidator(_added_defaults)] = {}
    close_unseen: Flag = False
    history: History = None
    fields: Fields | None = None
    includes: Includes = ()
    feed: Flag | None = None
    retention: RetentionConfig | None = None

    @model_validator(mode="after")
    def _fits_the_connector(self, info: ValidationInfo) -> Self:
        connector = connector_name(info)
        has_documents = _connector(info).has_documents
        if not has_documents and self.fields is not None:
            raise problem(
                f".fields is set for the connector `{connector}`",
                "Remove it: only MongoDB's documents have fields; see `columns`",
            )
        for member, field in type(self).model_fields.items():
            option = field.alias or member
            is_set = member in self.model_fields_set and option != "name"
            if has_documents and is_set and option not in COLLECTION_OPTIONS:
                raise problem(
                    f".{option} is set for the connector `mongodb`",
                    "Remove it: documents have no columns; name their typed fields in `fields`",
                )
        return self

    @model_validator(mode="after")
    def _keeps_its_key(self) -> Self:
        for column in self.exclude:
            if column in self.as_:
                raise problem(f".exclude leaves out `{column}`, which .as names", "Remove one")
            if column in (self.key or ()):
                raise problem(
                    f".exclude leaves out `{column}`, a column of its key",
                    "Remove it there: without its key a row cannot be found",
                )
        return self

    @model_validator(mode="after")
    def _key_is_declared(self) -> Self:
        declared = {column.name for column in self.columns or ()}
        missing = [name for name in self.key or () if name not in declared]
        if missing and self.columns is not None:
            raise problem(
                f".key names `{missing[0]}`, which is not among its `columns`",
                "Correct the name or declare the column",
            )
        return self


def _by_name(value: Any, info: ValidationInfo) -> dict[str, NamedBlock]:
    """Return each table's name with its options, which may be empty."""
    connector = _connector(info)
    table = "collection" if connector.has_documents else "table"
    owner = "schema" if "schema" in connector.table else "database"
    tables = as_mapping({} if value is None else value)
    for name in tables:
        parts = name.split(".")
        if len(parts) < 2 or not all(parts):
            raise problem(f" names the table `{name}`", f"Write it as `<{owner}>.<{table}>`")
    return {
        name: NamedBlock(name, {} if options is None else options)
        for name, options in tables.items()
    }


def _distinct(tables: dict[str, TableConfig]) -> dict[str, TableConfig]:
    """Refuse a source table that two tables include, and a model of two tables."""
    owners: dict[tuple[str, str], str] = {}
    models: dict[str, str] = {}
    for name, table in tables.items():
        for include in table.includes:
            # equal entries in one schema mean the same table
            entry = (repr(include), name.rsplit(".", 1)[0])
            if "table" in include and entry in owners:
                raise problem(
                    f" includes {include!r} in `{owners[entry]}` and in `{name}`",
                    "Leave it to one of them",
                )
            owners[entry] = name
        if table.model is None:
            continue
        if table.model in models:
            raise problem(
                f" gives `{name}` and `{models[table.model]}` the model `{table.model}`",
                "Give each table its own",
            )
        models[table.model] = name
    return tables


Tables = Annotated[dict[str, TableConfig], BeforeValidator(_by_name), AfterValidator(_distinct)]
