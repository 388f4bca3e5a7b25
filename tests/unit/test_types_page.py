"""docs/types.md says what the macros do: it is written from the tables they read."""

from __future__ import annotations

import os

from tests.support.types_page import PAGE, page


def test_the_page_of_types_is_what_the_tables_say():
    text = page()
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text
