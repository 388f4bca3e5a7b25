"""Properties of models: descriptions for readers, and tests.

Each model has its own file, so that a new or removed table changes no other table's file, and a
person can take over the properties of one model. Only models that are read list their columns, so
that a new column is one change for each; models/_columns__docs.md describes the columns that
staging and state add.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dbt_debezium_spark.generator import model_columns
from dbt_debezium_spark.generator.data_tests import (
    DataTest,
    column_tests,
    history_tests,
    model_tests,
)
from dbt_debezium_spark.generator.model_columns import DescribedColumns
from dbt_debezium_spark.generator.tables import Config, Table
from dbt_debezium_spark.text.literals import (
    is_plain,
    plain_words,
    yaml_argument,
    yaml_name,
    yaml_text,
)

_WORD = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_UNIQUE = (DataTest("not_null"), DataTest("unique"))
_DESCRIPTIONS = {
    "stg": "Every change event of {kind} `{name}`, {form}; append-only.",
    "state": "Private: one row per {row} of {kind} `{name}` ever seen, deleted {rows} kept.",
    "cur": "{Rows} of {kind} `{name}` as they are at the source after the last landed event.",
    "versions": (
        "Private: the versions of `hist_`, for {kind} `{name}`, and where the next run goes on."
    ),
    "hist": "Every version that the {rows_of} of {kind} `{name}` had, and when.",
    "all": (
        "Change feed: every {row_of} {kind} `{name}` ever seen with its last values, deleted ones"
        " included, and the landing that changed it last."
    ),
    "asof": (
        "Rows of {kind} `{name}` as of the newest cut of its source: all of the source's `asof_`"
        " views are as of the same commit."
    ),
}
_OF_TABLE = {
    "kind": "table", "form": "flattened and typed", "row": "key", "rows": "keys", "Rows": "Rows",
    "rows_of": "rows", "row_of": "row of",
}  # fmt: skip
_OF_COLLECTION = {
    "kind": "collection", "form": "as the connector wrote it", "row": "document", "rows": "ones",
    "Rows": "Documents", "rows_of": "documents", "row_of": "document of",
}  # fmt: skip
_STATE_WITHOUT_KEY = (
    "Private: one row per distinct content that table `{name}`, which has no key, ever held."
)

# Types of columns that this package adds to rows, for models that list their columns.
_ADDED_TYPES = {
    "_cdc_key": "string",
    "_cdc_op": "string",
    "_cdc_pos": "string",
    "_cdc_source_at": "timestamp",
    "_cdc_is_deleted": "boolean",
    "_cdc_deleted_at": "timestamp",
    "_cdc_batch_id": "bigint",
    "_cdc_landed_at": "timestamp",
}
_ADDED_TO_CURRENT = ("_cdc_op", "_cdc_pos", "_cdc_source_at")
_ADDED_TO_FEED = (
    *_ADDED_TO_CURRENT,
    *("_cdc_is_deleted", "_cdc_deleted_at", "_cdc_batch_id", "_cdc_landed_at"),
)
# Columns of a history besides those of its table, in the order of the view, with their types.
_ADDED_TO_HISTORY = {
    "_cdc_key": "string",
    "_cdc_life": "int",
    "_cdc_version": "int",
    "_cdc_scd_id": "string",
    "_cdc_valid_from": "timestamp",
    "_cdc_valid_to": "timestamp",
    "_cdc_is_current": "boolean",
    "_cdc_source_at": "timestamp",
    "_cdc_from_pos": "string",
    "_cdc_to_pos": "string",
    "_cdc_from_event_id": "string",
    "_cdc_to_event_id": "string",
    "_cdc_tx_id": "string",
    "_cdc_to_tx_id": "string",
    "_cdc_began_by": "string",
    "_cdc_ended_by": "string",
    "_cdc_from_is_exact": "boolean",
    "_cdc_previous_key": "string",
    "_cdc_next_key": "string",
    "_cdc_unavailable": "array<string>",
    "_cdc_batch_id": "bigint",
}
_ADDED_AT_CUT = (
    *("_cdc_source_at", "_cdc_from_pos", "_cdc_from_event_id", "_cdc_tx_id", "_cdc_unavailable"),
)
_DBT_NAMES = {
    "_cdc_valid_from": "dbt_valid_from",
    "_cdc_valid_to": "dbt_valid_to",
    "_cdc_scd_id": "dbt_scd_id",
    "_cdc_source_at": "dbt_updated_at",
    "_cdc_is_deleted": "dbt_is_deleted",
}
# Descriptions of columns that mean something else in a history.
_DOCUMENTED = {
    "_cdc_is_deleted": "_cdc_version_is_deleted",
    "_cdc_source_at": "_cdc_version_source_at",
    "_cdc_tx_id": "_cdc_version_tx_id",
    "_cdc_batch_id": "_cdc_version_batch_id",
    "_cdc_unavailable": "_cdc_version_unavailable",
}


@dataclass(frozen=True)
class ColumnProperties:
    """One column of a properties file; its texts are YAML scalars.

    `description` is None if it would only repeat the name.
    """

    name: str
    description: str | None
    data_type: str | None
    database_type: str | None = None
    is_quoted: bool = False
    tests: Sequence[DataTest] = ()


@dataclass(frozen=True)
class ModelProperties:
    """One model in a properties file; its texts of strangers are YAML scalars.

    `debezium_obs__drift` compares `table`, `model` and `ended_by` with the catalog.
    """

    name: str
    description: str
    source: str
    columns: Sequence[ColumnProperties]
    table: str | None = None
    model: str | None = None
    ended_by: str | None = None
    tests: Sequence[DataTest] = ()

    @property
    def tag(self) -> str:
        """The tag by which a scheduler selects the models of the source."""
        return yaml_name(self.source)


# -- models of a source ----------------------------------------------------------------------------


def source_properties(source: str) -> dict[str, list[ModelProperties]]:
    """Return the models of a source's two properties files, `raw` and `catalog`."""
    return {
        "raw": [
            source_model(
                f"raw_{source}",
                source,
                f"Records of source {source} exactly as Kafka carries them: each landed (topic,"
                " partition, offset) once, never rewritten.",
                model_columns.RAW,
                ("_cdc_batch_id", "_cdc_landed_at"),
            )
        ],
        "catalog": [
            source_model(
                f"catalog_{source}__columns",
                source,
                f"What the tables of source {source} look like: one row per table, version and"
                " column.",
                model_columns.CATALOG_COLUMNS,
            ),
            source_model(
                f"catalog_{source}__disagreements",
                source,
                f"Where records, schema-change topic and configuration of source {source} disagree"
                " about its tables: one row per table, column and matter.",
                model_columns.CATALOG_DISAGREEMENTS,
            ),
            source_model(
                f"catalog_{source}__schemas",
                source,
                f"Private: evidence for the catalog of source {source}: which embedded schemas each"
                " landing batch brought, and the records of the schema-change topic.",
                model_columns.CATALOG_SCHEMAS,
                ("_cdc_batch_id",),
            ),
        ],
    }


