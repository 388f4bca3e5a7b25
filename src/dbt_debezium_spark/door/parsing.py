"""What macros get while dbt parses: there is no connection then."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

_Method = TypeVar("_Method", bound=Callable[..., Any])


def while_parsing(result: Any) -> Callable[[_Method], _Method]:
    """Let a method of `Run` return `result` while dbt parses, when it cannot be called."""

    def mark(method: _Method) -> _Method:
        setattr(method, "while_parsing", result)  # noqa: B010 - mypy knows no attributes of methods
        return method

    return mark


class Parsing:
    """Stands for an object whose methods need a connection, while there is none."""

    def __init__(self, of: type[Any]) -> None:
        """Answer for the methods of a class."""
        self._of = of

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Return a method that answers what the real one does while dbt parses."""
        method = getattr(self._of, name)
        return lambda *positional, **named: method.while_parsing
