"""The error for a column that cannot be decoded, which stops the rendering of a model."""

from __future__ import annotations

from dbt_common.exceptions import CompilationError

from dbt_debezium_spark.text.literals import printable


def refusal(place: str, problem: str, remedy: str) -> CompilationError:
    """Return an error in the form of macro `_fail`; dbt adds the model and the macros.

    Args:
        place: name of the refusing function, as in models: `encoding`.
        problem: what is wrong, with the value.
        remedy: what to do.
    """
    return CompilationError(printable(f"debezium_spark.{place}: {problem} {remedy}", "\n"))
