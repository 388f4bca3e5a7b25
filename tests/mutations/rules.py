"""Rules of the pages, and how the names are found that stand for them in the product."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.mutations.changes import Call, Change, Unfit, column
from tests.support import macros as fake_dbt

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = "dbt_debezium_spark"
Target = tuple[str, str, Change]
_MACRO = re.compile(r"{%-?\s*macro\s+(\w+)\(")


@dataclass(frozen=True)
class Rule:
    """A rule that is broken on purpose.

    Attributes:
        text: the rule, as its page states it.
        where: the page and its section, like `history.md#steps-of-a-key`.
        kind: `macro` or `function`.
        name: of the macro, or of the function; of a method with its class, `Walk.take`; of one
            of several with the last name of its module, `deltas._place`.
        change: what is done to it.
        tests: those of which one must fail, as pytest takes them.
    """

    text: str
    where: str
    kind: str
    name: str
    change: Change
    tests: Sequence[str]

    @contextmanager
    def broken(self) -> Iterator[Met]:
        """Break the rule for the time of the block."""
        met = Met()
        changed = _changed_macro if self.kind == "macro" else _changed_function
        with changed(self.name, self.change, met):
            yield met


class Met:
    """How often a change was made, and why it was not where it did not fit."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.times = 0
        self.problem = "no test came by"

    def watching(self, change: Change, original: Call) -> Call:
        """Return the changed call; where the change does not fit, the original is called."""
        changed = change(original)

        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                told = changed(*args, **kwargs)
            except Unfit as error:
                self.problem = str(error)
                return original(*args, **kwargs)
            self.times += 1
            return told

        return call


def macro(name: str, change: Change) -> Target:
    """Return a change of a macro."""
    return "macro", name, change


def cte(name: str, cte: str, **columns: str) -> Target:
    """Return a change of a macro that writes a CTE: columns of that have other values."""
    return macro(name, column(cte, **columns))


def function(name: str, change: Change) -> Target:
    """Return a change of a function or method."""
    return "function", name, change


def case(name: str, file: str = "test_sql", landing: str = "whole") -> str:
    """Return the test of a case that lands in one of its ways."""
    return f"tests/cases/{file}.py::test_the_sql[{name}: {landing}]"


def places_of(rule: Rule) -> Sequence[object]:
    """Return where the name of a rule is defined; there must be one place."""
    return (_macros() if rule.kind == "macro" else _functions()).get(rule.name, [])


@cache
def _macros() -> dict[str, list[str]]:
    places: dict[str, list[str]] = {}
    for file in sorted((REPOSITORY / "macros").rglob("*.sql")):
        for name in _MACRO.findall(file.read_text(encoding="utf-8")):
            places.setdefault(name, []).append(str(file))
    return places


@cache
def _functions() -> dict[str, list[tuple[str, str]]]:
    """Return where functions and methods are, as module and path in it, by their names."""
    places: dict[str, list[tuple[str, str]]] = {}
    root = REPOSITORY / "src"
    for file in sorted((root / PACKAGE).rglob("*.py")):
        module = ".".join(file.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.FunctionDef):
                places.setdefault(node.name, []).append((module, node.name))
                places.setdefault(f"{file.stem}.{node.name}", []).append((module, node.name))
            elif isinstance(node, ast.ClassDef):
                for method in node.body:
                    if isinstance(method, ast.FunctionDef):
                        path = f"{node.name}.{method.name}"
                        places.setdefault(path, []).append((module, path))
    return places


@contextmanager
def _changed_macro(name: str, change: Change, met: Met) -> Iterator[None]:
    """Change a macro in every set of macros that is made meanwhile."""
    original = fake_dbt.Macros.__init__

    def begin(self: Any, *args: Any, **kwargs: Any) -> None:
        original(self, *args, **kwargs)
        self._macros[name] = met.watching(change, self._macros[name])

    fake_dbt.Macros.__init__ = begin  # type: ignore[method-assign]
    try:
        yield
    finally:
        fake_dbt.Macros.__init__ = original  # type: ignore[method-assign]


@contextmanager
def _changed_function(name: str, change: Change, met: Met) -> Iterator[None]:
    """Change a function in its module, and wherever it was imported, for the whole process."""
    ((module_name, path),) = _functions()[name]
    module = importlib.import_module(module_name)
    owner, _, attribute = path.rpartition(".")
    if owner:
        kind = getattr(module, owner)
        method = inspect.getattr_static(kind, attribute)
        if isinstance(method, property):
            setattr(kind, attribute, property(met.watching(change, method.fget)))
        else:
            setattr(kind, attribute, met.watching(change, method))
    else:
        original = getattr(module, path)
        changed = met.watching(change, original)
        for other in list(sys.modules.values()):
            if getattr(other, path, None) is original:
                setattr(other, path, changed)
    yield
