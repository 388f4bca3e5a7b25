"""Every trap and every cell of docs/support.md has a test, or a reason why it has none."""

from __future__ import annotations

import os

import pytest

from tests.support.claims import Claim, claims_of_tests, covered, load, subjects
from tests.support.paths import REPOSITORY
from tests.support.support_page import PAGE, page

LISTED = load()
CLAIMS = claims_of_tests()


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
        "case no-such",
        "support PostgreSQL: tpyes",
        "support PostgreSQL, SQL Serv: rows",
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
