"""Records with embedded schemas of a PostgreSQL source."""

from __future__ import annotations

from typing import Any

from tests.support.examples import compact


def table_record(
    fields: list[dict[str, Any]],
    key: tuple[str, ...] = ("id",),
    *,
    offset: int = 0,
    table: str = "t",
    after: dict[str, Any] | None = None,
    **changes: Any,
) -> dict[str, Any]:
    """Return one record with embedded schemas, as the JSON converter writes it."""
    row = {"type": "struct", "fields": list(fields), "optional": True}
    value_schema = {
        "type": "struct",
        "fields": [{**row, "field": "before"}, {**row, "field": "after"}],
        "optional": False,
    }
    key_fields = [one for one in fields if one["field"] in key]
    source = {"version": "3.6.1.Final", "connector": "postgresql", "name": "PostgreSQL_server"}
    source |= {"db": "db", "schema": "public", "table": table}
    record = {
        "topic": f"PostgreSQL_server.public.{table}",
        "partition": 0,
        "offset": offset,
        "timestamp": 1_600_000_000_000 + 1000 * offset,
        "key": compact(
            {
                "schema": {"type": "struct", "fields": key_fields, "optional": False},
                "payload": {one: (after or {}).get(one, 1) for one in key},
            }
        ),
        "value": compact(
            {
                "schema": value_schema,
                "payload": {"before": None, "after": after or {}, "source": source, "op": "c"},
            }
        ),
    }
    return record | changes


def field(column: str, kind: str = "int32", **members: Any) -> dict[str, Any]:
    """Return a Connect node, optional unless told otherwise."""
    return {"type": kind, "optional": True, "field": column, **members}
