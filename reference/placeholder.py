"""Recognise the unavailable-value placeholder in every form Debezium writes it.

The form depends on the column's type, and only that form counts: a text column may really hold the
base64 text of the placeholder, an int[] of ordinary numbers is not a placeholder.
"""

from __future__ import annotations

import base64
import hashlib
import json
import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reference.config import Config


def unavailable_columns(row: Any, config: Config) -> frozenset[str]:
    """Return the columns of a row image that hold the placeholder."""
    if not isinstance(row, dict):
        return frozenset()
    return frozenset(
        name
        for name, value in row.items()
        if is_placeholder(value, config.placeholder, config.columns.get(name))
    )


def is_placeholder(value: Any, placeholder: str, column: Mapping[str, Any] | None = None) -> bool:
    """Tell whether a raw JSON value stands for "unchanged, not sent".

    Args:
        value: the JSON value as it stands in `before` or `after`.
        placeholder: the connector's `unavailable.value.placeholder`.
        column: the column's Connect type (`type`, `semantic`, `items`), when it is known; without
            it every form counts.
    """
    if value is None:
        return False
    if column is None:
        kinds = ["text", "base64", "list", "codes", "uuids", "map", "map_text"]
    else:
        kinds = _kinds(column)
    return any(_FORMS[kind](value, placeholder) for kind in kinds)


def _kinds(column: Mapping[str, Any]) -> list[str]:
    kind = column["type"]
    if kind == "string":
        if (column.get("parameters") or {}).get("binary.handling.mode"):
            return ["text", "base64", "base64_url_safe", "hex"]
        return ["text", "map_text"] if column.get("semantic") == JSON else ["text"]
    if kind == "bytes":
        return ["base64"]
    if kind == "map":
        return ["map"]
    if kind == "array":
        items = column.get("items") or {}
        if items.get("semantic") == UUID:
            return ["uuids", "list"]  # before 2.4 the text itself
        return {
            "bytes": ["list_base64"],
            "int16": ["codes"],
            "int32": ["codes"],
            "int64": ["codes"],
        }.get(items.get("type", ""), ["list"])
    return []


JSON = "io.debezium.data.Json"
UUID = "io.debezium.data.Uuid"


def _base64(placeholder: str) -> str:
    return base64.b64encode(placeholder.encode()).decode()


def _name_uuid(placeholder: str) -> str:
    """Return Java's UUID.nameUUIDFromBytes: MD5 without a namespace, version 3."""
    return str(uuid.UUID(bytes=hashlib.md5(placeholder.encode()).digest(), version=3))


def _is_map_text(value: Any, placeholder: str) -> bool:
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return False
    try:
        return bool(json.loads(value) == {placeholder: placeholder})
    except ValueError:
        return False


_FORMS = {
    "text": lambda value, text: value == text,
    "base64": lambda value, text: value == _base64(text),
    "base64_url_safe": lambda value, text: (
        value == base64.urlsafe_b64encode(text.encode()).decode()
    ),
    "hex": lambda value, text: value == text.encode().hex(),
    "list": lambda value, text: value == [text],
    "list_base64": lambda value, text: value == [_base64(text)],
    "codes": lambda value, text: value == list(text.encode()),
    "uuids": lambda value, text: value == [_name_uuid(text)],
    "map": lambda value, text: value == {text: text},
    "map_text": _is_map_text,
}
