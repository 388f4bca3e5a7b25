"""The files of a project: where each lies, and the template of macros/generate with its values.

A value of a template is text for the file, with names of strangers as literals of the language that
the file is written in. The content is rendered by the template, which a project can override.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, TypedDict

from dbt_debezium_spark.generator.described_tables import table_settings
from dbt_debezium_spark.generator.messages import MessageFields, message
from dbt_debezium_spark.generator.observability import observability_models
from dbt_debezium_spark.generator.project_files import MARK
from dbt_debezium_spark.generator.properties import (
    ModelProperties,
    feed_properties,
    source_properties,
    table_properties,
)
from dbt_debezium_spark.generator.tables import Config, KeptTable, Table
from dbt_debezium_spark.generator.transaction_models import transaction_models
from dbt_debezium_spark.text.literals import jinja_block, jinja_lines, jinja_text, python_text

_Plain = Mapping[str, Any]
_EVIDENCE = {
    "embedded_schema": "embedded schemas",
    "schema_change_topic": "schema changes",
    "column_export": "a column export",
    "configuration": "configuration",
    "sample": "sampled documents",
}
INDENT = 8


class TemplatedFile(TypedDict):
    """A file to render; `path` is that in a project with a folder for each layer (`layout`)."""

    kind: Literal["file"]
    path: str
    template: str
    values: dict[str, Any]
    source: str | None
    table: str | None


Results = list[TemplatedFile | MessageFields]


def first_line(evidence: str | None = None) -> str:
    """Return the line without which a file belongs to a person and is never written."""
    found = f" from {_EVIDENCE[evidence]}" if evidence else ""
    return f"{MARK}{found}; delete this line to own the file"


def _file(
    path: str, template: str, source: str | None, table: str | None, values: _Plain
) -> TemplatedFile:
    return {
        "kind": "file",
        "path": path,
        "template": template,
        "values": {"first_line": first_line(), **values},
        "source": source,
        "table": table,
    }


def _properties(
    path: str, models: Sequence[ModelProperties], source: str | None, table: str | None = None
) -> TemplatedFile:
    return _file(path, "properties_file", source, table, {"models": list(models)})


def source_files(config: Config) -> Results:
    """Return the files of a source that its configuration alone decides: raw model and catalog."""
    source = config["name"]
    properties = source_properties(source)
    is_sql = config["input"].get("landing") == "sql"
    raw = f"{'models' if is_sql else 'python_models'}/raw/raw_{source}"
    catalog = f"models/catalog/{source}/catalog_{source}"
    model = ("raw_sql_model", ".sql") if is_sql else ("raw_python_model", ".py")
    values = {"source": source}
    return [
        _file(raw + model[1], model[0], source, None, values),
        _properties(f"{raw}.yml", properties["raw"], source),
        _file(f"{catalog}__schemas.sql", "catalog_schemas_model", source, None, values),
        *(
            _file(
                f"{catalog}__{part}.sql",
                "catalog_table_model",
                source,
                None,
                {**values, "part": part},
            )
            for part in ("columns", "disagreements")
        ),
        _properties(f"{catalog}.yml", properties["catalog"], source),
    ]


def table_files(config: Config, table: Table) -> Results:
    """Return the files of one table: three models, two of its history, each with properties.

    Args:
        config: configuration of the source.
        table: the description of the table.
    """
    values, properties = _values(config, table), table_properties(config, table)
    key = jinja_block([column["name"] for column in table["key"]], INDENT)
    files: Results = [
        *_model(
            "models/staging", ".sql", "stg", "staging_model", values, properties,
            first_line=first_line(table["evidence"]),
            key=jinja_lines(table["key"], INDENT),
            columns=jinja_lines(table["image_columns"], INDENT),
            former_keys=table["former_keys"] and jinja_lines(table["former_keys"], INDENT),
        ),
        *_model(
            "models/state", ".sql", "state", "fold_model", values, properties,
            fold="state", key=key,
            settings="materialized='debezium_merge', unique_key='_cdc_key'",
        ),
        *_current(table, values, properties),
    ]  # fmt: skip
    if table.get("history") is not None:
        files += [
            *_model(
                "models/history", ".sql", "versions", "fold_model", values, properties,
                fold="versions", key=key, settings="materialized='debezium_versions'",
            ),
            *_model("models/history", ".sql", "hist", "history_model", values, properties),
        ]  # fmt: skip
    return files


def collection_files(config: Config, collection: Table) -> Results:
    """Return the files of one collection; its state and its versions are Python models.

    Args:
        config: configuration of the source.
        collection: the description of the collection.
    """
    values = _values(config, collection)
    properties = table_properties(config, collection)
    fold = {
        "first_line": first_line(collection["evidence"]),
        "source_text": python_text(config["name"]),
        "table_text": python_text(collection["name"]),
        "fields": [
            {name: python_text(field[name]) for name in ("name", "path", "type")}
            for field in collection["fields"]
        ],
    }
    files: Results = [
        *_model("models/staging", ".sql", "stg", "document_staging_model", values, properties),
        *_model(
            "python_models/state", ".py", "state", "document_fold_model", values, properties,
            materialized="debezium_documents", **fold,
        ),
        *_current(collection, values, properties),
    ]  # fmt: skip
    if collection["history"] is not None:
        files += [
            *_model(
                "python_models/history", ".py", "versions", "document_fold_model", values,
                properties, materialized="debezium_document_versions", **fold,
            ),
            *_model("models/history", ".sql", "hist", "history_model", values, properties),
        ]  # fmt: skip
    return files


def feed_files(config: Config, table: Table) -> Results:
    """Return the file of a table's change feed with its properties, or why it has none."""
    source, name = config["name"], table["name"]
    if not table["key"]:
        is_own = bool(table_settings(config, name).get("feed"))
        text = (
            f"table '{name}' has no key, so it has no change feed: nothing tells which of its rows"
            " a change replaced. Name its key columns:"
            f" debezium_sources.{source}.tables.{name}.key: [<column>], or leave it out:"
            f" debezium_sources.{source}.tables.{name}.feed: false."
        )
        return [message("warning" if is_own else "note", source, name, text)]
    properties = {"all": feed_properties(config, table)}
    return _model("models/feed", ".sql", "all", "feed_model", _values(config, table), properties)


