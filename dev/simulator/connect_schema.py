"""Schemas as Kafka Connect's JSON converter writes them, member by member in its order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Node = dict[str, Any]


def field(name: str, kind: str, optional: bool = True) -> Node:
    """Return a field of a type without members."""
    return {"type": kind, "optional": optional, "field": name}


def fields(kinds: Mapping[str, str], optional: bool = True) -> list[Node]:
    """Return fields by name and type."""
    return [field(name, kind, optional) for name, kind in kinds.items()]


def array(name: str, items: Node, optional: bool = True) -> Node:
    """Return a field that holds a list."""
    return {"type": "array", "items": items, "optional": optional, "field": name}


def struct(members: Iterable[Node], name: str, optional: bool = False, **further: Any) -> Node:
    """Return a structure; `further`: its version and the field that holds it."""
    kind = {"type": "struct", "fields": list(members), "optional": optional, "name": name}
    return kind | further
