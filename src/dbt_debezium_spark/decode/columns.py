"""A column as the catalog describes it, and how its values are written: the shapes of both."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Required, TypedDict

# The configuration of a source with every default filled in: see `config.SourceConfig.to_dict`.
Config = Mapping[str, Any]


class Column(TypedDict, total=False):
    """A column of a table, or a node of an embedded schema.

    Attributes:
        name: at the source; elements of arrays have none.
        type: literal type of Connect.
        semantic: schema name of Debezium or Connect.
        parameters: of the schema. Two are our own, set by `known_database_type`:
            `binary.handling.mode` of a text that stands for bytes, and `unsigned` of a 64-bit
            number that wraps.
        items: the elements of an array.
        digits: of the fraction of a time of day, where the database type is known.
        layouts: other encodings that records of this run have: see macro `record_layouts`.
    """

    name: str
    type: Required[str]
    semantic: str | None
    parameters: dict[str, str] | None
    items: Column | None
    digits: int
    layouts: list[Layout]


class Layout(TypedDict):
    """Another encoding of a column, and the hashes of the schemas that have it."""

    column: Column
    hashes: list[str]


class Encoding(TypedDict, total=False):
    """How the values of a column are written in JSON, and what they become.

    Attributes:
        kind: which decoder reads it: see `decode`.
        spark_type: type of the decoded value.
        literal: literal type that the semantic type belongs to, for the page docs/types.md.
        about: what that page says.
        unit: digits of the fraction, for numbers of seconds: 3, 6 or 9.
        exact_text: `always` or `beyond` where the Spark type cannot hold every value exactly. A
            companion column keeps the text of each value, or only of those it does not hold.
        scale: of a decimal, as its parameters give it.
        precision: of a decimal.
        cut: the decimal has a declared negative scale that arrives as a large one.
        wraps: nanoseconds may have wrapped around 64 bits, and can be unwrapped.
        infinite: the ends of 64 bits stand for infinite timestamps.
    """

    literal: str
    kind: Required[str]
    spark_type: Required[str]
    about: str
    unit: int
    exact_text: str
    scale: int
    precision: int
    cut: bool
    wraps: bool
    infinite: bool


def parameters_of(column: Column) -> dict[str, str]:
    """Return the parameters of a column's schema; empty when there are none."""
    return column.get("parameters") or {}


def items_of(column: Column) -> Column:
    """Return how the elements of an array are written; texts when nothing says it."""
    return column.get("items") or {"type": "string"}
