"""The true final tables of MariaDB, in the plain forms of docs/recording.md."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from dev.recorder.truth import Table

AS_NUMBERS = (
    "tinyint", "smallint", "mediumint", "int", "bigint", "year", "float", "double",
)  # fmt: skip
AS_BYTES = ("binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob")


def column_expression(name: str, kind: str) -> str:
    """Return the SQL that reads a column, before `canonical`.

    Args:
        name: of the column.
        kind: its type as `information_schema` prints it: `bit(12)`.
    """
    quoted = "`" + name.replace("`", "``") + "`"
    base = kind.partition("(")[0].split()[0]
    if base in AS_NUMBERS:
        return quoted
    if base in AS_BYTES:
        return f"lower(hex({quoted}))"
    if base == "bit":
        width = int(kind.partition("(")[2].rstrip(")") or 1)
        return f"lpad(bin({quoted}), {width}, '0')"
    return f"cast({quoted} as char)"


def canonical(value: Any, kind: str) -> Any:
    """Return the canonical JSON value of what `column_expression` read."""
    if value is None:
        return None
    if kind == "bit(1)":
        return value == "1"
    if kind.startswith(("datetime", "timestamp")):
        # the session's time zone is UTC
        return value.replace(" ", "T") + ("Z" if kind.startswith("timestamp") else "")
    return value


def read_tables(cursor: Any, database: str, tables: Iterable[str]) -> Iterator[Table]:
    """Yield what tables of MariaDB hold.

    Args:
        cursor: of a connection whose time zone is UTC.
        database: that holds the tables.
        tables: their names.
    """
    for table in tables:
        cursor.execute(
            "select column_name, column_type, is_nullable, column_key"
            " from information_schema.columns where table_schema = %s and table_name = %s"
            " order by ordinal_position",
            (database, table),
        )
        columns = cursor.fetchall()
        kinds = [kind for _, kind, _, _ in columns]
        selected = ", ".join(column_expression(name, kind) for name, kind, _, _ in columns)
        cursor.execute(f"select {selected} from `{database}`.`{table}`")
        yield Table(
            f"{database}.{table}",
            [name for name, _, _, key in columns if key == "PRI"],
            [(name, kind, nullable == "YES") for name, kind, nullable, _ in columns],
            [list(map(canonical, row, kinds)) for row in cursor.fetchall()],
        )
