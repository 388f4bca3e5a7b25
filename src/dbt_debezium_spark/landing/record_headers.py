"""Headers of a record, from the JSON text in which a line contains them.

Standard library only, like the modules it imports: their text runs on Spark's workers
(`exact_lines`).
"""

from __future__ import annotations

from collections.abc import Iterator

from dbt_debezium_spark.landing.json_members import items_of, object_at
from dbt_debezium_spark.landing.record_values import LineError, bad, text_of


def headers_of(raw: str | None) -> list[tuple[str, str | None]] | None:
    """Return headers from any of the forms in which tools write them.

    The forms are: objects `{"key": k, "value": v}`; an object of name to value, or to a list of
    values; pairs `[k, v]`; objects of one member; and kcat's flat list `k, v, k, v`.

    Raises:
        LineError: the form is unknown.
    """
    if raw is None or raw == "null":
        return None
    if raw.startswith("{"):
        return [pair for name, value in object_at(raw, 0)[0] for pair in _values_of(name, value)]
    if not raw.startswith("["):
        raise LineError(bad("headers", raw))
    items = list(items_of(raw))
    if all(item.startswith("{") for item in items):
        return [_header_object(item) for item in items]
    if all(item.startswith("[") for item in items):
        return [_pair(list(items_of(item)), raw) for item in items]
    if len(items) % 2:
        raise LineError(bad("headers", raw))
    return [_pair(items[at : at + 2], raw) for at in range(0, len(items), 2)]


def _values_of(name: str, value: str) -> Iterator[tuple[str, str | None]]:
    if value.startswith("["):
        for item in items_of(value):
            yield name, text_of(item, "headers")
    else:
        yield name, text_of(value, "headers")


def _header_object(raw: str) -> tuple[str, str | None]:
    members = object_at(raw, 0)[0]
    by_name = {name.lower(): value for name, value in members}
    if "key" in by_name and set(by_name) <= {"key", "value"}:
        return _pair([by_name["key"], by_name.get("value", "null")], raw)
    if len(members) == 1:
        name, value = members[0]
        return name, text_of(value, "headers")
    raise LineError(bad("headers", raw))


def _pair(items: list[str], raw: str) -> tuple[str, str | None]:
    if len(items) != 2 or not items[0].startswith('"'):
        raise LineError(bad("headers", raw))
    name = text_of(items[0], "headers")
    return name or "", text_of(items[1], "headers")
