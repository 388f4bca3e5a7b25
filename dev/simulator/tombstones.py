"""How landing layers show the null of a tombstone."""

from __future__ import annotations

TOMBSTONE_TEXTS = {
    "null": None,
    "empty": "",
    "text": "null",
    "legacy": '{"schema":null,"payload":null}',
}
