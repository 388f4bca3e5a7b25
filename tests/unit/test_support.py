"""tests/support.yml: docs/support.md shows it, and every test that it names exists."""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import Any

import pytest
import yaml

from tests.support.paths import REPOSITORY

SUPPORT: list[dict[str, Any]] = yaml.safe_load(
    (REPOSITORY / "tests" / "support.yml").read_text(encoding="utf-8")
)
ASPECTS = [name for name in SUPPORT[0] if name not in ("connector", "versions")]


def backing(cell: Any) -> list[str]:
    return list(cell) if isinstance(cell, list) else list(cell.get("tests", ()))


def shown(cell: Any) -> str:
    if isinstance(cell, list):
        return "yes"
    return str(cell["says"]) if "says" in cell else f"– ({cell['none']})"


def table() -> str:
    """Return the table of docs/support.md."""
    lines = [["connector", "Debezium", *ASPECTS], ["---"] * (len(ASPECTS) + 2)]
    for line in SUPPORT:
        cells = [shown(line[aspect]) for aspect in ASPECTS]
        lines.append([line["connector"], line["versions"], *cells])
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


@cache
def file_of(name: str) -> tuple[str, frozenset[str]]:
    text = (REPOSITORY / name).read_text(encoding="utf-8")
    functions = (node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef))
    return text, frozenset(node.name for node in functions)


def test_the_page_shows_what_is_listed():
    assert table() in (REPOSITORY / "docs" / "support.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "line", SUPPORT, ids=[f"{x['connector']} {x['versions']}" for x in SUPPORT]
)
def test_every_cell_names_tests_that_exist_or_says_why_there_is_none(line):
    assert set(line) == {"connector", "versions", *ASPECTS}
    for aspect in ASPECTS:
        cell = line[aspect]
        if isinstance(cell, dict) and "none" in cell:
            assert len(cell["none"]) > 10
            continue
        assert backing(cell), f"{aspect} of {line['connector']} names no test"
        for name in backing(cell):
            file, _, test = name.partition("::")
            function, case = re.fullmatch(r"(\w+)(?:\[(.+)\])?", test).groups()
            text, functions = file_of(file)
            assert function in functions, f"{name} does not exist"
            assert case is None or f'id="{case}"' in text, f"{name} has no such case"
