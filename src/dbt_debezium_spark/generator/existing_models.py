"""What the models that a project has mean for those about to be written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from dbt_debezium_spark.decode import Column, names_of
from dbt_debezium_spark.generator.files import INDENT
from dbt_debezium_spark.generator.messages import MessageFields, message
from dbt_debezium_spark.generator.staging_call import staging_call
from dbt_debezium_spark.generator.tables import Config, KeptTable, Table
from dbt_debezium_spark.staging import all_names
from dbt_debezium_spark.text.literals import jinja_lines, read_argument


def refused_tables(
    models: Sequence[Mapping[str, Any]],
    results: Sequence[Mapping[str, Any]],
    found: Sequence[Table],
) -> list[KeptTable]:
    """Return the refused tables that have models in the project, which stay as they are.

    One record must not remove the models of its table.

    Args:
        models: models of the project: `meta` (of this package) and `paths`.
        results: messages of `generate` so far; problems mean refused tables.
        found: tables whose models are written.

    Returns:
        For each table `source`, `table`, `model` and the `paths` of its files.
    """
    refused = {
        (result["source"], result["table"]) for result in results if result["kind"] == "problem"
    }
    refused -= {(table["source"], table["name"]) for table in found}
    tables: dict[tuple[Any, Any], KeptTable] = {}
    for model in models:
        meta = model["meta"]
        # properties hold names as arguments of tests
        source, name = meta.get("source"), read_argument(str(meta.get("table", "")))
        if (source, name) in refused:
            kept = KeptTable(source=source, table=name, model=meta.get("model"), paths=[])
            table = tables.setdefault((source, name), kept)
            table["paths"].extend(path for path in model["paths"] if path)
    return list(tables.values())


def removed_column_messages(
    config: Config,
    table: Table,
    models: Sequence[Mapping[str, Any]],
    variable: Callable[..., Any],
) -> list[MessageFields]:
    """Warn of columns and keys that the models of a table lose.

    The messages name the record that caused it, because that record may be damaged. No data are
    lost: staging and raw keep them.

    Args:
        config: configuration of the source.
        table: the table or collection whose models are written.
        models: models of the project: `name`, `raw_code` and `fields`.
        variable: dbt's `var`.
    """
    layer = "state" if table.get("is_collection") else "stg"
    name = f"{layer}_{config['name']}__{table['model']}"
    model = next((candidate for candidate in models if candidate["name"] == name), None)
    if model is None:
        return []
    lost = (
        _lost_by_collection(table, model["fields"])
        if table.get("is_collection")
        else _lost_by_table(config, table, model["raw_code"], variable)
    )
    return [
        message(
            "warning",
            config["name"],
            table["name"],
            f"{what} of table '{table['name']}' is no longer generated: {why}.",
        )
        for what, why in lost
    ]


def _lost_by_collection(
    table: Table, fields: Sequence[Mapping[str, str]]
) -> Iterator[tuple[str, str]]:
    why = (
        "no document of the sample has it"
        if table["evidence"] == "sample"
        else "the configuration does not name it"
    )
    names = {field["name"] for field in table["fields"]}
    for field in fields:
        if field["name"] not in names:
            yield f"column '{field['name']}'", why


def _lost_by_table(
    config: Config, table: Table, code: str, variable: Callable[..., Any]
) -> Iterator[tuple[str, str]]:
    # as `files` writes them: a model that has the same lists loses nothing, and is not compiled
    lists = {"key": table["key"], "columns": table["image_columns"]}
    if all(f"{name}={jinja_lines(values, INDENT)}" in code for name, values in lists.items()):
        return
    call = staging_call(code, variable)
    if call is None:
        return
    why = "the configuration does not have it"
    if table["last_position"]:
        why = (
            f"record {table['last_position']} is the last one in the source's log and does not"
            f" have it. If it is wrong: debezium_sources.{config['name']}.ignore_records"
        )
    known = all_names(cast(list[Column], table["image_columns"]))
    for column in call["columns"]:
        if names_of(column)[0] not in known:
            yield f"column '{column['name']}'", why
    if call["key"] and not table["key"]:
        yield f"the key ({', '.join(column['name'] for column in call['key'])})", why
