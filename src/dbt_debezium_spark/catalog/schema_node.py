"""Nodes of embedded schemas: the Connect schema of one column (spec §1.2)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dbt_debezium_spark.catalog.json_texts import as_boolean, as_text, elements, members

DECIMAL_SCALE = "scale"
_ENUM = "io.debezium.data.Enum"


@dataclass(frozen=True)
class SchemaNode:
    """The schema of one column, identified by its text."""

    text: str

    @cached_property
    def _members(self) -> dict[str, str]:
        return members(self.text)

    @cached_property
    def field(self) -> str | None:
        """Name of the column."""
        return as_text(self._members.get("field"))

    @cached_property
    def type(self) -> str | None:
        """Literal type; None if the type is unknown."""
        return as_text(self._members.get("type"))

    @cached_property
    def name(self) -> str | None:
        """Schema name of Debezium or Connect."""
        return as_text(self._members.get("name"))

    @cached_property
    def optional(self) -> bool | None:
        """Whether the column may be null; None if the schema does not contain it."""
        return as_boolean(self._members.get("optional"))

    @cached_property
    def default(self) -> str | None:
        """Default, encoded like values."""
        return as_text(self._members.get("default"))

    @cached_property
    def parameters(self) -> dict[str, str | None] | None:
        """Parameters of the schema; None without any."""
        text = self._members.get("parameters")
        if text is None or not text.startswith("{"):
            return None
        return {name: as_text(value) for name, value in members(text).items()}

    @property
    def allowed(self) -> str | None:
        """Labels of an enum, separated by commas; None for another type."""
        if self.name != _ENUM:
            return None
        return (self.parameters or {}).get("allowed")

    @property
    def encoding(self) -> str | None:
        """The encoding of values as text for users; None if it is unknown."""
        if self.type is None:
            return None
        scale = (self.parameters or {}).get(DECIMAL_SCALE)
        parts = (self.type, self.name, None if scale is None else f"scale {scale}")
        return " ".join(part for part in parts if part is not None)


Nodes = tuple[SchemaNode, ...]


def names_of(nodes: Nodes) -> tuple[str | None, ...]:
    """Return the names of the columns."""
    return tuple(node.field for node in nodes)


def node_of(nodes: Nodes, column: str | None) -> SchemaNode | None:
    """Return the node of a column; None if it does not exist."""
    if column is None:
        return None
    return next((node for node in nodes if node.field == column), None)


def columns_of_value(schema: str | None) -> Nodes | None:
    """Return the columns of the row image `after` in the schema of a value (spec §9.5)."""
    for field in elements(members(schema).get("fields")) or ():
        if as_text(members(field).get("field")) == "after":
            return columns_of_key(field)
    return None


def columns_of_key(schema: str | None) -> Nodes | None:
    """Return the columns of a struct; None for another schema."""
    fields = elements(members(schema).get("fields"))
    return None if fields is None else tuple(SchemaNode(field) for field in fields)
