"""The description of a table, from which its models and properties are written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from dbt_debezium_spark.decode import Column, decoded_columns, known_database_type
from dbt_debezium_spark.decode.connectors import connector_of
from dbt_debezium_spark.decode.record_schema import column_of
from dbt_debezium_spark.generator.messages import MessageFields, message
from dbt_debezium_spark.generator.tables import Config, RecordedTable, Row, Table
from dbt_debezium_spark.staging import all_names, has_complete_before
from dbt_debezium_spark.text.names import name_in_models

# Types with values that SQL Server and Oracle may store outside of the row.
_LARGE = re.compile(r"\(max\)|lob|long|xml|^n?text|image|json")


def described_table(config: Config, table: RecordedTable) -> Table:
    """Return the description of a table.

    Args:
        config: configuration of the source.
        table: one of `tables_of_rows`.

    Returns:
        `columns`, `key` and `former_keys` for macros; `image_columns`, also those that its models
        leave out, as macro `staging` gets them; `decoded`, the columns of its models;
        `described`, the catalog's row of each column, with comments and database types; and
        `messages`.
    """
    source, name, first = config["name"], table["name"], table["rows"][0]
    past, messages = _configured_past(config, table)
    if first.get("ended_by"):
        rows = ", and its rows end." if first["ended_by"] == "dropped" else (
            " and show the rows it held."
        )  # fmt: skip
        text = f"table '{name}' was {first['ended_by']} at the source; its models are kept{rows}"
        messages.append(message("note", source, name, text))
    columns: list[dict[str, Any]] = []
    image_columns: list[dict[str, Any]] = []
    described: dict[str, Row] = {}
    key: dict[int, dict[str, Any]] = {}
    for row in table["rows"]:
        model_column = name_in_models(table_settings(config, name), row["column_name"])
        if model_column is None:
            if row.get("ordinal_position") is not None:
                image_columns.append({"name": row["column_name"], "excluded": True})
            continue
        if row.get("connect_type") is None:
            text = (
                f"column '{row['column_name']}' of table '{name}' has the type"
                f" '{row.get('database_type') or 'unknown'}', which the connector does not encode"
                " in a known way; it is left out (values that arrive are kept in _cdc_unmapped)."
                f" Declare it: debezium_sources.{source}.tables.{name}.columns."
            )
            messages.append(message("note", source, name, text))
            continue
        column = _column(config, row, past)
        if model_column != row["column_name"]:
            column = {"name": model_column, "source_name": row["column_name"]} | {
                member: value for member, value in column.items() if member != "name"
            }
        if "gone_until" in column:
            text = (
                f"column '{row['column_name']}' of table '{name}' was dropped and added again: its"
                f" values in records up to position {row['gone_until']} are not shown."
            )
            messages.append(message("note", source, name, text))
        if row.get("ordinal_position") is not None:
            columns.append(column)
            image_columns.append(column)
            described[column["name"]] = row
        if row["is_key"]:
            key[row["key_position"]] = {
                member: value
                for member, value in column.items()
                if member not in ("optional", "added_default")
            }
    key_columns = [key[position] for position in sorted(key)]
    if not key_columns:
        messages += _keyless_messages(config, table, described)
    messages += history_messages(config, name, list(described), bool(key_columns))
    return {
        "source": source,
        "name": name,
        "model": table["model"],
        "topics": first["topics"],
        "is_shared_topic": False,
        "origins": table["origins"],
        "evidence": first["evidence"],
        "ended_by": first.get("ended_by"),
        "since_position": first.get("since_position"),
        "last_position": first.get("last_position"),
        "comment": first.get("table_comment"),
        "key": key_columns,
        "former_keys": _former_keys(config, table, key_columns),
        "columns": columns,
        "image_columns": image_columns,
        "decoded": decoded_columns(config, cast(list[Column], columns)),
        "described": described,
        "history": history_options(config, name) if key_columns else None,
        "messages": messages,
    }


def table_settings(config: Config, table: str) -> Mapping[str, Any]:
    """Return the configuration of a table; empty without one."""
    return (config.get("tables") or {}).get(table) or {}


def _column(config: Config, row: Row, past: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return a column with its past; the definition of its table decides nullability."""
    node = cast(Column, column_of(json.loads(row["schema_json"])))
    known = known_database_type(config, node, row.get("database_type"))
    column: dict[str, Any] = {
        member: value for member, value in known.items() if member != "optional"
    }
    column.update(past.get(column["name"], {}))
    if not row["is_optional"]:
        column["optional"] = False
    if row.get("gone_until") and not row["is_key"]:
        column["gone_until"] = row["gone_until"]
    return column


# -- what records do not contain (spec §6.6) -------------------------------------------------------


