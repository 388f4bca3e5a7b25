"""Statements on the schema-change topic that remove all rows of a table, as truncates.

A connector sends no events for the rows of a dropped table, and none for a truncate unless
`skipped.operations` allows it. MySQL, MariaDB and Oracle report both statements on their
schema-change topic, with their position in the source's log.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_COMMENT = re.compile(r"/\*.*?\*/|--[^\n]*(?:\n|$)", re.DOTALL)
_PART = r"(?:`(?:[^`]|``)+`|\"(?:[^\"]|\"\")+\"|[\w$#]+)"
_NAME = rf"{_PART}(?:\s*\.\s*{_PART})?"
_FIND_PART = re.compile(_PART)
_QUOTED_PART = re.compile(r'"((?:[^"]|"")*)"')
# Statements that remove the rows of their tables. A temporary table only has the same name.
_STATEMENTS = (
    re.compile(rf"drop\s+tables?\s+(?:if\s+exists\s+)?({_NAME}(?:\s*,\s*{_NAME})*)", re.I),
    re.compile(rf"truncate\s+(?:table\s+)?({_NAME})\s*(?:;|$|\s(?!partition))", re.I),
    # MariaDB, which reports no table change for it
    re.compile(rf"create\s+or\s+replace\s+table\s+(?:if\s+not\s+exists\s+)?({_NAME})", re.I),
)
_DATABASE = re.compile(rf"drop\s+(?:database|schema)\s+(?:if\s+exists\s+)?({_PART})", re.I)
_TRUNCATE = re.compile(r"truncate\b", re.I)
_NO_END = re.compile(r"(?:rename|alter|drop\s+temporary)\b", re.I)


def table_end(definition: str, connector: str, table: str) -> str | None:
    """Return the truncate that a schema-change record stands for, None if it removes no rows.

    A snapshot begins with statements that build a replica; they drop nothing at the source. A
    rename removes the name of a table, but not its rows.

    Args:
        definition: the record's payload, as JSON text.
        connector: kind of the connector.
        table: `schema.table`, or `database.table` for databases without schemas.

    Returns:
        A change event as JSON text, with op `t` and the record's position in the source's log; the
        snapshot marker is `drop` unless the statement is a TRUNCATE.
    """
    try:
        record = json.loads(definition)
    except (ValueError, RecursionError):
        return None
    source = record.get("source") if isinstance(record, dict) else None
    if not isinstance(source, dict) or str(source.get("snapshot") or "false").lower() != "false":
        return None
    if not _TRUNCATE.match(_statement(record)):
        source = {**source, "snapshot": "drop"}
    for owner, name in _ended_tables(record, connector):
        if f"{owner}.{name}" == table:
            names = {"schema" if source.get("schema") is not None else "db": owner, "table": name}
            event = {"op": "t", "ts_ms": record.get("ts_ms"), "source": {**source, **names}}
            return json.dumps(event, ensure_ascii=False)
        if name == "" and table.startswith(f"{owner}."):
            names = {"table": table.removeprefix(f"{owner}.")}
            event = {"op": "t", "ts_ms": record.get("ts_ms"), "source": {**source, **names}}
            return json.dumps(event, ensure_ascii=False)
    return None


def _statement(record: dict[str, Any]) -> str:
    ddl = record.get("ddl")
    return _COMMENT.sub(" ", ddl).strip() if isinstance(ddl, str) else ""


def _ended_tables(record: dict[str, Any], connector: str) -> Iterator[tuple[str, str]]:
    """Yield (schema or database, table) of each ended table; an empty table name stands for all."""
    statement = _statement(record)
    if _NO_END.match(statement):
        return
    changes = record.get("tableChanges")
    for change in changes if isinstance(changes, list) else []:
        if isinstance(change, dict) and change.get("type") == "DROP":
            parts = _QUOTED_PART.findall(str(change.get("id")))
            if len(parts) > 1:
                yield parts[-2].replace('""', '"'), parts[-1].replace('""', '"')
    # For several tables, and before Debezium 2.4 always, only the statement names them.
    default = record.get("schemaName") if connector == "oracle" else record.get("databaseName")
    for pattern in _STATEMENTS:
        if found := pattern.match(statement):
            for name in re.findall(_NAME, found[1]):
                *owner, last = [
                    _unquoted_name(part, connector) for part in _FIND_PART.findall(name)
                ]
                yield (owner[0] if owner else str(default)), last
    if connector != "oracle" and (found := _DATABASE.match(statement)):
        yield _unquoted_name(found[1], connector), ""


def _unquoted_name(part: str, connector: str) -> str:
    quote = part[0]
    if quote in '`"':
        return part[1:-1].replace(quote * 2, quote)
    return part.upper() if connector == "oracle" else part
