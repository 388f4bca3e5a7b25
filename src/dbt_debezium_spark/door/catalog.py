"""Namespace `catalog` of the door: the catalog's rows, flattened records, and ignored evidence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from dbt_debezium_spark import catalog
from dbt_debezium_spark.catalog.column_export import ColumnExport, tables_of_export
from dbt_debezium_spark.flattened.fields import SCHEMA_NAME, flattened_fields
from dbt_debezium_spark.flattened.positions import (
    position_members,
    recommended_line,
    required_members,
)
from dbt_debezium_spark.generator.evidence_messages import (
    export_messages,
    invalid_definition_messages,
    invalid_schema_messages,
    invalid_schemas,
    other_source_messages,
)
from dbt_debezium_spark.staging import origin_rules
from dbt_debezium_spark.staging.type_change import column_differences

__all__ = [
    "SCHEMA_NAME",
    "catalog_rows",
    "column_differences",
    "export_messages",
    "flattened_fields",
    "invalid_definition_messages",
    "invalid_schema_messages",
    "invalid_schemas",
    "other_source_messages",
    "position_members",
    "recommended_line",
    "required_members",
]


_ROWS = {"columns": catalog.version_rows, "disagreements": catalog.disagreement_rows}


def catalog_rows(
    part: Literal["columns", "disagreements"],
    config: Mapping[str, Any],
    evidence: Sequence[str],
    export: ColumnExport | None = None,
) -> list[str]:
    """Return the rows of one model of the catalog, a JSON array for each table.

    Args:
        part: `columns`: versions of the table with their columns; `disagreements` about it.
        config: configuration of the source.
        evidence: rows of the evidence query.
        export: of the database's catalog; None without one.
    """
    exported = None if export is None else tables_of_export(config, export)
    tables = catalog.tables_of_source(config, origin_rules(config), evidence, exported)
    return [_rows_text(_ROWS[part](config["name"], table)) for table in tables]


def _rows_text(rows: list[dict[str, Any]]) -> str:
    """Return rows as a JSON array in ASCII, because logs and terminals show the SQL around it."""
    return json.dumps(_without_nulls(rows), separators=(",", ":"))


def _without_nulls(value: Any) -> Any:
    """Return rows without members that are None; Spark reads missing members as NULL."""
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    if isinstance(value, dict):
        return {name: _without_nulls(item) for name, item in value.items() if item is not None}
    return value
