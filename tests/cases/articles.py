"""A PostgreSQL table of every type that can lack its value, and rows of it."""

from __future__ import annotations

from typing import Any

from tests.cases.log import GONE, Log, embedded_columns
from tests.cases.table import Table
from tests.cases.tables import column
from tests.support.examples import compact

BASE64 = "X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="
CODES = list(GONE.encode())
UUIDS = ["b68a35a7-17ad-35b3-af2a-ae46edb4545a"]
MAP = {GONE: GONE}

TABLE = "public.articles"
DOCUMENTED = embedded_columns("postgres_3.6_update_unavailable_toast_with_schema")
UUID_ITEMS = {"type": "string", "semantic": "io.debezium.data.Uuid"}
MORE = [
    column("hs", "string", "io.debezium.data.Json"),
    column("blobs", "array", items={"type": "bytes"}),
    column("days", "array", items={"type": "int32", "semantic": "io.debezium.time.Date"}),
    column("smalls", "array", items={"type": "int16"}),
    column("old_uuids", "array", items=UUID_ITEMS),
]
ARTICLES = Table("pg_articles", "postgresql", DOCUMENTED + MORE, table=TABLE)
KNOWN: dict[str, Any] = {
    "title": "title",
    "body": "long body",
    "doc": '{"a": 1.10}',
    "blob": "AQID",
    "tags": ["x", None],
    "nums": [1, 2],
    "bignums": [9223372036854775807],
    "uuids": ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
    "attrs": {"k": "v", "n": None},
    "hs": '{"key":"val"}',
    "blobs": ["AQID", None],
    "days": [0, 17321],
    "smalls": [1, -1],
    "old_uuids": ["a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
}
FORMS: dict[str, Any] = {
    "body": GONE,
    "doc": GONE,
    "blob": BASE64,
    "tags": [GONE],
    "nums": CODES,
    "bignums": CODES,
    "uuids": UUIDS,
    "attrs": MAP,
    "hs": compact(MAP),
    "blobs": [BASE64],
    "days": CODES,
    "smalls": CODES,
    "old_uuids": [GONE],
}


def image(number: int, **changes: Any) -> dict[str, Any]:
    return {"id": number, **KNOWN, **changes}


def articles() -> Log:
    return Log("postgresql")
