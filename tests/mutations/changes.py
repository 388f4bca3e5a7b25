"""What a mutation does to a macro or a function: each takes the original, and returns another."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any

Call = Callable[..., Any]
Change = Callable[[Call], Call]


class Unfit(Exception):  # noqa: N818 - no test may take it for an error
    """A change that does not fit this call, say a CTE that the plan does not need."""


def becomes(value: Any) -> Change:
    """Whatever is asked, the answer is this."""
    return lambda original: lambda *args, **kwargs: value


def wrapped(call: Callable[..., Any]) -> Change:
    """Call this with the original before the arguments."""
    return lambda original: lambda *args, **kwargs: call(original, *args, **kwargs)


def answer(change: Callable[[Any], Any]) -> Change:
    """The answer is changed: SQL, or a value."""
    return lambda original: lambda *args, **kwargs: change(original(*args, **kwargs))


def instead_of(told: str, other: str) -> Change:
    """SQL of a text: where it would be one value, it is another."""
    return answer(lambda sql: f"(case {sql} when '{told}' then '{other}' else {sql} end)")


def argument(**values: Any) -> Change:
    """Arguments have other values: fixed ones, or made of what was given."""

    def change(original: Call) -> Call:
        signature = inspect.signature(original)

        def call(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind_partial(*args, **kwargs)
            for name, value in values.items():
                if name not in signature.parameters:
                    raise Unfit(f"there is no argument {name}")
                given = bound.arguments.get(name)
                bound.arguments[name] = value(given) if callable(value) else value
            return original(*bound.args, **bound.kwargs)

        return call

    return change


def reading(relation: str, **columns: str) -> Change:
    """The relation that an argument names has other values in columns: SQL over those it has."""
    return argument(
        **{
            relation: lambda given: (
                f"({_with_columns(f'select * from {given}', columns)}) as changed"
            )
        }
    )


def member(name: str, value: Any) -> Change:
    """A member of the mapping that is returned has another value, or one made of what it has."""

    def change(told: dict[str, Any]) -> dict[str, Any]:
        if name not in told:
            raise Unfit(f"there is no member {name}")
        return {**told, name: value(told[name]) if callable(value) else value}

    return answer(change)


def column(cte: str, **values: str) -> Change:
    """Columns of a CTE have other values, which are SQL over its columns as they are."""

    def change(sql: str) -> str:
        start, end = _body(sql, cte)
        for name in values:
            if not re.search(rf"\b{name}\b", sql[start:end]):
                raise Unfit(f"the CTE {cte} has no column {name}")
        return sql[:start] + _with_columns(sql[start:end], values) + sql[end:]

    changed = answer(change)
    changed.names = (cte, *values)  # type: ignore[attr-defined]  # what the macro must write
    return changed


def _with_columns(select: str, values: Mapping[str, str]) -> str:
    changed = ", ".join(f"{value} as {name}" for name, value in values.items())
    return f"select * except ({', '.join(values)}), {changed} from ({select}) as unchanged"


def _body(sql: str, cte: str) -> tuple[int, int]:
    """Return where the text between the parentheses of a CTE begins and ends."""
    heads = list(re.finditer(rf"^{cte} as \(", sql, re.MULTILINE))
    if len(heads) != 1:
        raise Unfit(f"there are {len(heads)} CTEs {cte}")
    depth, quoted = 1, False
    for place in range(heads[0].end(), len(sql)):
        character = sql[place]
        if character == "'":
            quoted = not quoted
        elif not quoted and character in "()":
            depth += 1 if character == "(" else -1
            if depth == 0:
                return heads[0].end(), place
    raise Unfit(f"the CTE {cte} has no end")
