"""Columns of tables from an export of a database's own catalog: the option `columns_from`.

Records without schemas do not show the types of their columns, and not every connector has a
schema-change topic. One query on `information_schema` (docs/generate.md) shows what both would.

* `rows` gets the rows of the export, from a CSV file, Parquet or a table, with their values;
* `tables` makes tables of them, with the encodings of the connector, and collects problems.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dbt_common.exceptions import CompilationError

from dbt_debezium_spark.catalog.column_export.rows import ColumnExport
from dbt_debezium_spark.catalog.column_export.tables import (
    ExportedTable,
    ExportedTables,
    exported_tables,
)
from dbt_debezium_spark.config.errors import ConfigError

__all__ = ["ColumnExport", "ExportedTable", "ExportedTables", "tables_of_export"]


def tables_of_export(config: Mapping[str, Any], export: ColumnExport) -> ExportedTables:
    """Return the tables of a source's export.

    Args:
        config: configuration of the source.
        export: the export.

    Raises:
        CompilationError: the export is not the result of such a query.
    """
    try:
        return exported_tables(config, export.name, export.rows)
    except ConfigError as error:
        raise CompilationError(str(error)) from error
