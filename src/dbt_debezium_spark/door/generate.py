"""Namespace `generate` of the door: what is generated, and the messages about it."""

from __future__ import annotations

from dbt_debezium_spark.generator.catalog_tables import catalog_tables
from dbt_debezium_spark.generator.described_tables import described_table
from dbt_debezium_spark.generator.existing_models import refused_tables, removed_column_messages
from dbt_debezium_spark.generator.files import (
    collection_files,
    feed_files,
    observability_files,
    source_files,
    table_files,
    transaction_files,
)
from dbt_debezium_spark.generator.messages import not_built
from dbt_debezium_spark.generator.observability import SUBJECTS, observability_subject
from dbt_debezium_spark.generator.project_files import Layout
from dbt_debezium_spark.generator.recorded_collections import (
    collection_catalog,
    collections_of_rows,
    described_collection,
)
from dbt_debezium_spark.generator.recorded_schemas import topics_of_schemas
from dbt_debezium_spark.generator.recorded_tables import (
    mark_shared_topics,
    tables_of_rows,
    undescribed_tables,
)

__all__ = [
    "SUBJECTS",
    "Layout",
    "catalog_tables",
    "collection_catalog",
    "collection_files",
    "collections_of_rows",
    "described_collection",
    "described_table",
    "feed_files",
    "mark_shared_topics",
    "not_built",
    "observability_files",
    "observability_subject",
    "refused_tables",
    "removed_column_messages",
    "source_files",
    "table_files",
    "tables_of_rows",
    "topics_of_schemas",
    "transaction_files",
    "undescribed_tables",
]
