"""The types of columns and of their encodings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Required, TypedDict

# The configuration of a source with every default filled in: see `config.SourceConfig.to_dict`.
Config = Mapping[str, Any]


class Column(TypedDict, total=False):
    """A column of a table, or a node of an embedded schema.

    Attributes:
        name: name at the source, and of the column; elements of arrays have none.
        source_name: name at the source, if the column has another one (option `as`).
        type: literal type of Connect.
        semantic: schema name of Debezium or Connect.
        parameters: parameters of the schema. `known_database_type` adds two:
            `binary.handling.mode` for a text that stands for bytes, and `unsigned` for an unsigned
            number in 64 bits.
        items: elements of an array.
        digits: digits of the fraction of a time of day, if the database type is known.
        layouts: other encodings in records of this run: see macro `record_layouts`.
        formerly: former names, the latest first (option `renames`).
        added_default: text of the value in rows that are older than the column.
        gone_until: position of the last layout without a column that was dropped and added again.
    """

    name: str
    source_name: str
    type: Required[str]
    semantic: str | None
    parameters: dict[str, str] | None
    items: Column | None
    digits: int
    layouts: list[Layout]
    formerly: list[str]
    added_default: str | None
    gone_until: str


class Layout(TypedDict):
    """Another encoding of a column, and the hashes of the schemas that have it."""

    column: Column
    hashes: list[str]


class Encoding(TypedDict, total=False):
    """The encoding of a column's values in JSON, and their Spark type.

    Attributes:
        kind: selects the decoder: see `decode`.
        spark_type: type of the decoded value.
        literal: literal type of the semantic type, for the page docs/types.md.
        about: text on that page.
        unit: number of digits of a fraction of seconds: 3, 6 or 9.
        exact_text: `always` or `beyond` if the Spark type cannot store every value exactly. A
            companion column has the text of every value, or only of those that do not fit.
        scale: scale of a decimal, from its parameters.
        precision: precision of a decimal.
        cut: whether a decimal has a declared negative scale that arrives as a large one.
        wraps: whether nanoseconds can exceed 64 bits, and can be corrected.
        infinite: whether the lowest and highest number stand for infinite timestamps.
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


def names_of(column: Column) -> list[str]:
    """Return the name of a column at the source, then its former ones (option `renames`)."""
    return [column.get("source_name") or column["name"], *(column.get("formerly") or [])]


def parameters_of(column: Column) -> dict[str, str]:
    """Return the parameters of a column's schema, empty without any."""
    return column.get("parameters") or {}


def items_of(column: Column) -> Column:
    """Return the elements of an array as a column, by default as text."""
    return column.get("items") or {"type": "string"}
