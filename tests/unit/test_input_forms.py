"""tests/input_forms.yml: docs/support.md shows it, and every test that it names exists."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.support.paths import REPOSITORY
from tests.unit.test_support import backing, file_of

FORMS: list[dict[str, Any]] = yaml.safe_load(
    (REPOSITORY / "tests" / "input_forms.yml").read_text(encoding="utf-8")
)
INPUTS = {
    "files": "record files",
    "connect": "sink: `connect`",
    "aiven": "sink: `aiven`",
    "lenses": "sink: `lenses`",
    "kafka": "Kafka",
    "table": "table or view",
}


def shown(cell: Any) -> str:
    """Return a cell of the page: a link to the first test, or why there is none."""
    if isinstance(cell, dict) and "none" in cell:
        return f"– ({cell['none']})"
    words = "yes" if isinstance(cell, list) else cell["says"]
    return f"[{words}](../{backing(cell)[0].partition('::')[0]})"


def table() -> str:
    """Return the table of docs/support.md."""
    lines = [["form", *INPUTS.values()], ["---"] * (len(INPUTS) + 1)]
    lines += [[one["form"], *[shown(one[name]) for name in INPUTS]] for one in FORMS]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def test_the_page_shows_what_is_listed():
    assert table() in (REPOSITORY / "docs" / "support.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("form", FORMS, ids=[one["form"] for one in FORMS])
def test_every_cell_names_tests_that_exist_or_says_why_there_is_none(form):
    assert set(form) == {"form", *INPUTS}
    for name in INPUTS:
        cell = form[name]
        if isinstance(cell, dict) and "none" in cell:
            assert len(cell["none"]) > 10
            continue
        assert backing(cell)
        for test in backing(cell):
            file, _, function = test.partition("::")
            assert function in file_of(file)[1], f"{test} does not exist"
