"""The raw table and its side tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dbt_debezium_spark.landing.schemas import LEDGER_COLUMNS, REJECTED_COLUMNS
from dbt_debezium_spark.local_frames import ddl

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FILE_FORMATS = ("iceberg", "delta")


@dataclass(frozen=True)
class Tables:
    """Quoted names of the tables, relative to the session's current catalog."""

    raw: str
    rejected: str
    ledger: str
    schemas: str


def tables_of(schema: str, identifier: str) -> Tables:
    """Return the names of a raw table and its side tables."""
    return Tables(
        raw=f"{quoted_name(schema)}.{quoted_name(identifier)}",
        rejected=f"{quoted_name(schema)}.{quoted_name(identifier + '__rejected')}",
        ledger=f"{quoted_name(schema)}.{quoted_name(identifier + '__files')}",
        schemas=f"{quoted_name(schema)}.{quoted_name(identifier + '__schemas')}",
    )


def quoted_name(name: str) -> str:
    """Return a name as a Spark SQL identifier."""
    return "`" + name.replace("`", "``") + "`"


def create_side_tables(session: SparkSession, tables: Tables, file_format: str) -> None:
    """Create the side tables that do not exist.

    Raises:
        ValueError: the format has no row-level delete, which resolves rejections.
    """
    if file_format not in FILE_FORMATS:
        raise ValueError(
            f"debezium_spark: the raw table has file_format `{file_format}`. "
            f"Use one of: {', '.join(FILE_FORMATS)}."
        )
    for table, columns in ((tables.rejected, REJECTED_COLUMNS), (tables.ledger, LEDGER_COLUMNS)):
        if not session.catalog.tableExists(table):
            session.sql(f"create table if not exists {table} ({ddl(columns)}) using {file_format}")
