"""tests/sink_forms.yml: docs/inputs.md shows it, and every test that it names exists."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.support.paths import REPOSITORY
from tests.unit.test_support import backing, file_of, shown

FORMS: list[dict[str, Any]] = yaml.safe_load(
    (REPOSITORY / "tests" / "sink_forms.yml").read_text(encoding="utf-8")
)
LAYOUTS = ("connect", "aiven", "lenses")


def test_the_page_shows_what_is_listed():
    lines = [["form", *LAYOUTS], ["---"] * 4]
    lines += [[one["form"], *[shown(one[layout]) for layout in LAYOUTS]] for one in FORMS]
    table = "\n".join("| " + " | ".join(cells) + " |" for cells in lines)

    assert table in (REPOSITORY / "docs" / "inputs.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FORMS, ids=[one["form"] for one in FORMS])
def test_every_cell_names_tests_that_exist_or_says_why_there_is_none(form):
    assert set(form) == {"form", *LAYOUTS}
    for layout in LAYOUTS:
        cell = form[layout]
        if isinstance(cell, dict):
            assert len(cell["none"]) > 10
            continue
        assert backing(cell)
        for name in backing(cell):
            file, _, test = name.partition("::")
            assert test in file_of(file)[1], f"{name} does not exist"
