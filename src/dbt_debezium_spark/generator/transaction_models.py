"""The models of a source's transactions, of its cut and of tables there: docs/transactions.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dbt_debezium_spark.decode.connectors import connector_of
from dbt_debezium_spark.generator import model_columns
from dbt_debezium_spark.generator.messages import MessageFields, message
from dbt_debezium_spark.generator.properties import (
    ModelProperties,
    properties_at_cut,
    source_model,
    unique_id,
)
from dbt_debezium_spark.generator.recorded_tables import in_order
from dbt_debezium_spark.generator.tables import Config, KeptTable, Table
from dbt_debezium_spark.text.literals import jinja_block, jinja_entry, jinja_text

_INDENT = 12


@dataclass(frozen=True)
class _Models:
    """The models of a table that is generated now, or that stays."""

    name: str
    model: str
    has_history: bool
    origins: Sequence[Mapping[str, str]] = ()


@dataclass(frozen=True)
class RowsAtCut:
    """The view `asof_<source>__<table>`: the end of its models' names, and the properties."""

    table: str
    model: str
    key: Sequence[str]
    properties: ModelProperties


@dataclass(frozen=True)
class TransactionModels:
    """Both models of a source: entries of their calls, lines of Jinja, and their properties.

    `histories` are those that the cut waits for; `rows_at_cut` reads them.
    """

    stagings: Sequence[str]
    after: Sequence[str]
    histories: Sequence[str]
    transactions: ModelProperties
    cut: ModelProperties
    rows_at_cut: Sequence[RowsAtCut]
    messages: Sequence[MessageFields]


def transaction_models(
    config: Config,
    tables: Sequence[Table],
    kept: Sequence[KeptTable],
) -> TransactionModels:
    """Return the models of a source that provides transaction metadata.

    Args:
        config: configuration of the source.
        tables: tables of all sources that are generated now.
        kept: refused tables of these sources, whose models stay.
    """
    source = config["name"]
    generated = [table for table in tables if table["source"] == source]
    own = [
        *map(_generated_models, generated),
        *(_kept_models(table) for table in kept if table["source"] == source),
    ]
    own.sort(key=lambda table: table.name.lower())
    # MongoDB has no cut at which to read them
    with_history = [
        table for table in own if table.has_history and not connector_of(config).has_documents
    ]
    views, messages = _rows_at_cut(config, in_order(generated))
    ending = ("_cdc_batch_id", "_cdc_landed_at")
    return TransactionModels(
        stagings=[_entry(source, table, "stg", table.origins) for table in own],
        after=[
            *(f"ref('state_{source}__{table.model}')," for table in own),
            *(f"ref('hist_{source}__{table.model}')," for table in with_history),
        ],
        histories=[_entry(source, table, "versions") for table in with_history],
        transactions=source_model(
            f"transactions_{source}",
            source,
            "One row per transaction: what its END counts, what of it landed, and whether it is"
            " complete (docs/transactions.md). Rows whose _cdc_key begins with ! are about the"
            " topic.",
            model_columns.TRANSACTIONS,
            ending,
            [unique_id("_cdc_key")],
        ),
        cut=source_model(
            f"cut_{source}",
            source,
            "The highest position up to which every transaction is complete in every modelled"
            " table: one row per run, the newest by _cdc_batch_id (docs/transactions.md).",
            model_columns.CUT,
            ending,
            [unique_id("_cdc_key")],
        ),
        rows_at_cut=views,
        messages=messages,
    )


def _rows_at_cut(
    config: Config, tables: Sequence[Table]
) -> tuple[list[RowsAtCut], list[MessageFields]]:
    """Return the views of the tables that have a history, or why there are none."""
    with_history = [table for table in tables if table.get("history") is not None]
    reason = connector_of(config).no_cut
    if with_history and reason is not None:
        source = config["name"]
        text = (
            f"source '{source}' gets no views asof_{source}__<table>, which read all tables as of"
            f" one commit: {reason}. docs/transactions.md tells what there is."
        )
        return [], [message("note", source, None, text)]
    return [
        RowsAtCut(
            table=table["name"],
            model=table["model"],
            key=[column["name"] for column in table["key"]],
            properties=properties_at_cut(config, table),
        )
        for table in with_history
    ], []


def _generated_models(table: Table) -> _Models:
    has_history = table.get("history") is not None
    return _Models(table["name"], table["model"], has_history, table.get("origins", ()))


def _kept_models(table: KeptTable) -> _Models:
    has_history = any(Path(path).name.startswith("versions_") for path in table["paths"])
    return _Models(table["table"], table["model"], has_history)


def _entry(
    source: str, table: _Models, layer: str, origins: Sequence[Mapping[str, str]] = ()
) -> str:
    members = {
        "table": jinja_text(table.name),
        "relation": f"ref('{layer}_{source}__{table.model}')",
    }
    if origins:
        members["origins"] = jinja_block(origins, _INDENT + 4)
    return jinja_entry(members, _INDENT, on_lines=True)
