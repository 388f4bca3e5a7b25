"""Methods of the adapter that the macros of macros/generate call; none of them runs SQL."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from dbt.adapters.base.meta import AdapterMeta, available

from dbt_debezium_spark.generator import (
    catalog_tables,
    owners,
    recorded_collections,
    topic_contents,
)
from dbt_debezium_spark.generator.catalog_tables import Catalog
from dbt_debezium_spark.generator.column_of import column_of
from dbt_debezium_spark.generator.data_tests import TableFacts
from dbt_debezium_spark.generator.described_table import described_table
from dbt_debezium_spark.generator.evidence_messages import Evidence
from dbt_debezium_spark.generator.feed_properties import Feed, feed
from dbt_debezium_spark.generator.layout import Layout
from dbt_debezium_spark.generator.messages import MessageFields, not_built
from dbt_debezium_spark.generator.observability_models import (
    ObservabilityModel,
    observability_models,
)
from dbt_debezium_spark.generator.observability_subjects import Subject, observability_subject
from dbt_debezium_spark.generator.origins import OriginRules
from dbt_debezium_spark.generator.properties import ModelProperties, table_properties
from dbt_debezium_spark.generator.refused_tables import refused_tables
from dbt_debezium_spark.generator.removed_columns import removed_column_messages
from dbt_debezium_spark.generator.source_properties import source_properties
from dbt_debezium_spark.generator.transaction_models import TransactionModels, transaction_models

_Plain = Mapping[str, Any]


class GeneratorCalls(metaclass=AdapterMeta):
    """Methods of the adapter that decide what is generated."""

    @available
    def debezium_file_path(self, path: str, source: str | None, folder: str | None) -> str:
        """Return where a generated file lies: see `layout.Layout.path`."""
        return Layout(folder).path(path, source)

    # -- tables of the catalog ---------------------------------------------------------------

    @available
    def debezium_not_built(self, source: str) -> MessageFields:
        """Return the message for a source without a catalog: see `messages`."""
        return not_built(source)

    @available
    def debezium_tables_of_rows(
        self, config: _Plain, rules: OriginRules, rows: Sequence[_Plain], topics: Sequence[_Plain]
    ) -> list[dict[str, Any]]:
        """Return the tables of a catalog's rows: see `catalog_tables`."""
        return catalog_tables.tables_of_rows(config, rules, rows, topics)

    @available
    def debezium_catalog_tables(
        self,
        config: _Plain,
        evidence: Evidence,
        tables: Sequence[dict[str, Any]],
        described: Sequence[dict[str, Any] | None],
    ) -> Catalog:
        """Return the tables that become models, and messages: see `catalog_tables`."""
        return catalog_tables.catalog_tables(config, evidence, tables, described)

    @available
    def debezium_mark_shared_topics(self, tables: Sequence[dict[str, Any]]) -> None:
        """Mark the tables that share a topic: see `catalog_tables`."""
        catalog_tables.mark_shared_topics(tables)

    @available
    def debezium_undescribed_tables(
        self, config: _Plain, rows: Sequence[_Plain], topics: Sequence[_Plain]
    ) -> list[dict[str, Any]]:
        """Return tables without known types in topics of others: see `topic_contents`."""
        return topic_contents.undescribed_tables(config, rows, topics)

    @available
    def debezium_column_of(self, node: _Plain) -> dict[str, Any]:
        """Return a Connect schema as a column: see `column_of`."""
        return column_of(node)

    @available
    def debezium_described_table(
        self, config: _Plain, table: _Plain, is_multiset: bool
    ) -> dict[str, Any]:
        """Return the description of a table: see `described_table`."""
        return described_table(config, table, is_multiset)

    # -- collections of MongoDB --------------------------------------------------------------

    @available
    def debezium_collections_of_rows(
        self, config: _Plain, rules: OriginRules, rows: Sequence[Sequence[Any]]
    ) -> list[dict[str, Any]]:
        """Return the collections in records: see `recorded_collections`."""
        return recorded_collections.collections_of_rows(config, rules, rows)

    @available
    def debezium_described_collection(
        self, config: _Plain, collection: _Plain, documents: Sequence[str]
    ) -> dict[str, Any]:
        """Return the description of a collection: see `recorded_collections`."""
        return recorded_collections.described_collection(config, collection, documents)

    @available
    def debezium_collection_catalog(
        self,
        config: _Plain,
        collections: Sequence[dict[str, Any]],
        described: Sequence[dict[str, Any]],
        messages: Sequence[MessageFields],
    ) -> Catalog:
        """Return the collections that become models, and messages: see `recorded_collections`."""
        return recorded_collections.collection_catalog(config, collections, described, messages)

    # -- existing models of the project ------------------------------------------------------

    @available
    def debezium_vanished(
        self,
        config: _Plain,
        table: _Plain,
        models: Sequence[_Plain],
        variable: Callable[..., Any],
    ) -> list[MessageFields]:
        """Return messages about columns that a table's models lose: see `removed_columns`."""
        return removed_column_messages(config, table, models, variable)

    @available
    def debezium_kept_tables(
        self, models: Sequence[_Plain], results: Sequence[_Plain], found: Sequence[_Plain]
    ) -> list[dict[str, Any]]:
        """Return the refused tables that have models: see `refused_tables`."""
        return refused_tables(models, results, found)

    # -- content of the templates ------------------------------------------------------------

    @available
    def debezium_table_properties(
        self, config: _Plain, table: _Plain, facts: TableFacts
    ) -> dict[str, ModelProperties]:
        """Return the properties of a table's models by layer: see `properties`."""
        return table_properties(config, table, facts)

    @available
    def debezium_feed(self, config: _Plain, table: _Plain) -> Feed:
        """Return the change feed of a table, or why it has none: see `feed_properties`."""
        return feed(config, table)

    @available
    def debezium_transaction_models(
        self, config: _Plain, tables: Sequence[_Plain], kept: Sequence[_Plain]
    ) -> TransactionModels:
        """Return the models of a source's transactions: see `transaction_models`."""
        return transaction_models(config, tables, kept)

    @available
    def debezium_source_properties(self, source: str) -> dict[str, list[ModelProperties]]:
        """Return the properties of a source's raw and catalog models: see `source_properties`."""
        return source_properties(source)

    @available
    def debezium_unknown_group(
        self, config: _Plain, sources: _Plain, groups: Collection[str]
    ) -> MessageFields | None:
        """Return a message if the group of a source is defined nowhere: see `owners`."""
        return owners.unknown_group(config, sources, groups)

    @available
    def debezium_defined_group(self, config: _Plain) -> dict[str, Any] | None:
        """Return the group that a source defines: see `owners`."""
        return owners.defined_group(config)

    @available
    def debezium_exposures(
        self, config: _Plain, tables: Sequence[_Plain], kept: Sequence[_Plain]
    ) -> owners.Exposures:
        """Return the exposures of a source, and messages: see `owners`."""
        return owners.exposures(config, tables, kept)

    @available
    def debezium_observability_models(
        self,
        sources: Collection[str],
        found: Sequence[_Plain],
        kept: Sequence[_Plain],
        models: Sequence[_Plain],
        configured: _Plain | None,
    ) -> list[ObservabilityModel]:
        """Return the observability models of a project: see `observability_models`."""
        return observability_models(sources, found, kept, models, configured)

    @available
    def debezium_observability_subject(self, name: str) -> Subject:
        """Return the subject of an observability model: see `observability_subjects`."""
        return observability_subject(name)