def _configured_past(
    config: Config, table: RecordedTable
) -> tuple[dict[str, dict[str, Any]], list[MessageFields]]:
    """Return what `renames` and `added_defaults` say of columns, and entries without effect.

    Entries of `as` and `exclude` may have none, too.
    """
    source, name = config["name"], table["name"]
    settings = table_settings(config, name)
    names = [row["column_name"] for row in table["rows"]]
    columns: dict[str, dict[str, Any]] = {}
    messages = []
    options = {
        "renames": "formerly", "added_defaults": "added_default", "as": None, "exclude": None,
    }  # fmt: skip
    for option, member in options.items():
        values = settings.get(option) or {}
        for column in values:
            where = f"debezium_sources.{source}.tables.{name}.{option}.{column}"
            again = [one for one in values[column] if one in names] if option == "renames" else []
            if column not in names:
                text = (
                    f"{where} has no effect: the table has no column of this name"
                    f" (it has {', '.join(names)})."
                )
                messages.append(message("note", source, name, text))
            elif again:
                text = (
                    f"{where} is ignored: {', '.join(again)} is a column of the table again, so an"
                    " earlier event could mean either column."
                )
                messages.append(message("warning", source, name, text))
            elif member:
                columns.setdefault(column, {})[member] = values[column]
    return columns, messages


def _former_keys(
    config: Config, table: RecordedTable, key: Sequence[Mapping[str, Any]]
) -> list[list[str]]:
    """Return the former keys of a table, from the keys of its records.

    There are none if the key is configured, because it then applies to all records.
    """
    if not key or table_settings(config, table["name"]).get("key"):
        return []
    in_force = set(all_names(cast(list[Column], key)))
    return [
        names
        for names in table["record_keys"]
        if not in_force.issuperset(names) or len(names) != len(key)
    ]


# -- tables without a key --------------------------------------------------------------------------


def _keyless_messages(
    config: Config,
    table: RecordedTable,
    described: Mapping[str, Row],
) -> list[MessageFields]:
    """Warn of keys without a column of the table or without any, and of missing values of rows.

    Args:
        config: configuration of the source.
        table: `name` and `has_keys`, of a table without a key.
        described: the catalog's rows of its columns, by name.
    """
    source, name = config["name"], table["name"]
    where = f"debezium_sources.{source}.tables.{name}.key"
    is_multiset = has_complete_before(config, name)
    effect = (
        "Its rows are counted as a multiset"
        if is_multiset
        else "It is append-only: updates and deletes remove no row"
    )
    texts = []
    if table.get("has_keys"):
        texts.append(
            f"the records of table '{name}' have keys that name none of its columns, such as"
            f" single values and keys of a transform. {effect}. Name its key columns: {where}:"
            " [<column>]. If its rows lack them, and the keys have no schema, declare them under"
            " columns as well."
        )
    elif config.get("key_switch"):
        texts.append(
            f"the records of table '{name}' have no keys, because the sink wrote none. {effect}."
            f" Let the sink write them ({config['key_switch']}), or name its key columns: {where}:"
            " [<column>]."
        )
    large = [column for column, row in described.items() if _may_be_outside(row)]
    if is_multiset and connector_of(config).may_omit == "large" and large:
        which = (
            " that an update does not change, if they have a (max) type"
            if config["connector"] == "sqlserver"
            else ", if they are LOBs"
        )
        texts.append(
            f"table '{name}' has no key, and `before` lacks values of {', '.join(large)}{which}:"
            " updates and deletes of rows with such values do not find the row, which stays."
            f" Exclude these columns in Debezium, or name a key: {where}: [<column>]."
        )
    return [message("warning", source, name, text) for text in texts]


def _may_be_outside(row: Row) -> bool:
    """Return whether the database may store values of a column outside of its row.

    The database type decides, or the encoding if the type is unknown.
    """
    database_type = (row.get("database_type") or "").lower()
    if not database_type:
        return row.get("connect_type") in ("string", "bytes") and not row.get("semantic_type")
    return _LARGE.search(database_type) is not None


# -- histories -------------------------------------------------------------------------------------


def history_options(config: Config, table: str) -> Mapping[str, Any] | None:
    """Return the options of a table's history, None for a table without one."""
    own = table_settings(config, table).get("history")
    options: Mapping[str, Any] | None = config.get("history") if own is None else own
    return options if options is not None and options.get("enabled", True) else None


def history_messages(
    config: Config, table: str, columns: Sequence[str], has_key: bool
) -> list[MessageFields]:
    """Refuse a history of a table without a key, and options that name no column.

    Args:
        config: configuration of the source.
        table: name of the table.
        columns: names of its columns.
        has_key: whether it has a key.
    """
    options = history_options(config, table)
    if options is None:
        return []
    source, is_own = config["name"], table_settings(config, table).get("history") is not None
    where = f"debezium_sources.{source}.tables.{table}"
    if not has_key:
        text = (
            f"table '{table}' has no key, so it has no history: nothing shows which of its rows"
            f" became which. Name its key columns ({where}.key), or set {where}.history: false."
        )
        return [message("problem" if is_own else "warning", source, table, text)]
    return [
        message(
            "warning",
            source,
            table,
            f"the history of table '{table}' names the column '{name}' ({option}), which"
            f" the table has not. Correct {where}.history.{option}.",
        )
        for option in ("track", "ignore")
        for name in options.get(option) or ()
        if name not in columns and is_own
    ]
