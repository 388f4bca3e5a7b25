"""Local names in SQL, which has none."""

from __future__ import annotations


def let(name: str, value: str, expression: str) -> str:
    """Return SQL: `expression` with `name` standing for `value`, which is computed once.

    Written out instead, a long value that is used many times makes statements that take Spark
    longer to plan than to run. The price is that Spark does not compile the expression, so hot
    paths write short values out.
    """
    return f"transform(array({value}), {name} -> {expression})[0]"
