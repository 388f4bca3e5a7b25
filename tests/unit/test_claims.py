"""Every trap and every cell of docs/support.md has a test, or a reason why it has none."""

from __future__ import annotations

import os
from copy import deepcopy

import pytest

from tests.support.claims import Claim, Subject, claims_in, claims_of_tests, covered, load, subjects
from tests.support.paths import REPOSITORY
from tests.support.support_page import PAGE, page

LISTED = load()
CLAIMS = claims_of_tests()
ROWS = """
ROWS = [
    pytest.param(1, id="one", marks=[pytest.mark.full, pytest.mark.covers("trap 1")]),
    Case("two", covers=("trap 2", "case odd-names")),
]
"""
TEST = '@pytest.mark.covers("trap 3")\ndef test_it():\n    pass\n'


def faults(listed=LISTED, more=(), without=""):
    claims = [claim for claim in CLAIMS if not without or without not in claim.text]
    return covered(listed, [*claims, *more])[1]


def test_each_trap_and_cell_has_a_test_or_a_reason():
    assert faults() == []


def test_the_page_shows_what_the_tests_cover():
    text = PAGE.read_text(encoding="utf-8")
    made = page(text, LISTED, covered(LISTED, CLAIMS)[0])
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(made, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == made


def test_all_traps_of_the_specification_and_all_records_of_cases_are_listed():
    assert list(LISTED["traps"]) == list(range(1, 71))
    records = (REPOSITORY / "tests" / "traps" / "records_of_cases").glob("*.jsonl")
    assert {path.stem for path in records} <= set(LISTED["cases"])


def test_each_entry_has_a_title_and_each_reason_says_something():
    for one, entry in subjects(LISTED).items():
        assert entry.title, one
        assert not entry.none or len(entry.none) > (20 if one.kind == "trap" else 10), one


def test_each_line_has_only_what_is_known():
    """A cell with a misspelt column would be a cell with a test."""
    for lines, names, known in (
        ("support", {"connector", "versions"}, LISTED["aspects"]),
        ("forms", {"form"}, LISTED["inputs"]),
    ):
        for line in LISTED[lines]:
            assert names <= set(line) <= names | {"says", "none"}
            for key in ("says", "none"):
                told = [one for parts in line.get(key, {}) for one in parts.split(", ")]
                assert set(told) <= set(known) and len(told) == len(set(told)), line


@pytest.mark.parametrize(
    "claim",
    [
        "trap 71",
        "trap",
        "case no-such",
        "traps 27",
        "support PostgreSQL: tpyes",
        "support PostgreSQL, SQL Serv: rows",
        "support PostgreSQL: rows, colours",
        "support PostgreSQL",
        "form JSON lines: files",
        "form JSON, XML: files",
        "form JSON: files, paper",
    ],
)
def test_a_claim_of_what_is_not_listed_is_a_fault(claim):
    said = faults(more=[Claim(claim, "test_x")])
    assert said == [f"test_x covers what is not listed: {claim!r}"]


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        ("trap 27", "trap 27"),
        ("odd-names", "case odd-names"),
        ("definitions from", "support MongoDB oplog patches 1.1: definitions from"),
        ("lines of bytes", "form lines of bytes: connect"),
        ("a table per topic", "form a table per topic: table"),
    ],
)
def test_what_no_test_covers_is_a_fault(words, missing):
    assert f"{missing} has no test" in faults(without=words)


def test_a_reason_beside_a_test_is_a_fault():
    (said,) = faults(more=[Claim("trap 28", "test_x")])
    assert said == "trap 28 has tests, and a reason for none"


def test_a_cell_that_changes_changes_the_page():
    listed = deepcopy(LISTED)
    listed["support"][0]["says"]["types"] = "most"
    text = PAGE.read_text(encoding="utf-8")
    made = page(text, listed, covered(listed, CLAIMS)[0])
    changed = set(made.split("\n")) - set(text.split("\n"))
    assert [line.startswith("| PostgreSQL |") and " most " in line for line in changed] == [True]


def test_claims_are_read_from_marks_rows_and_names():
    assert claims_in("tests/unit/test_a.py", f"{ROWS}\n{TEST}") == [
        Claim("trap 1", "tests/unit/test_a.py[one]"),
        Claim("trap 2", "tests/unit/test_a.py"),
        Claim("case odd-names", "tests/unit/test_a.py"),
        Claim("trap 3", "tests/unit/test_a.py::test_it"),
    ]
    whole_file = 'pytestmark = [pytest.mark.slow, pytest.mark.covers("trap 4")]  # no test_ here'
    assert claims_in("a.py", whole_file) == [Claim("trap 4", "a.py")]
    by_place = 'TRAP = ("trap 6",)\nCase("six", [], {}, TRAP)\n'
    assert claims_in("a.py", by_place) == [Claim("trap 6", "a.py")]
    named = "def test_05_a_null(built):\n    pass\n"
    file = "tests/traps/test_traps_x.py"
    assert claims_in(file, named) == [Claim("trap 5", f"{file}::test_05_a_null")]
    assert claims_in("tests/unit/test_a.py", named) == []
    passed_on = "pytest.param(case, marks=pytest.mark.covers(*case.covers))\nCase(covers=covers)\n"
    assert claims_in("a.py", passed_on) == []


@pytest.mark.parametrize(
    "text",
    [
        "@pytest.mark.covers(TRAP)\ndef test_it():\n    pass\n",
        '@pytest.mark.covers(f"trap {1}")\ndef test_it():\n    pass\n',
        'Case(covers=("trap 1", TRAP))\n',
        "Case(covers=all_of_them())\n",
        '@pytest.mark.covers("trap 1")\ndef helper():\n    pass\n',
    ],
)
def test_a_claim_that_cannot_be_read_is_an_error(text):
    with pytest.raises(ValueError, match="literal text|is no test"):
        claims_in("tests/unit/test_a.py", text)


def test_words_stand_for_all_lines_and_inputs_that_they_name():
    found, _ = covered(
        LISTED, [Claim("support SQL Server: rows", "a"), Claim("form keys: every input", "b")]
    )
    tests = {str(one): entry.tests for one, entry in found.items() if entry.tests}
    assert tests == {
        "support SQL Server 1.9: rows": ["a"],
        "support SQL Server 2.1 3.6: rows": ["a"],
        **{str(Subject("form", "keys", part)): ["b"] for part in LISTED["inputs"]},
    }