def transaction_files(
    config: Config, tables: Sequence[Table], kept: Sequence[KeptTable]
) -> Results:
    """Return the files of a source's transactions and cut, and of the views at the cut.

    Args:
        config: configuration of the source; none without `provide_transaction_metadata`.
        tables: tables of all sources that are generated now.
        kept: refused tables of these sources, whose models stay.
    """
    if not config.get("provide_transaction_metadata", False):
        return []
    models = transaction_models(config, tables, kept)
    source = config["name"]
    values = {"source": source, "source_text": jinja_text(source), "models": models}
    path = f"models/transactions/{source}"
    results: Results = [
        *models.messages,
        _file(f"{path}/transactions_{source}.sql", "transactions_model", source, None, values),
        _properties(f"{path}/transactions_{source}.yml", [models.transactions], source),
        _file(f"{path}/cut_{source}.sql", "cut_model", source, None, values),
        _properties(f"{path}/cut_{source}.yml", [models.cut], source),
    ]
    for view in models.rows_at_cut:
        path = f"models/asof/{source}/asof_{source}__{view.model}"
        of_view = {
            **values,
            "model": view.model,
            "table_text": jinja_text(view.table),
            "key": jinja_block(view.key, INDENT),
        }
        results += [
            _file(f"{path}.sql", "rows_at_cut_model", source, view.table, of_view),
            _properties(f"{path}.yml", [view.properties], source, view.table),
        ]
    return results


def observability_files(
    sources: Collection[str],
    tables: Sequence[Table],
    kept: Sequence[KeptTable],
    models: Sequence[_Plain],
    configured: _Plain | None,
) -> Results:
    """Return the files of the observability models of all sources.

    Args:
        sources: names of the sources that are generated.
        tables: their tables.
        kept: refused tables of these sources, whose models stay.
        models: models of the project.
        configured: the var `debezium_sources`.
    """
    results: Results = []
    for model in observability_models(sources, tables, kept, models, configured):
        path = f"models/observability/debezium_obs__{model.name}"
        values = {"model": model}
        results += [
            _file(f"{path}.sql", "observability_model", None, None, values),
            _file(f"{path}.yml", "observability_properties_file", None, None, values),
        ]
    return results


def _values(config: Config, table: Table) -> dict[str, Any]:
    """Return what the templates of a table's models have in common."""
    return {
        "source": config["name"],
        "table": table["name"],
        "model": table["model"],
        "source_text": jinja_text(config["name"]),
        "table_text": jinja_text(table["name"]),
        "topics": jinja_block(table["topics"], INDENT),
        "origins": jinja_lines(table["origins"], INDENT),
        "is_shared_topic": table["is_shared_topic"],
    }


def _model(
    folder: str,
    ending: str,
    layer: str,
    template: str,
    common: _Plain,
    properties: Mapping[str, ModelProperties],
    **values: Any,
) -> Results:
    """Return a model of a table, and its properties beside it."""
    source, table = common["source"], common["table"]
    path = f"{folder}/{source}/{layer}_{source}__{common['model']}"
    return [
        _file(path + ending, template, source, table, {**common, **values}),
        _properties(f"{path}.yml", [properties[layer]], source, table),
    ]


def _current(table: Table, values: _Plain, properties: Mapping[str, ModelProperties]) -> Results:
    return _model(
        "models/current", ".sql", "cur", "current_model", values, properties,
        is_keyless=not table["key"],
    )  # fmt: skip
