"""A table whose columns and key are named like members of the envelope."""

from __future__ import annotations

from tests.cases.table import Table
from tests.cases.tables import column

# what a converter writes around a payload
WITH_SCHEMA = {"type": "struct", "fields": []}
ENVELOPE_NAMES = ["schema", "payload", "op", "before", "after", "source", "key", "value", "topic"]
PG_NAMED = Table(
    "pg_named",
    "postgresql",
    [
        column("id", "int32"),
        *[column(name) for name in ENVELOPE_NAMES],
        column("partition", "int32"),
        column('It\'s `odd` \\ "name"'),
    ],
    key=["schema", "payload"],
    table="public.named",
)
named = {name: f"{name} of the row" for name in ENVELOPE_NAMES} | {
    "op": "d",
    "payload": '{"op":"d","after":null}',
    "before": None,
    "partition": 7,
    'It\'s `odd` \\ "name"': 'it\'s "odd" \\ `x`',
}


def named_key(number: int) -> dict[str, object]:
    return {"schema": f"schema {number}", "payload": '{"op":"d","after":null}'}


def named_row(number: int, **changes: object) -> dict[str, object]:
    return {"id": number, **named, **named_key(number), **changes}
