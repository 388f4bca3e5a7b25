"""The true final tables of MariaDB, in the plain forms of docs/recording.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dev.recorder.writer import write_json, write_json_lines
from dev.servers.errors import ServerError

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


def save(connection: Any, database: str, tables: Sequence[str], folder: Path) -> dict[str, int]:
    """Write `<database>.<table>.jsonl` for each table, and `_columns.json`.

    Args:
        connection: of `servers.mariadb.Server.connect`, whose time zone is UTC.
        database: that holds the tables.
        tables: their names.
        folder: is created.

    Returns:
        The number of rows by table, its name with the database.
    """
    folder.mkdir(parents=True)
    described: dict[str, Any] = {}
    counts: dict[str, int] = {}
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(
                "select column_name, column_type, is_nullable, column_key"
                " from information_schema.columns where table_schema = %s and table_name = %s"
                " order by ordinal_position",
                (database, table),
            )
            columns = cursor.fetchall()
            if not columns:
                raise ServerError(f"live: table {database}.{table} is missing. Correct its name.")
            selected = ", ".join(column_expression(name, kind) for name, kind, _, _ in columns)
            cursor.execute(f"select {selected} from `{database}`.`{table}`")
            lines = [
                {
                    name: canonical(value, kind)
                    for (name, kind, _, _), value in zip(columns, row, strict=True)
                }
                for row in cursor.fetchall()
            ]
            lines.sort(key=lambda line: json.dumps(line, sort_keys=True))
            full_name = f"{database}.{table}"
            counts[full_name] = write_json_lines(folder / f"{full_name}.jsonl", lines)
            described[full_name] = {
                "key": [name for name, _, _, key in columns if key == "PRI"],
                "columns": [
                    {"name": name, "type": kind, "nullable": nullable == "YES"}
                    for name, kind, nullable, _ in columns
                ],
            }
    write_json(folder / "_columns.json", described)
    return counts
