"""The raw table and its side tables."""

from __future__ import annotations

from dataclasses import dataclass

from dbt_debezium_spark.landing.schemas import LEDGER_COLUMNS, REJECTED_COLUMNS
from dbt_debezium_spark.landing.statements import Statements
from dbt_debezium_spark.spark.local_frames import ddl
from dbt_debezium_spark.text.sql_text import quoted_name, quoted_path

FILE_FORMATS = ("iceberg", "delta")


@dataclass(frozen=True)
class Tables:
    """Quoted names of the tables, relative to the session's current catalog.

    Attributes:
        raw: the records.
        rejected: what could not land: see `rejections`.
        ledger: what was read: see `ledger`.
        schemas: cached Avro schemas.
    """

    raw: str
    rejected: str
    ledger: str
    schemas: str


def tables_of(schema: str, identifier: str) -> Tables:
    """Return the names of a raw table and its side tables.

    Args:
        schema: the schema, also with its catalog: `lake.debezium`.
        identifier: name of the raw table.
    """
    return tables_beside(f"{quoted_path(schema)}.{quoted_name(identifier)}")


def tables_beside(raw: str) -> Tables:
    """Return the names of a raw table and its side tables.

    Args:
        raw: name of the raw table, its last part in backticks.
    """
    name = raw.removesuffix("`")
    return Tables(
        raw=raw,
        rejected=f"{name}__rejected`",
        ledger=f"{name}__files`",
        schemas=f"{name}__schemas`",
    )


def create_side_tables(connection: Statements, tables: Tables, file_format: str) -> None:
    """Create the side tables that do not exist, and columns that earlier versions did not have.

    Raises:
        ValueError: the format has no row-level delete, which resolves rejections.
    """
    if file_format not in FILE_FORMATS:
        raise ValueError(
            f"debezium_spark: the raw table has file_format `{file_format}`. "
            f"Use one of: {', '.join(FILE_FORMATS)}."
        )
    for table, columns in ((tables.rejected, REJECTED_COLUMNS), (tables.ledger, LEDGER_COLUMNS)):
        connection.execute(
            f"create table if not exists {table} ({ddl(columns)}) using {file_format}"
        )
    known = {row[0] for row in connection.query(f"describe query select * from {tables.ledger}")}
    missing = {name: kind for name, kind in LEDGER_COLUMNS.items() if name not in known}
    if missing:
        connection.execute(f"alter table {tables.ledger} add columns ({ddl(missing)})")