def source_model(
    name: str,
    source: str,
    description: str,
    columns: DescribedColumns,
    added: Iterable[str] = (),
    before: Iterable[ColumnProperties] = (),
) -> ModelProperties:
    """Return the properties of a model that belongs to no table.

    Args:
        name: name of the model.
        source: its source.
        description: its description.
        columns: its columns.
        added: columns behind them that this package adds to rows.
        before: columns in front of them.
    """
    plain = (plain_column(*column) for column in columns)
    all_columns = [*before, *plain, *map(_added_column, added)]
    return ModelProperties(name, yaml_text(description), source, all_columns)


# -- models of a table -----------------------------------------------------------------------------


def table_properties(config: Config, table: Table) -> dict[str, ModelProperties]:
    """Return the properties of the models of a table, by layer.

    Args:
        config: configuration of the source.
        table: the description of a table or collection.
    """
    ended_by = table.get("ended_by")
    models = {
        "stg": replace(
            _model("stg", config, table, ()), ended_by=yaml_argument(ended_by) if ended_by else None
        ),
        "state": _model("state", config, table, [unique_id("_cdc_key")]),
        "cur": _model("cur", config, table, _current(config, table), model_tests(config, table)),
    }
    if table.get("history") is not None:
        tests = history_tests(config["name"], table)
        models["versions"] = _model("versions", config, table, [unique_id("_cdc_scd_id")])
        models["hist"] = _model("hist", config, table, _history(table), tests)
    return models


def feed_properties(config: Config, table: Table) -> ModelProperties:
    """Return the properties of the change feed of a table or collection (docs/feed.md)."""
    columns = [_unique_key(), *_table_columns(table), *map(_added_column, _ADDED_TO_FEED)]
    return _model("all", config, table, columns)


def properties_at_cut(config: Config, table: Table) -> ModelProperties:
    """Return the properties of a table's rows as of the cut (docs/transactions.md)."""
    options = table["history"] or {}
    columns = table["decoded"]
    if named := {*(options.get("track") or options.get("ignore") or ())}:
        # a history knows the values of others only at its own versions
        key = [column["name"] for column in table["key"]]
        is_tracked = bool(options.get("track"))
        columns = [
            column
            for column in columns
            if column["name"] in key or bool({column["name"], column["of"]} & named) == is_tracked
        ]
    added = (_version_column(name, _ADDED_TO_HISTORY[name]) for name in _ADDED_AT_CUT)
    shown = _table_columns({**table, "decoded": columns})
    return _model("asof", config, table, [*shown, _unique_key(), *added])


