"""docs/fold.md and the file that it links to show the SQL that the macros render."""

from __future__ import annotations

import os

from tests.support.fold_page import PAGE, STAGED, in_order, page, staged


def test_the_page_shows_the_sql_of_a_batch_in_order() -> None:
    text = page(PAGE.read_text(encoding="utf-8"))
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(text, encoding="utf-8")
    assert text == PAGE.read_text(encoding="utf-8")


def test_the_file_is_the_sql_of_staging() -> None:
    text = staged()
    if os.environ.get("UPDATE_GOLDEN"):
        STAGED.write_text(text, encoding="utf-8")
    assert text == STAGED.read_text(encoding="utf-8")


def test_it_can_be_read_at_once() -> None:
    lines = in_order().splitlines()
    assert len(lines) <= 150
    assert sum(line.endswith(" as (") for line in lines) <= 4
