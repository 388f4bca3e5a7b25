"""What stops the rendering of a model: a column that nothing here can read."""

from __future__ import annotations

from dbt_common.exceptions import CompilationError

from dbt_debezium_spark.literals import printable


def refusal(place: str, problem: str, remedy: str) -> CompilationError:
    """Return an error of the form that macro `_fail` gives; dbt adds the model and the macros.

    Args:
        place: what refuses, as people call it from a model: `encoding`.
        problem: what is wrong, with the value.
        remedy: what to do.
    """
    return CompilationError(printable(f"debezium_spark.{place}: {problem} {remedy}", "\n"))
