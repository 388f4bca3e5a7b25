"""A Connect schema as a column for macros."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def column_of(node: Mapping[str, Any]) -> dict[str, Any]:
    """Return a node of a Connect schema as a column.

    This is the reverse of `configured_tables.connect_node`. The column omits what decodes no value
    and changes often: labels of an enum, documentation, defaults.
    """
    column: dict[str, Any] = {}
    if node.get("field") is not None:
        column["name"] = node["field"]
    column["type"] = node["type"]
    if node.get("name"):
        column["semantic"] = node["name"]
    parameters = {
        name: parameter
        for name, parameter in (node.get("parameters") or {}).items()
        if name != "allowed" and not name.startswith("__debezium.")
    }
    if parameters:
        column["parameters"] = parameters
    if node.get("optional") is False:
        column["optional"] = False
    for member in ("items", "keys", "values"):
        if node.get(member):
            column[member] = column_of(node[member])
    if node.get("fields"):
        column["fields"] = [column_of(field) for field in node["fields"]]
    return column
