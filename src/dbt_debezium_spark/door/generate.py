"""Namespace `generate` of the door: what is generated, and the messages about it."""

from __future__ import annotations

from dbt_debezium_spark.generator.catalog_tables import (
    catalog_tables,
    mark_shared_topics,
    tables_of_rows,
)
from dbt_debezium_spark.generator.column_of import column_of
from dbt_debezium_spark.generator.described_table import described_table
from dbt_debezium_spark.generator.feed_properties import feed
from dbt_debezium_spark.generator.layout import Layout
from dbt_debezium_spark.generator.messages import not_built
from dbt_debezium_spark.generator.observability_models import observability_models
from dbt_debezium_spark.generator.observability_subjects import observability_subject
from dbt_debezium_spark.generator.owners import defined_group, exposures, unknown_group
from dbt_debezium_spark.generator.properties import table_properties
from dbt_debezium_spark.generator.recorded_collections import (
    collection_catalog,
    collections_of_rows,
    described_collection,
)
from dbt_debezium_spark.generator.refused_tables import refused_tables
from dbt_debezium_spark.generator.removed_columns import removed_column_messages
from dbt_debezium_spark.generator.source_properties import source_properties
from dbt_debezium_spark.generator.topic_contents import undescribed_tables
from dbt_debezium_spark.generator.transaction_models import transaction_models

__all__ = [
    "Layout",
    "catalog_tables",
    "collection_catalog",
    "collections_of_rows",
    "column_of",
    "defined_group",
    "described_collection",
    "described_table",
    "exposures",
    "feed",
    "mark_shared_topics",
    "not_built",
    "observability_models",
    "observability_subject",
    "refused_tables",
    "removed_column_messages",
    "source_properties",
    "table_properties",
    "tables_of_rows",
    "transaction_models",
    "undescribed_tables",
    "unknown_group",
]
