"""Properties of a table's models: descriptions for readers of `cur_`, and tests.

Each model has its own file, so that a new or removed table changes no other table's file, and a
person can take over the properties of one model. Only `cur_` lists its columns, so that a new
column is one change; models/_columns__docs.md describes the columns that staging and state add.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dbt_debezium_spark.generator.data_tests import (
    DataTest,
    TableFacts,
    column_tests,
    model_tests,
)
from dbt_debezium_spark.generator.histories import column_types, history_tests
from dbt_debezium_spark.literals import (
    is_plain,
    plain_words,
    yaml_argument,
    yaml_name,
    yaml_text,
)

LAYERS = ("stg", "state", "cur")
# those of a table with a history
HISTORY_LAYERS = ("versions", "hist")
_WORD = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_TABLE_TEXTS = {
    "stg": "Every change event of table `{}`, flattened and typed; append-only.",
    "state": "Private: one row per key of table `{}` ever seen, deleted keys kept.",
    "cur": "Rows of table `{}` as they are at the source after the last landed event.",
    "versions": "Private: the versions of `hist_`, for table `{}`, and where the next run goes on.",
    "hist": "Every version that the rows of table `{}` had, and when.",
}
_STATE_WITHOUT_KEY = (
    "Private: one row per distinct content that table `{}`, which has no key, ever held."
)
_COLLECTION_TEXTS = {
    "stg": "Every change event of collection `{}`, as the connector wrote it; append-only.",
    "state": "Private: one row per document of collection `{}` ever seen, deleted ones kept.",
    "cur": "Documents of collection `{}` as they are at the source after the last landed event.",
    "versions": (
        "Private: the versions of `hist_`, for collection `{}`, and where the next run goes on."
    ),
    "hist": "Every version that the documents of collection `{}` had, and when.",
}
# Types of added columns, for models that list their columns.
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
# Descriptions of columns that mean something else in a history.
_DOCUMENTED = {
    "_cdc_is_deleted": "_cdc_version_is_deleted",
    "_cdc_source_at": "_cdc_version_source_at",
    "_cdc_tx_id": "_cdc_version_tx_id",
    "_cdc_batch_id": "_cdc_version_batch_id",
    "_cdc_unavailable": "_cdc_version_unavailable",
}
_ADDED_TO_CURRENT = ("_cdc_op", "_cdc_pos", "_cdc_source_at")


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


def table_properties(
    config: Mapping[str, Any], table: Mapping[str, Any], facts: TableFacts
) -> dict[str, ModelProperties]:
    """Return the properties of the models of a table, by layer.

    Args:
        config: configuration of the source.
        table: the description of a table or collection.
        facts: configured facts about its records.
    """
    columns = {"stg": [], "state": [_state_key()], "cur": _current(config, table, facts)}
    tests = {"cur": model_tests(config, table, facts)}
    layers: tuple[str, ...] = LAYERS
    if table.get("history") is not None:
        layers += HISTORY_LAYERS
        columns |= {"versions": [_unique_id("_cdc_scd_id")], "hist": _history(table)}
        tests["hist"] = history_tests(config["name"], table)
    return {
        layer: ModelProperties(
            name=f"{layer}_{config['name']}__{table['model']}",
            description=yaml_text(_description(layer, table)),
            source=config["name"],
            columns=columns[layer],
            table=yaml_argument(table["name"]),
            model=table["model"],
            ended_by=(
                yaml_argument(table["ended_by"])
                if layer == "stg" and table.get("ended_by")
                else None
            ),
            tests=tests.get(layer, ()),
        )
        for layer in layers
    }


def plain_column(name: str, data_type: str, description: str) -> ColumnProperties:
    """Return a column without tests."""
    return ColumnProperties(yaml_name(name), yaml_text(description), yaml_name(data_type))


def added_column(name: str) -> ColumnProperties:
    """Return a column that this package adds."""
    return ColumnProperties(name, _description_of(name), yaml_name(_ADDED_TYPES[name]))


def documented_column(name: str, data_type: str) -> ColumnProperties:
    """Return a column of a version of a row."""
    document = _DOCUMENTED.get(name, name)
    return ColumnProperties(name, _description_of(document), yaml_name(data_type))


def _description_of(document: str) -> str:
    """Return the shared description of a column as a YAML scalar."""
    return f"\"{{{{ doc('debezium_spark', '{document}') }}}}\""


def table_columns(table: Mapping[str, Any]) -> list[ColumnProperties]:
    """Return the columns of a table or collection, in the order of its models, without tests."""
    return [_column(table, column) for column in table["decoded"]]


def _state_key() -> ColumnProperties:
    return _unique_id("_cdc_key")


def _unique_id(name: str) -> ColumnProperties:
    return ColumnProperties(name, None, None, tests=(DataTest("not_null"), DataTest("unique")))


def _history(table: Mapping[str, Any]) -> list[ColumnProperties]:
    """Return the columns of `hist_`, in the order of the model."""
    columns = [_column(table, column) for column in table["decoded"]]
    for name, (usual_name, data_type) in column_types(table["history"]).items():
        column = replace(documented_column(usual_name, data_type), name=name)
        if usual_name == "_cdc_scd_id":
            column = replace(column, tests=(DataTest("not_null"), DataTest("unique")))
        columns.append(column)
    return columns


def _current(
    config: Mapping[str, Any], table: Mapping[str, Any], facts: TableFacts
) -> list[ColumnProperties]:
    """Return the columns of `cur_`, in the order of the model."""
    columns = []
    for column in table["decoded"]:
        properties = _column(table, column)
        if is_plain(column["name"]):
            properties = _with_tests(properties, column_tests(config, table, facts, column))
        columns.append(properties)
    return [*columns, *map(added_column, _ADDED_TO_CURRENT)]


def _description(layer: str, table: Mapping[str, Any]) -> str:
    """Return the description of a model; only that of `cur_` has comments of the source."""
    head = (_COLLECTION_TEXTS if table.get("is_collection") else _TABLE_TEXTS)[layer]
    if layer == "state" and not table["key"]:
        head = _STATE_WITHOUT_KEY
    text = head.format(plain_words(table["name"]))
    if layer != "cur":
        return text
    about = plain_words(table.get("comment") or "")
    if table.get("ended_by"):
        text += f" The table was {plain_words(table['ended_by'])} at the source."
    return f"{about} — {text}" if about else text


def _column(table: Mapping[str, Any], column: Mapping[str, Any]) -> ColumnProperties:
    """Return a column of the table, without its tests.

    dbt's tests quote a name only with the property `quote`.
    """
    name, of = column["name"], column["of"] or column["name"]
    row = table["described"][of]
    if column["of"]:
        text = f"Exact text of `{plain_words(of)}`, whose type cannot hold every value in full."
    elif row.get("about"):
        text = row["about"]
    else:
        text = plain_words(row.get("comment") or "")
    database_type = None if column["of"] else row.get("database_type")
    return ColumnProperties(
        name=yaml_name(name),
        description=yaml_text(text) if text else None,
        data_type=yaml_name(column["data_type"]),
        database_type=yaml_text(plain_words(database_type)) if database_type else None,
        is_quoted=_WORD.fullmatch(name) is None,
    )


def _with_tests(column: ColumnProperties, tests: Sequence[DataTest]) -> ColumnProperties:
    """Return a column with tests; they quote its name, which may be a keyword of SQL."""
    return replace(column, tests=tests, is_quoted=True) if tests else column
