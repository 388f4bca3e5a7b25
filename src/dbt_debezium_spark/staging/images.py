"""SQL of row images: maps from the names of columns to their JSON texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dbt_debezium_spark.decode import Column, names_of
from dbt_debezium_spark.text.sql_text import text_literal


def all_names(columns: Iterable[Column]) -> list[str]:
    """Return the names that columns have and had."""
    return [name for column in columns for name in names_of(column)]


def image_member(image: str, name: str) -> str:
    """Return SQL: the JSON text of one member of an image, NULL if it is absent or null."""
    return f"try_element_at({image}, {text_literal(name)})"


def column_member(image: str, column: Column) -> str:
    """Return SQL: the same of a column."""
    return _first([image_member(image, name) for name in names_of(column)])


def aligned_text(texts: str, column: Column, names: Sequence[str]) -> str:
    """Return SQL: the same from the result of the macro `aligned_texts` with these names."""
    return _first([f"get({texts}, {names.index(name)})" for name in names_of(column)])


def has_column(image: str, column: Column) -> str:
    """Return a SQL condition: an image has a column, be it null."""
    return " or ".join(
        f"map_contains_key({image}, {text_literal(name)})" for name in names_of(column)
    )


def _first(texts: Sequence[str]) -> str:
    return f"coalesce({', '.join(texts)})" if len(texts) > 1 else texts[0]
