"""What macros reach of this package: `adapter.debezium()` is the only method that they call.

Namespaces but `tables`, `decisions` and `run` run no SQL, so dbt also calls them while it parses.
"""

from __future__ import annotations

from types import ModuleType

from dbt_debezium_spark import decode, staging
from dbt_debezium_spark.door import (
    catalog,
    config,
    explain,
    generate,
    models,
    retention,
    text,
    verify,
)
from dbt_debezium_spark.door.decisions import Decisions
from dbt_debezium_spark.door.parsing import Parsing
from dbt_debezium_spark.door.run import Run
from dbt_debezium_spark.door.table_metadata import TableMetadata


class Door:
    """The namespaces.

    Attributes:
        config: sources as they are configured.
        decode: SQL of columns' values.
        staging: SQL of a staging model's columns, keys and origins.
        catalog: the catalog's rows, flattened records, ignored evidence.
        generate: what is generated.
        explain: why a row is as it is.
        verify: how columns are compared with rows of the source.
        retention: which tables shorten their logs, and their horizons.
        models: what models declare in their calls.
        text: texts as literals, and names.
        tables: metadata of tables, read once per command.
        decisions: what a model's macros decide for its materialization.
        run: what needs the connection.
    """

    config: ModuleType = config
    decode: ModuleType = decode
    staging: ModuleType = staging
    catalog: ModuleType = catalog
    generate: ModuleType = generate
    explain: ModuleType = explain
    verify: ModuleType = verify
    retention: ModuleType = retention
    models: ModuleType = models
    text: ModuleType = text

    def __init__(self, tables: TableMetadata, run: Run | Parsing) -> None:
        """Open the door.

        Args:
            tables: metadata of tables.
            run: what needs the connection, or what stands for it while dbt parses.
        """
        self.tables = tables
        self.decisions = Decisions()
        self.run = run


def door_while_parsing() -> Door:
    """Return the door while dbt parses: no table exists, and nothing can be asked."""
    return Door(TableMetadata(lambda sql: []), Parsing(Run))


__all__ = ["Door", "door_while_parsing"]
