"""tests/mutations: every rule stands on its page, and names what exists; none is broken here."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.cases.listed import CASES, VERSIONS
from tests.mutations.list_of_rules import RULES
from tests.mutations.rules import REPOSITORY, Rule, places_of

CASES_THAT_RUN = {
    f"{one.name}: {landing.name}" for one in [*CASES, *VERSIONS] for landing in one.all_landings()
}
NAMED = pytest.mark.parametrize("rule", RULES, ids=[f"{one.where}-{one.text}" for one in RULES])


@cache
def sections_of(page: str) -> frozenset[str]:
    """Return the anchors of a page's headings."""
    text = (REPOSITORY / "docs" / page).read_text(encoding="utf-8")
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return frozenset(re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles)


@cache
def functions_of(file: str) -> frozenset[str]:
    tree = ast.parse((REPOSITORY / file).read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_rules_are_listed_once():
    counts = Counter((rule.where, rule.text) for rule in RULES)
    assert [rule for rule, count in counts.items() if count > 1] == []


@NAMED
def test_a_rule_names_its_section_and_one_macro_or_function(rule: Rule):
    page, _, section = rule.where.partition("#")
    assert section in sections_of(page)
    assert len(places_of(rule)) == 1, f"{rule.name}: {places_of(rule)}"
    for name in getattr(rule.change, "names", ()):
        assert re.search(rf"\b{name}\b", Path(str(places_of(rule)[0])).read_text("utf-8")), name


@NAMED
def test_a_rule_names_tests_that_exist(rule: Rule):
    assert rule.tests
    for test in rule.tests:
        file, _, name = test.partition("::")
        assert (REPOSITORY / file).is_file(), f"{file} does not exist"
        assert not name or name.split("[")[0] in functions_of(file), f"{test} does not exist"
        if file.startswith("tests/cases/"):
            case = name.split("[")[1].rstrip("]")
            assert case in CASES_THAT_RUN, f"{case} is no case"
