"""tests/mutations: every rule stands on its page, and names what exists; none is broken here."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.cases.listed import CASES, VERSIONS
from tests.mutations.changes import argument, becomes, column, member, reading
from tests.mutations.list_of_rules import RULES
from tests.mutations.rules import REPOSITORY, Met, Rule, places_of

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


# -- what can be done to a macro or function ------------------------------------------------------

SQL = """one as (

    select 'a)' as a, (1 + 2) as b

),

two as (

    select * from one

)"""


def test_a_column_of_a_cte_gets_another_value():
    changed = " ".join(column("one", b="b + 1")(lambda: SQL)().split())
    assert changed == (
        "one as (select * except (b), b + 1 as b from ( select 'a)' as a, (1 + 2) as b )"
        " as unchanged), two as ( select * from one )"
    )


def call(first, second=2):
    return {"first": first, "second": second}


def test_arguments_answers_and_members_are_changed():
    assert argument(first=lambda one: one + 1)(call)(1) == {"first": 2, "second": 2}
    assert argument(second=5)(call)(1) == {"first": 1, "second": 5}
    assert member("second", lambda two: -two)(call)(1) == {"first": 1, "second": -2}
    assert becomes(3)(call)(1) == 3
    assert reading("first", a="a + 1")(call)("t")["first"] == (
        "(select * except (a), a + 1 as a from (select * from t) as unchanged) as changed"
    )


@pytest.mark.parametrize(
    ("change", "told"),
    [(column("three", a="1"), SQL), (column("two", c="1"), SQL), (argument(third=1), "x")],
    ids=["no CTE", "no column", "no argument"],
)
def test_where_a_change_does_not_fit_nothing_is_changed(change, told):
    met = Met()
    assert met.watching(change, lambda: told)() == told
    assert met.times == 0 and re.search("there|no column", met.problem)
