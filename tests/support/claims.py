"""What the tests cover: the claims that they make, beside what is listed in tests/claims.yml.

A test claims with the mark `covers`, a case of `tests/cases` with `covers`:

    @pytest.mark.covers("trap 27", "case odd-names")
    @pytest.mark.covers("support PostgreSQL, MariaDB: truncates, types", "form JSON: every input")

The number in the name of a test in tests/traps claims its trap, too. A connector without a
version stands for all its lines. Names in claims have no commas, quotes or parentheses.

`python -m tests.support.claims WORDS` prints who covers what has these words in its name.
The claims are read from the text: pytest would need 20 seconds, and every import.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ruamel.yaml import YAML

from tests.support.paths import REPOSITORY

# The first test that covers something is the one that is the easiest to run.
FOLDERS = ("unit", "lab", "cases", "traps", "property", "spark", "dbt", "full")
EVERYTHING = "every input"


class Subject(NamedTuple):
    """A trap, a case, or a cell of a table: `part` is its column."""

    kind: str
    name: str
    part: str = ""

    def __str__(self) -> str:
        """Return the claim that names it."""
        return f"{self.kind} {self.name}" + (f": {self.part}" if self.part else "")

    def is_meant(self, name: str, part: str) -> bool:
        """Tell whether these words of a claim mean it."""
        is_line = self.kind == "support" and self.name.startswith(f"{name} ")
        return (name == self.name or is_line) and part in (self.part, EVERYTHING)


@dataclass
class Entry:
    """What is listed of a subject: `none` is why no test covers it."""

    title: str
    none: str = ""
    tests: list[str] = field(default_factory=list)


class Claim(NamedTuple):
    """A claim, and the test or the file that makes it."""

    text: str
    test: str


def load() -> dict[str, Any]:
    """Return what is listed. A name that is listed twice is an error of this parser."""
    text = (REPOSITORY / "tests" / "claims.yml").read_text(encoding="utf-8")
    return YAML(typ="safe").load(text)


def subjects(listed: Mapping[str, Any]) -> dict[Subject, Entry]:
    """Return what tests must cover, as it is listed."""
    found = {}
    for kind in ("trap", "case"):
        for name, entry in listed[f"{kind}s"].items():
            told = entry if isinstance(entry, dict) else {"title": entry}
            found[Subject(kind, str(name))] = Entry(**told)
    for line in listed["support"]:
        name = _plain(f"{line['connector']} {line['versions']}")
        for part in listed["aspects"]:
            found[Subject("support", name, part)] = _cell(line, part)
    for line in listed["forms"]:
        for part in listed["inputs"]:
            found[Subject("form", _plain(line["form"]), part)] = _cell(line, part)
    return found


def _plain(title: str) -> str:
    return re.sub(r" \(.*|[,`]", "", title)


def _cell(line: Mapping[str, Any], part: str) -> Entry:
    said = {
        key: {one: text for parts, text in line.get(key, {}).items() for one in parts.split(", ")}
        for key in ("says", "none")
    }
    return Entry(said["says"].get(part, "yes"), said["none"].get(part, ""))


def covered(
    listed: Mapping[str, Any], claims: Sequence[Claim]
) -> tuple[dict[Subject, Entry], list[str]]:
    """Return what is listed, with its tests, and what is wrong with the two."""
    found, faults = subjects(listed), []
    for claim in claims:
        kind, _, rest = claim.text.partition(" ")
        names, _, parts = rest.partition(": ")
        for name in names.split(", "):
            for part in parts.split(", "):
                meant = [one for one in found if one.kind == kind and one.is_meant(name, part)]
                for one in meant:
                    found[one].tests.append(claim.test)
                if not meant:
                    faults.append(f"{claim.test} covers what is not listed: {claim.text!r}")
    for one, entry in found.items():
        if bool(entry.tests) == bool(entry.none):
            faults.append(
                f"{one} has {'tests, and a reason for none' if entry.none else 'no test'}"
            )
    return found, faults


def claims_of_tests() -> list[Claim]:
    """Return the claims of all tests."""
    tests = REPOSITORY / "tests"
    return [
        claim
        for folder in FOLDERS
        for path in sorted((tests / folder).rglob("*.py"))
        for claim in claims_in(
            path.relative_to(REPOSITORY).as_posix(), path.read_text(encoding="utf-8")
        )
    ]


def claims_in(file: str, text: str) -> list[Claim]:
    """Return the claims of a file."""
    if not any(words in text for words in ("covers", "def test_", "Case(")):
        return []
    reader = _Reader(file)
    reader.visit(ast.parse(text, file))
    return reader.claims


class _Reader(ast.NodeVisitor):
    def __init__(self, file: str) -> None:
        self.place = file
        self.claims: list[Claim] = []
        self._constants: dict[str, ast.expr] = {}

    def visit_Assign(self, node: ast.Assign) -> None:
        if isinstance(node.targets[0], ast.Name):
            self._constants[node.targets[0].id] = node.value
        self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        place, self.place = self.place, f"{self.place}::{node.name}"
        if number := re.match(r"tests/traps/test_\w+\.py::test_(\d\d)_\w+$", self.place):
            self.claims.append(Claim(f"trap {int(number[1])}", self.place))
        if not node.name.startswith("test_") and any(map(_is_mark, node.decorator_list)):
            raise ValueError(f"{self.place} is no test.")
        self.generic_visit(node)
        self.place = place

    def visit_Call(self, node: ast.Call) -> None:
        place = self.place
        for keyword in node.keywords:
            if keyword.arg == "id" and isinstance(keyword.value, ast.Constant):
                self.place += f"[{keyword.value.value}]"
        if _is_mark(node):
            self._take(node.args)
        for told in [keyword.value for keyword in node.keywords if keyword.arg == "covers"]:
            self._take_all(told)
        if isinstance(node.func, ast.Name) and node.func.id == "Case" and len(node.args) > 3:
            self._take_all(node.args[3])
        self.generic_visit(node)
        self.place = place

    def _take_all(self, told: ast.expr) -> None:
        """Take the claims of a tuple, or of the constant that it is."""
        if isinstance(told, ast.Name):
            told = self._constants.get(told.id, told)
        if isinstance(told, ast.BinOp):
            self._take_all(told.left)
            self._take_all(told.right)
        elif not isinstance(told, ast.Name | ast.Attribute):
            self._take(getattr(told, "elts", [told]))

    def _take(self, claims: Sequence[ast.expr]) -> None:
        for one in claims:
            if isinstance(one, ast.Starred):
                continue  # the mark of a table's rows, each with its claims
            if not isinstance(one, ast.Constant) or not isinstance(one.value, str):
                raise ValueError(f"{self.place}, line {one.lineno}: a claim is a literal text.")
            self.claims.append(Claim(one.value, self.place))


def _is_mark(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.covers")


def _printed(words: str) -> Iterator[str]:
    found, faults = covered(load(), claims_of_tests())
    for one, entry in found.items():
        if words in str(one):
            yield f"{one} ({entry.title})"
            yield from (f"  {test}" for test in entry.tests or [f"none: {entry.none}"])
    yield from faults


if __name__ == "__main__":
    print("\n".join(_printed(" ".join(sys.argv[1:]))))
