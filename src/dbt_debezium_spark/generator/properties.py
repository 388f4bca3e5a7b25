"""Properties of a table's models: every column with its description, type, origin and tests.

One file per model: a table that comes or goes touches no other table's file, and a person who wants
to write a model's properties by hand takes over one file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dbt_debezium_spark.generator.added_columns import added_columns, added_type
from dbt_debezium_spark.generator.data_tests import (
    DataTest,
    TableFacts,
    column_tests,
    model_tests,
)
from dbt_debezium_spark.generator.unit_tests import UnitTest, unit_test
from dbt_debezium_spark.literals import (
    is_plain,
    plain_words,
    yaml_argument,
    yaml_name,
    yaml_text,
)

LAYERS = ("stg", "state", "cur")
_WORD = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_OF_TABLE = {
    "stg": "Every change event of table `{}`, flattened and typed; append-only.",
    "state": "Private: one row per key of table `{}` ever seen, deleted keys kept.",
    "cur": "Rows of table `{}` as they are at the source after the last landed event.",
}
_STATE_WITHOUT_KEY = (
    "Private: one row per distinct content that table `{}`, which has no key, ever held."
)
_OF_COLLECTION = {
    "stg": "Every change event of collection `{}`, as the connector wrote it; append-only.",
    "state": "Private: one row per document of collection `{}` ever seen, deleted ones kept.",
    "cur": "Documents of collection `{}` as they are at the source after the last landed event.",
}
# The texts that staging keeps of an event of MongoDB.
_STAGED_TEXTS = {
    "after": (
        "Document after the event, as the connector wrote it; with lookup it may be later than the"
        " event."
    ),
    "before": "Document before the event, where pre-images are on.",
    "patch": "Change of an oplog update: operators, or the whole new document.",
    "filter": "What an oplog update or delete was applied to.",
    "update_description": (
        "Change of a change-stream update: fields updated and removed, arrays cut."
    ),
}


@dataclass(frozen=True)
class ColumnProperties:
    """One column of a properties file; its texts are YAML scalars."""

    name: str
    description: str
    data_type: str
    database_type: str | None = None
    is_quoted: bool = False
    tests: Sequence[DataTest] = ()


@dataclass(frozen=True)
class ModelProperties:
    """One model in a properties file; `description` and what is of the table are YAML scalars.

    `table`, `model` and `ended_by` are what `debezium_obs__drift` compares with the catalog.
    """

    name: str
    description: str
    source: str
    columns: Sequence[ColumnProperties]
    table: str | None = None
    model: str | None = None
    ended_by: str | None = None
    tests: Sequence[DataTest] = ()
    unit_test: UnitTest | None = None


def table_properties(
    config: Mapping[str, Any],
    table: Mapping[str, Any],
    facts: TableFacts,
    fold_members: Mapping[str, str],
) -> dict[str, ModelProperties]:
    """Return the properties of the models of a table, by layer.

    Args:
        config: configuration of the source.
        table: a table or collection as it is described.
        facts: what configuration says of its records.
        fold_members: what a state keeps of the walk of a key, with the type of each.
    """
    own = [_column(table, column) for column in table["decoded"]]
    shown = {"stg": _staged_texts() if table.get("is_collection") else own, "state": own}
    shown["cur"] = [
        _tested(properties, column_tests(config, table, facts, column))
        if is_plain(column["name"])
        else properties
        for properties, column in zip(own, table["decoded"], strict=True)
    ]
    found = {}
    for layer in LAYERS:
        first, last = _added(layer, table, facts["has_before"], fold_members)
        found[layer] = ModelProperties(
            name=f"{layer}_{config['name']}__{table['model']}",
            description=yaml_text(_description(layer, table)),
            source=config["name"],
            columns=[*first, *shown[layer], *last],
            table=yaml_argument(table["name"]),
            model=table["model"],
            ended_by=yaml_argument(table["ended_by"]) if table.get("ended_by") else None,
            tests=model_tests(config, table, facts) if layer == "cur" else (),
            unit_test=unit_test(layer, config["name"], table),
        )
    return found


def plain_column(name: str, data_type: str, description: str) -> ColumnProperties:
    """Return a column that needs no test."""
    return ColumnProperties(yaml_name(name), yaml_text(description), yaml_name(data_type))


def added_column(name: str, fold_members: Mapping[str, str]) -> ColumnProperties:
    """Return a column that we add; models/_columns__docs.md describes it."""
    return ColumnProperties(
        name,
        f"\"{{{{ doc('debezium_spark', '{name}') }}}}\"",
        yaml_name(added_type(name, fold_members)),
    )


def _description(layer: str, table: Mapping[str, Any]) -> str:
    about = plain_words(table.get("comment") or "")
    head = (_OF_COLLECTION if table.get("is_collection") else _OF_TABLE)[layer]
    if layer == "state" and not table["key"]:
        head = _STATE_WITHOUT_KEY
    text = head.format(plain_words(table["name"]))
    if table.get("ended_by"):
        text += f" The table was {plain_words(table['ended_by'])} at the source."
    return f"{about} — {text}" if about else text


def _column(table: Mapping[str, Any], column: Mapping[str, Any]) -> ColumnProperties:
    """Return a column of the table, without its tests.

    dbt's tests write a name as it is unless told to quote it.
    """
    name, of = column["name"], column["of"] or column["name"]
    row = table["described"][of]
    if column["of"]:
        text = f"Exact text of `{plain_words(of)}`, whose type cannot hold every value in full."
    elif row.get("about"):
        text = row["about"]
    else:
        text = plain_words(row.get("comment") or "")
        text = text or f"Column `{plain_words(of)}` of {plain_words(table['name'])}."
    database_type = None if column["of"] else row.get("database_type")
    return ColumnProperties(
        name=yaml_name(name),
        description=yaml_text(text),
        data_type=yaml_name(column["data_type"]),
        database_type=yaml_text(plain_words(database_type)) if database_type else None,
        is_quoted=_WORD.fullmatch(name) is None,
    )


def _tested(column: ColumnProperties, tests: Sequence[DataTest]) -> ColumnProperties:
    """Return a column with tests, quoted by them: a plain name may still be a word of SQL."""
    return replace(column, tests=tests, is_quoted=True) if tests else column


def _staged_texts() -> list[ColumnProperties]:
    return [plain_column(name, "string", about) for name, about in _STAGED_TEXTS.items()]


def _added(
    layer: str, table: Mapping[str, Any], has_before: bool, fold_members: Mapping[str, str]
) -> tuple[list[ColumnProperties], list[ColumnProperties]]:
    """Return the columns we add, before and after those of the table."""
    names = added_columns(
        layer,
        fold_members,
        is_collection=bool(table.get("is_collection")),
        has_key=bool(table["key"]),
        has_before=has_before,
    )
    columns = [added_column(name, fold_members) for name in names]
    if layer != "state":
        return [], columns
    tests = (DataTest("not_null"), DataTest("unique"))
    return [replace(columns[0], tests=tests)], columns[1:]
