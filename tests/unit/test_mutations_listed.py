"""tests/mutations/mutations.yml: every mutation fits its file, and names tests that exist."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache

import pytest

from tests.mutations.listed import (
    AREAS,
    REPOSITORY,
    Mutation,
    WrongList,
    read_list,
    selected,
    write_killers,
)

LISTED = read_list()
PRODUCT = ("macros/", "src/dbt_debezium_spark/")


@cache
def text_of(file: str) -> str:
    return (REPOSITORY / file).read_text(encoding="utf-8")


@cache
def functions_of(file: str) -> frozenset[str]:
    tree = ast.parse(text_of(file))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))


def test_there_are_mutations_of_every_area_and_names_are_unique():
    assert len(LISTED) >= 60
    assert {one.area for one in LISTED} == set(AREAS)
    assert [name for name, count in Counter(one.name for one in LISTED).items() if count > 1] == []


@pytest.mark.parametrize("mutation", LISTED, ids=[one.name for one in LISTED])
def test_a_mutation_changes_one_place_of_the_product_and_leaves_code(mutation):
    assert mutation.file.startswith(PRODUCT)
    assert mutation.applied_to(text_of(mutation.file)) != text_of(mutation.file)


@pytest.mark.parametrize("mutation", LISTED, ids=[one.name for one in LISTED])
def test_a_mutation_says_what_shows_it_and_names_tests_that_exist(mutation):
    assert len(mutation.shows) > 10 and mutation.shows.endswith(".")
    assert mutation.tests
    for test in mutation.tests:
        if not test.startswith("-k"):
            file, _, name = test.partition("::")
            assert (REPOSITORY / file).is_file(), f"{file} does not exist"
            assert not name or name.split("[")[0] in functions_of(file), f"{test} does not exist"


def test_the_test_that_noticed_is_known_for_every_mutation_and_exists():
    unknown = [one.name for one in LISTED if one.killed_by is None]
    assert unknown == [], "run `python -m tests.mutations --update`"
    for one in LISTED:
        file, _, name = str(one.killed_by).partition("::")
        assert name.split("[")[0] in functions_of(file), f"{one.killed_by} does not exist"


# -- the runner's own rules -----------------------------------------------------------------------


def mutation(find: str, replace: str, file: str = "a.py") -> Mutation:
    return Mutation("a-name", "fold", file, find, replace, "Something.", ("tests/unit",))


@pytest.mark.parametrize(
    ("find", "replace", "why"),
    [
        ("x", "y", "stands 2 times"),
        ("z", "y", "stands 0 times"),
        ("= 1", "= 1", "changes nothing"),
        ("= 1", "= (", "no code"),
    ],
)
def test_a_mutation_that_does_not_fit_is_a_mistake_of_the_list(find, replace, why):
    with pytest.raises(WrongList, match=why):
        mutation(find, replace).applied_to("x = 1\nprint(x)\n")


def test_a_macro_must_stay_one():
    with pytest.raises(WrongList, match="no code"):
        mutation("{%- endmacro", "{%- macro", "a.sql").applied_to(
            "{%- macro a() -%}1{%- endmacro -%}"
        )


def test_mutations_are_chosen_by_name_area_and_place_of_their_tests():
    a = mutation("x", "y")
    b = Mutation("b-name", "staging", "b.sql", "x", "y", "Something.", ("tests/spark/test_b.py",))

    assert selected([a, b]) == [a, b]
    assert selected([a, b], names=["b-*"]) == [b]
    assert selected([a, b], areas=["fold"]) == [a]
    assert selected([a, b], under="tests/unit") == [a]


def test_who_noticed_is_written_beside_the_tests_and_the_rest_stays(tmp_path):
    path = tmp_path / "mutations.yml"
    before = """# about
- name: a-name
  area: fold
  tests:
  - tests/unit
  find: |-
    a "b"
      c
  shows: Something.

# more
- name: b-name
  tests:
  - tests/unit
  killed_by: tests/unit/test_b.py::test_b
  shows: 'It''s: so.'
"""
    path.write_text(before, encoding="utf-8")
    write_killers({"a-name": "tests/unit/test_a.py::test_a[x: y]", "b-name": None}, path)

    assert path.read_text(encoding="utf-8") == before.replace(
        "  find:", "  killed_by: 'tests/unit/test_a.py::test_a[x: y]'\n  find:"
    ).replace("  killed_by: tests/unit/test_b.py::test_b\n", "")
