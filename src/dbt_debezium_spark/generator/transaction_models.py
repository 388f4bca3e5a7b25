"""The models of a source's transactions and of its cut (docs/transactions.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbt_debezium_spark.generator.cut_models import RowsAtCut, rows_at_cut
from dbt_debezium_spark.generator.data_tests import DataTest
from dbt_debezium_spark.generator.messages import MessageFields
from dbt_debezium_spark.generator.properties import (
    ColumnProperties,
    ModelProperties,
    added_column,
    plain_column,
)
from dbt_debezium_spark.literals import jinja_block, jinja_text, yaml_text

Columns = Sequence[tuple[str, str, str]]

_INDENT = 12
_POSITION = "epoch and stream position as text that sorts"
_TRANSACTIONS: Columns = (
    ("transaction_id", "string", "Id of the transaction; PostgreSQL's without the LSN."),
    ("status", "string", "complete, incomplete, open, no_end or unreadable."),
    ("event_count", "bigint", "Events that END counts, over all data collections."),
    (
        "tables",
        "array<struct<data_collection:string,table_name:string,expected:bigint,landed:bigint>>",
        "By table, or data collection without a model: events that END counts, and that landed.",
    ),
    ("began_at", "timestamp", "Time of BEGIN."),
    ("ended_at", "timestamp", "Time of END."),
    ("low_pos", "string", f"Lowest position of its landed events: {_POSITION}."),
    ("high_pos", "string", f"Highest position of its landed events: {_POSITION}."),
    ("has_gap", "boolean", "Whether the orders of its landed events show that some are missing."),
    (
        "places",
        "array<struct<`partition`:int,first_place:struct<incarnation:int,`offset`:bigint>,"
        "last_place:struct<incarnation:int,`offset`:bigint>>>",
        "Where its first and last boundary lie in each partition of the topic.",
    ),
    ("begin_event_id", "string", "Its BEGIN as topic:partition:offset."),
    ("end_event_id", "string", "Its END as topic:partition:offset."),
    ("end_landed_at", "timestamp", "When its END landed first."),
    ("first_batch_id", "bigint", "Landing run of the first of its records."),
)
_CUT: Columns = (
    ("cut_pos", "string", f"The cut: {_POSITION}; NULL if there is none."),
    ("transaction_id", "string", "Transaction at the cut."),
    ("committed_at", "timestamp", "Time of its END."),
    ("held_by", "string", "Transaction that keeps the cut from rising; NULL if none does."),
    ("reason", "string", "Why there is no cut, else NULL."),
)


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
    config: Mapping[str, Any],
    tables: Sequence[Mapping[str, Any]],
    kept: Sequence[Mapping[str, Any]],
) -> TransactionModels:
    """Return the models of a source that provides transaction metadata.

    Args:
        config: configuration of the source.
        tables: tables of all sources that are generated now.
        kept: refused tables of these sources, whose models stay.
    """
    source = config["name"]
    own = [
        *({"name": one["name"], **one} for one in tables if one["source"] == source),
        *({"name": one["table"], **one} for one in kept if one["source"] == source),
    ]
    own.sort(key=lambda table: str(table["name"]).lower())
    # MongoDB has no cut at which to read them
    with_history = [
        table for table in own if _has_history(table) and config["connector"] != "mongodb"
    ]
    views, messages = rows_at_cut(config, [one for one in own if "paths" not in one])
    return TransactionModels(
        stagings=[_staging_entry(source, table) for table in own],
        after=[
            *(f"ref('state_{source}__{table['model']}')," for table in own),
            *(f"ref('hist_{source}__{table['model']}')," for table in with_history),
        ],
        histories=[_entry(source, table, "versions") for table in with_history],
        transactions=_properties(
            source,
            "transactions",
            "One row per transaction: what its END counts, what of it landed, and whether it is"
            " complete (docs/transactions.md). Rows whose _cdc_key begins with ! are about the"
            " topic.",
            _TRANSACTIONS,
        ),
        cut=_properties(
            source,
            "cut",
            "The highest position up to which every transaction is complete in every modelled"
            " table: one row per run, the newest by _cdc_batch_id (docs/transactions.md).",
            _CUT,
        ),
        rows_at_cut=views,
        messages=messages,
    )


def _has_history(table: Mapping[str, Any]) -> bool:
    """Tell whether a table has a history; of a refused one, whether its models are there."""
    if "paths" not in table:
        return table.get("history") is not None
    return any(Path(path).name.startswith("versions_") for path in table["paths"])


def _properties(source: str, name: str, description: str, columns: Columns) -> ModelProperties:
    key = ColumnProperties("_cdc_key", None, None, tests=(DataTest("not_null"), DataTest("unique")))
    return ModelProperties(
        name=f"{name}_{source}",
        description=yaml_text(description),
        source=source,
        columns=[
            key,
            *(plain_column(*column) for column in columns),
            *map(added_column, ("_cdc_batch_id", "_cdc_landed_at")),
        ],
    )


def _staging_entry(source: str, table: Mapping[str, Any]) -> str:
    members = []
    if table.get("origins"):
        members.append(f"'origins': {jinja_block(table['origins'], _INDENT + 4)}")
    return _entry(source, table, "stg", *members)


def _entry(source: str, table: Mapping[str, Any], layer: str, *members: str) -> str:
    indent = " " * _INDENT
    every = [
        f"'table': {jinja_text(table['name'])}",
        f"'relation': ref('{layer}_{source}__{table['model']}')",
        *members,
    ]
    lines = [f"{indent}    {member}," for member in every]
    return "\n".join(["{", *lines, indent + "},"])
