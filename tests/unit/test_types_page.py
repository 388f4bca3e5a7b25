"""docs/types.md says what the macros do, and what the specification says."""

from __future__ import annotations

import os
import re

import pytest

from tests.support.types_page import PAGE, TITLES, page, record_text, spark_text
from tests.type_cases import TypeCase
from tests.type_cases.every import CASES

TEXT = PAGE.read_text(encoding="utf-8")


def test_the_tables_of_the_page_are_those_of_the_package() -> None:
    text = page(TEXT)
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(text, encoding="utf-8")
    assert text == PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("connector", CASES)
def test_the_page_says_what_becomes_of_every_type(connector: str) -> None:
    title = TITLES["mysql" if connector == "mariadb" else connector]
    section = TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0].splitlines()

    not_said = [case.label for case in CASES[connector] if case.is_told and not says(section, case)]
    assert not not_said


def says(section: list[str], case: TypeCase) -> bool:
    """Tell whether a line for the row's type says how it is recorded, and what it becomes."""
    if case.about.endswith("[]") or case.about in ("enum", "isbn"):
        return True  # a sentence of the page; types that users of PostgreSQL make
    name = re.sub(r"\(.*?\)", "", case.about)
    lines = lines_of(section, name) or lines_of(section, name.split()[0])
    for alike in [found[1] for line in lines if (found := re.search(r"\| as `(.+)` \|$", line))]:
        lines += [line.rsplit(" | ", 1)[1] for line in lines_of(section, alike)]
    record, spark = record_text(case.column), spark_text(case.spark_type)
    if record.endswith("connect.Decimal"):  # (p,s), or those of the type
        spark = "DECIMAL("
    texts = (f"| {record} | {spark}", f"{record} → {spark}")
    return any(text in line for line in lines for text in texts)


def lines_of(section: list[str], name: str) -> list[str]:
    """Return the lines for a type of a section's table."""
    return [line for line in section if f"`{name}`" in line.split(" | ")[0]]
