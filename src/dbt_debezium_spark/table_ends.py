"""Statements of the schema-change topic that end all rows of a table, as truncates of it.

A connector sends no event for the rows of a table that is dropped, and none for a truncate unless
it is told to (`skipped.operations`). MySQL, MariaDB and Oracle report both statements on the topic
of their schema changes, at their position in the source's log.
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
# What ends the rows of the tables it names. A temporary table is another one of the same name.
_STATEMENTS = (
    re.compile(rf"drop\s+tables?\s+(?:if\s+exists\s+)?({_NAME}(?:\s*,\s*{_NAME})*)", re.I),
    re.compile(rf"truncate\s+(?:table\s+)?({_NAME})\s*(?:;|$|\s(?!partition))", re.I),
    # MariaDB, which reports no changes of it
    re.compile(rf"create\s+or\s+replace\s+table\s+(?:if\s+not\s+exists\s+)?({_NAME})", re.I),
)
_DATABASE = re.compile(rf"drop\s+(?:database|schema)\s+(?:if\s+exists\s+)?({_PART})", re.I)
_KEPT = re.compile(r"(?:rename|alter|drop\s+temporary)\b", re.I)


def table_end(definition: str, connector: str, table: str) -> str | None:
    """Return the truncate that a schema-change record stands for, None where it ends no rows.

    A snapshot begins with statements that build a replica: they drop nothing at the source. A
    rename takes the table away and leaves its rows where they were.

    Args:
        definition: the record's payload, as JSON text.
        connector: kind of the connector.
        table: `schema.table`, or `database.table` where there are no schemas.

    Returns:
        A change event as JSON text: op `t` at the record's place in the source's log.
    """
    try:
        record = json.loads(definition)
    except (ValueError, RecursionError):
        return None
    source = record.get("source") if isinstance(record, dict) else None
    if not isinstance(source, dict) or str(source.get("snapshot") or "false").lower() != "false":
        return None
    for owner, name in _ended(record, connector):
        if f"{owner}.{name}" == table:
            names = {"schema" if source.get("schema") is not None else "db": owner, "table": name}
            event = {"op": "t", "ts_ms": record.get("ts_ms"), "source": {**source, **names}}
            return json.dumps(event, ensure_ascii=False)
        if name == "" and table.startswith(f"{owner}."):
            names = {"table": table.removeprefix(f"{owner}.")}
            event = {"op": "t", "ts_ms": record.get("ts_ms"), "source": {**source, **names}}
            return json.dumps(event, ensure_ascii=False)
    return None


def _ended(record: dict[str, Any], connector: str) -> Iterator[tuple[str, str]]:
    """Yield (schema or database, table) of each table whose rows end; no table stands for all."""
    ddl = record.get("ddl")
    statement = _COMMENT.sub(" ", ddl).strip() if isinstance(ddl, str) else ""
    if _KEPT.match(statement):
        return
    changes = record.get("tableChanges")
    for change in changes if isinstance(changes, list) else []:
        if isinstance(change, dict) and change.get("type") == "DROP":
            parts = _QUOTED_PART.findall(str(change.get("id")))
            if len(parts) > 1:
                yield parts[-2].replace('""', '"'), parts[-1].replace('""', '"')
    # of one or several tables, and before Debezium 2.4 always, the statement alone tells
    own = record.get("schemaName") if connector == "oracle" else record.get("databaseName")
    for pattern in _STATEMENTS:
        if found := pattern.match(statement):
            for name in re.findall(_NAME, found[1]):
                *owner, last = [_unquoted(part, connector) for part in _FIND_PART.findall(name)]
                yield (owner[0] if owner else str(own)), last
    if connector != "oracle" and (found := _DATABASE.match(statement)):
        yield _unquoted(found[1], connector), ""


def _unquoted(part: str, connector: str) -> str:
    quote = part[0]
    if quote in '`"':
        return part[1:-1].replace(quote * 2, quote)
    return part.upper() if connector == "oracle" else part
