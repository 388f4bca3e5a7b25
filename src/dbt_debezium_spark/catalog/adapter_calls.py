"""Methods of the adapter with which macros call the catalog."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from dbt.adapters.base.meta import AdapterMeta, available

from dbt_debezium_spark import catalog
from dbt_debezium_spark.catalog.defined_encoding import TYPE_TABLES
from dbt_debezium_spark.column_export import ColumnExport, tables_of_export
from dbt_debezium_spark.flattened import positions
from dbt_debezium_spark.flattened.fields import (
    SCHEMA_NAME,
    FlattenedFields,
    flattened_fields,
    row_fields,
)
from dbt_debezium_spark.generator.export_messages import export_messages
from dbt_debezium_spark.generator.invalid_definitions import invalid_definition_messages
from dbt_debezium_spark.generator.invalid_schemas import (
    InvalidSchema,
    invalid_schema_messages,
    invalid_schemas,
)
from dbt_debezium_spark.generator.messages import MessageFields
from dbt_debezium_spark.generator.origins import OriginRules
from dbt_debezium_spark.generator.other_sources import other_source_messages


class CatalogCalls(metaclass=AdapterMeta):
    """Methods about the rows of the evidence query; none of them runs SQL."""

    @available
    def debezium_catalog_columns(
        self,
        config: Mapping[str, Any],
        rules: OriginRules,
        evidence: Sequence[str],
        export: ColumnExport | None = None,
    ) -> list[str]:
        """Return the versions of each table with their columns, as a JSON array."""
        tables = _tables(config, rules, evidence, export)
        return [_rows_text(catalog.version_rows(config["name"], table)) for table in tables]

    @available
    def debezium_catalog_disagreements(
        self,
        config: Mapping[str, Any],
        rules: OriginRules,
        evidence: Sequence[str],
        export: ColumnExport | None = None,
    ) -> list[str]:
        """Return the disagreements about each table, as a JSON array."""
        tables = _tables(config, rules, evidence, export)
        return [_rows_text(catalog.disagreement_rows(config["name"], table)) for table in tables]

    @available
    def debezium_has_schema_change_topic(self, config: Mapping[str, Any]) -> bool:
        """Return whether the connector has a schema-change topic (spec §9.1)."""
        return config["connector"] in TYPE_TABLES

    @available
    def debezium_export_messages(
        self,
        config: Mapping[str, Any],
        export: ColumnExport | None,
        rows: Sequence[Mapping[str, Any]],
        topics: Sequence[Mapping[str, Any]],
    ) -> list[MessageFields]:
        """Return messages about an export of the database's catalog: see `export_messages`."""
        return export_messages(config, export, rows, topics)

    # -- flattened records: see `flattened` ----------------------------------------------------

    @available
    def debezium_flattened_fields(self, config: Mapping[str, Any]) -> FlattenedFields | None:
        """Return the names of added fields: see `flattened.fields`."""
        return flattened_fields(config)

    @available
    def debezium_flattened_schema_name(self) -> str:
        """Return the name of the schema of a flattened row that is read as an envelope."""
        return SCHEMA_NAME

    @available
    def debezium_position_members(self, config: Mapping[str, Any]) -> list[str]:
        """Return the members of the source block that make positions."""
        return positions.position_members(config["connector"])

    @available
    def debezium_required_members(self, config: Mapping[str, Any]) -> list[list[str]]:
        """Return which of them are enough, as alternatives."""
        return positions.required_members(config["connector"])

    @available
    def debezium_recommended_line(self, config: Mapping[str, Any]) -> str:
        """Return the line `add.fields` for the connector."""
        return positions.recommended_line(config)

    @available
    def debezium_row_fields(
        self, config: Mapping[str, Any], schema: str, fields: Sequence[Mapping[str, Any]]
    ) -> list[Mapping[str, Any]]:
        """Return the fields of a row's schema without those that a transform added."""
        return row_fields(config, schema, fields)

    # -- messages of `generate` about ignored evidence -----------------------------------------

    @available
    def debezium_unwritten_schemas(self, rows: Sequence[str]) -> list[InvalidSchema]:
        """Return the schemas that no converter writes: see `invalid_schemas`."""
        return invalid_schemas(rows)

    @available
    def debezium_unwritten_messages(
        self,
        source: str,
        unwritten: Sequence[InvalidSchema],
        described_topics: Collection[str],
    ) -> list[MessageFields]:
        """Return one message per topic about such schemas: see `invalid_schemas`."""
        return invalid_schema_messages(source, unwritten, described_topics)

    @available
    def debezium_undefined_messages(self, source: str, rows: Sequence[str]) -> list[MessageFields]:
        """Return messages about changes that no connector writes: see `invalid_definitions`."""
        return invalid_definition_messages(source, rows)

    @available
    def debezium_other_source_messages(
        self, source: str, rows: Sequence[str], topics_of_tables: Sequence[str] | None
    ) -> list[MessageFields]:
        """Return messages about records of other connectors: see `other_sources`."""
        return other_source_messages(source, rows, topics_of_tables)


def _tables(
    config: Mapping[str, Any],
    rules: OriginRules,
    evidence: Sequence[str],
    export: ColumnExport | None,
) -> list[catalog.TableVersions]:
    exported = None
    if export is not None:
        exported = tables_of_export(config, export)
    return catalog.tables_of_source(config, rules, evidence, exported)


def _rows_text(rows: list[dict[str, Any]]) -> str:
    """Return rows as a JSON array in ASCII, because logs and terminals show the SQL around it."""
    return json.dumps(_without_nulls(rows), separators=(",", ":"))


def _without_nulls(value: Any) -> Any:
    """Return rows without members that are None; Spark reads missing members as NULL."""
    if isinstance(value, list):
        return [_without_nulls(item) for item in value]
    if isinstance(value, dict):
        return {name: _without_nulls(one) for name, one in value.items() if one is not None}
    return value
