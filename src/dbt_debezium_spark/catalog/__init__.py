"""The catalog: what the tables of a source look like, merged from all evidence.

Evidence is what embedded schemas, records of the schema-change topic and record keys say; Spark
groups it in one query, and these functions merge its few rows in dbt's process:

* `evidence`: the rows of the query,
* `table_evidence`: what each row says, and of which table (`schema_changes`, `included_tables`),
* `layouts`: the column lists of each table, and where each stands in the source's log (`standing`),
* `versions`: the numbered versions, with what configuration adds (`configured_tables`),
* `columns` and `disagreements`: the rows of the two models.

How a connector encodes a database type is in `<connector>_types`, in the words of `type_table`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from dbt_debezium_spark.catalog.columns import version_rows
from dbt_debezium_spark.catalog.defined_encoding import TYPE_TABLES
from dbt_debezium_spark.catalog.disagreements import disagreement_rows
from dbt_debezium_spark.catalog.evidence import read_evidence
from dbt_debezium_spark.catalog.layouts import found_tables
from dbt_debezium_spark.catalog.table_evidence import table_evidence
from dbt_debezium_spark.catalog.versions import TableVersions, table_versions
from dbt_debezium_spark.generator.origins import OriginRules

__all__ = ["TableVersions", "disagreement_rows", "tables_of_source", "version_rows"]


def tables_of_source(
    config: Mapping[str, Any], rules: OriginRules, evidence: Iterable[str]
) -> list[TableVersions]:
    """Return the tables of a source with their versions.

    Args:
        config: of the source.
        rules: how its records name their table: macro `_origin_rules`.
        evidence: rows of the evidence query, as JSON texts.

    Raises:
        CompilationError: a configured column has a database type that is not known.
    """
    types_of = TYPE_TABLES.get(config["connector"])
    types = None if types_of is None else types_of(config)
    rows = read_evidence(evidence)
    return table_versions(config, found_tables(table_evidence(config, rules, types, rows)))
