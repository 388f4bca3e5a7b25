"""tests/traps.yml: no trap is forgotten, and no test that it names is gone."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.paths import REPOSITORY

LISTED: list[dict[str, Any]] = yaml.safe_load(
    (REPOSITORY / "tests" / "traps.yml").read_text(encoding="utf-8")
)
TRAPS = 70


@cache
def functions_of(file: str) -> frozenset[str]:
    tree = ast.parse((REPOSITORY / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_every_trap_is_listed_once_and_in_order():
    assert [trap["number"] for trap in LISTED if "number" in trap] == list(range(1, TRAPS + 1))


def test_every_case_with_records_is_listed_once():
    listed = [trap["case"] for trap in LISTED if "case" in trap]
    records = Path(__file__).with_name("records_of_cases").glob("*.jsonl")
    assert {path.stem for path in records} <= set(listed)
    assert len(set(listed)) == len(listed)


@pytest.mark.parametrize(
    "trap", LISTED, ids=[str(trap.get("number") or trap["case"]) for trap in LISTED]
)
def test_a_trap_names_tests_that_exist_or_says_why_there_is_none(trap):
    assert trap["title"]
    assert len({"number", "case"} & set(trap)) == 1
    assert set(trap) - {"number", "case", "title"} in ({"covered_by"}, {"not_here"})
    for name in trap.get("covered_by", ()):
        file, test = name.split("::")
        assert test in functions_of(file), f"{name} does not exist"
    if "covered_by" not in trap:
        assert len(trap["not_here"]) > 20


def test_every_test_of_a_trap_is_listed_under_its_number():
    listed = {(trap.get("number"), name) for trap in LISTED for name in trap.get("covered_by", ())}
    for path in Path(__file__).parent.glob("test_traps_*.py"):
        file = path.relative_to(REPOSITORY).as_posix()
        for test in functions_of(file):
            found = re.match(r"test_(\d\d)_", test)
            if found:
                assert (int(found[1]), f"{file}::{test}") in listed