def plain_column(name: str, data_type: str, description: str) -> ColumnProperties:
    """Return a column without tests."""
    return ColumnProperties(yaml_name(name), yaml_text(description), yaml_name(data_type))


def unique_id(name: str) -> ColumnProperties:
    """Return a key column of a private model."""
    return ColumnProperties(name, None, None, tests=_UNIQUE)


def _model(
    layer: str,
    config: Config,
    table: Table,
    columns: Sequence[ColumnProperties],
    tests: Sequence[DataTest] = (),
) -> ModelProperties:
    return ModelProperties(
        name=f"{layer}_{config['name']}__{table['model']}",
        description=yaml_text(_description(layer, table)),
        source=config["name"],
        columns=columns,
        table=yaml_argument(table["name"]),
        model=table["model"],
        tests=tests,
    )


def _description(layer: str, table: Table) -> str:
    """Return the description of a model; only that of `cur_` has comments of the source."""
    template = _DESCRIPTIONS[layer]
    if layer == "state" and not table["key"]:
        template = _STATE_WITHOUT_KEY
    words = _OF_COLLECTION if table.get("is_collection") else _OF_TABLE
    text = template.format(name=plain_words(table["name"]), **words)
    if layer != "cur":
        return text
    comment = plain_words(table.get("comment") or "")
    if ended_by := table.get("ended_by"):
        text += f" The table was {plain_words(ended_by)} at the source."
    return f"{comment} — {text}" if comment else text


def _current(config: Config, table: Table) -> list[ColumnProperties]:
    """Return the columns of `cur_`, in the order of the model."""
    columns = []
    for column in table["decoded"]:
        properties = _column(table, column)
        tests = column_tests(config, table, column) if is_plain(column["name"]) else ()
        # tests quote the name, which may be a keyword of SQL
        columns.append(replace(properties, tests=tests, is_quoted=True) if tests else properties)
    return [*columns, *map(_added_column, _ADDED_TO_CURRENT)]


def _history(table: Table) -> list[ColumnProperties]:
    """Return the columns of `hist_`, in the order of the model."""
    options = table["history"] or {}
    types = dict(_ADDED_TO_HISTORY)
    if options.get("deleted_rows"):
        types["_cdc_is_deleted"] = "string" if options.get("names") == "dbt" else "boolean"
    columns = _table_columns(table)
    for name, data_type in types.items():
        shown = _DBT_NAMES.get(name, name) if options.get("names") == "dbt" else name
        column = replace(_version_column(name, data_type), name=shown)
        columns.append(replace(column, tests=_UNIQUE) if name == "_cdc_scd_id" else column)
    return columns


def _table_columns(table: Table) -> list[ColumnProperties]:
    """Return the columns of a table or collection, in the order of its models, without tests."""
    return [_column(table, column) for column in table["decoded"]]


def _column(table: Table, column: Mapping[str, Any]) -> ColumnProperties:
    """Return a column of the table, without its tests.

    dbt's tests quote a name only with the property `quote`.
    """
    name, of = column["name"], column["of"] or column["name"]
    row = table["described"][of]
    if column["of"]:
        text = f"Exact text of `{plain_words(of)}`, whose type cannot hold every value in full."
    else:
        text = row.get("about") or plain_words(row.get("comment") or "")
    database_type = None if column["of"] else row.get("database_type")
    return ColumnProperties(
        name=yaml_name(name),
        description=yaml_text(text) if text else None,
        data_type=yaml_name(column["data_type"]),
        database_type=yaml_text(plain_words(database_type)) if database_type else None,
        is_quoted=_WORD.fullmatch(name) is None,
    )


def _added_column(name: str) -> ColumnProperties:
    """Return a column that this package adds to a row."""
    return ColumnProperties(name, _documented(name), yaml_name(_ADDED_TYPES[name]))


def _unique_key() -> ColumnProperties:
    return replace(_added_column("_cdc_key"), tests=_UNIQUE)


def _version_column(name: str, data_type: str) -> ColumnProperties:
    """Return a column that this package adds to a version of a row."""
    return ColumnProperties(name, _documented(_DOCUMENTED.get(name, name)), yaml_name(data_type))


def _documented(name: str) -> str:
    """Return the shared description of a column as a YAML scalar."""
    return f"\"{{{{ doc('debezium_spark', '{name}') }}}}\""
