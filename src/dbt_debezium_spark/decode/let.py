"""Local names for SQL expressions."""

from __future__ import annotations


def let(name: str, value: str, expression: str) -> str:
    """Return SQL: `expression`, in which `name` stands for `value`, which is computed once.

    SQL has no local names. If a long value were repeated instead, Spark would need more time to
    plan a statement than to run it. But Spark does not compile the expression, so hot paths repeat
    short values.
    """
    return f"transform(array({value}), {name} -> {expression})[0]"
