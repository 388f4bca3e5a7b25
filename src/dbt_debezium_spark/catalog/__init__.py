"""The catalog: tables of a source and their columns, merged from all evidence.

Evidence comes from embedded schemas, records of the schema-change topic, record keys, and an export
of the database's own catalog (`column_export`). Spark groups what records show in one query, and
these modules merge its few rows in dbt's process:

* `evidence` reads the rows of the query;
* `table_evidence` assigns each row to a table (`schema_changes`, `included_tables`);
* `layouts` finds the column lists of each table, in the order of the source's log (`log_position`);
* `versions` numbers them, and adds the export and the configuration (`configured_tables`);
* `columns` and `disagreements` write the rows of the two models.

The modules `<connector>_types` define how a connector encodes a database type, in the form of
`type_table`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from dbt_debezium_spark.catalog.columns import version_rows
from dbt_debezium_spark.catalog.defined_encoding import TYPE_TABLES
from dbt_debezium_spark.catalog.disagreements import disagreement_rows
from dbt_debezium_spark.catalog.evidence import read_evidence
from dbt_debezium_spark.catalog.layouts import observed_tables
from dbt_debezium_spark.catalog.table_evidence import table_evidence
from dbt_debezium_spark.catalog.versions import TableVersions, table_versions
from dbt_debezium_spark.staging.origins import OriginRules

if TYPE_CHECKING:
    from dbt_debezium_spark.catalog.column_export import ExportedTables

__all__ = ["TableVersions", "disagreement_rows", "tables_of_source", "version_rows"]


def tables_of_source(
    config: Mapping[str, Any],
    rules: OriginRules,
    evidence: Iterable[str],
    exported: ExportedTables | None = None,
) -> list[TableVersions]:
    """Return the tables of a source with their versions.

    Args:
        config: configuration of the source.
        rules: result of macro `_origin_rules`: how records name their table.
        evidence: rows of the evidence query, as JSON texts.
        exported: tables of the export of the database's catalog, if there is one.

    Raises:
        CompilationError: a configured column has an unknown database type.
    """
    types_of = TYPE_TABLES.get(config["connector"])
    types = None if types_of is None else types_of(config)
    rows = read_evidence(evidence)
    observed = observed_tables(table_evidence(config, rules, types, rows))
    return table_versions(config, observed, exported)
