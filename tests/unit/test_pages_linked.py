"""Links between README.md, the pages of docs/ and the other pages lead to a page and a heading.

Links to a line of a macro lead to the line that has their text.

The files that docs/CONTRIBUTING.md names for each behaviour exist.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.paths import REPOSITORY

PAGES = [*sorted(REPOSITORY.glob("*.md")), *sorted((REPOSITORY / "docs").glob("*.md"))]
_LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


def anchors(page: Path) -> set[str]:
    """Return the anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def lines_of(target: Path, text: str) -> list[str]:
    """Return the anchors of the lines of a file in which a text stands."""
    lines = target.read_text(encoding="utf-8").splitlines()
    return [f"L{number}" for number, line in enumerate(lines, 1) if text in line]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_to_a_page_and_a_heading(page):
    broken = []
    for path, anchor in _LINK.findall(page.read_text(encoding="utf-8")):
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (
            anchor and target.suffix == ".md" and anchor not in anchors(target)
        ):
            broken.append(f"{path}#{anchor}" if anchor else path)
    assert broken == []


_LINE = re.compile(r"\[`([^`]+)`\]\(([^)#\s]+)#(L\d+)\)")


def test_every_rule_links_to_its_line():
    page = REPOSITORY / "docs" / "semantics.md"
    links = _LINE.findall(page.read_text(encoding="utf-8"))
    assert len(links) > 20
    wrong = {}
    for text, path, line in links:
        found = lines_of((page.parent / path).resolve(), text)
        if line not in found:
            wrong[f"{text}: {line}"] = found
    assert wrong == {}


def test_every_page_is_linked_from_the_readme():
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    linked = {path for path, _ in _LINK.findall(text)}
    assert {f"docs/{page.name}" for page in PAGES if page.parent != REPOSITORY} <= linked


# the columns of "Where a behaviour is" that name files
ROOTS = {2: "macros", 3: "src/dbt_debezium_spark", 4: "reference", 5: "tests"}


def behaviours() -> list[list[str]]:
    """Return the cells of each row of the table of behaviours."""
    text = (REPOSITORY / "docs" / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"^## Where a behaviour is\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line[:2] == "| "]
    return rows[1:]


@pytest.mark.parametrize("row", behaviours(), ids=lambda row: row[0])
def test_the_files_of_a_behaviour_exist(row):
    assert len(row) == 6
    named = {place: re.findall(r"`([^`]+)`", row[place]) for place in ROOTS}
    assert named[2] and named[5]
    for place, files in named.items():
        for file in files:
            pattern = file.replace("<connector>", "*")
            assert list((REPOSITORY / ROOTS[place]).glob(pattern)), f"{file} does not exist"
