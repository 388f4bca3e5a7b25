"""The placeholder in columns that are not described, or of types that cannot hold it.

Its form in a column of each type, and what only looks like it: `tests/cases/unavailable.py`.
"""

from __future__ import annotations

import pytest

from reference.placeholder import is_placeholder
from tests.cases.articles import FORMS, KNOWN
from tests.cases.log import GONE


@pytest.mark.parametrize("name", [name for name in FORMS if name != "blobs"])
def test_in_a_column_that_is_not_described_every_form_counts(name):
    assert is_placeholder(FORMS[name], GONE)
    assert not is_placeholder(KNOWN[name], GONE)
    assert not is_placeholder(FORMS[name], "gone")


@pytest.mark.parametrize(("value", "kind"), [(GONE, "bytes"), (0, "int32")])
def test_a_value_of_another_form_than_its_column_has_is_none(value, kind):
    assert not is_placeholder(value, GONE, {"type": kind})
