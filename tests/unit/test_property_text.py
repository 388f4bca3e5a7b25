"""Texts that tables remember as properties, whatever names stand in them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbt_debezium_spark.property_text import pack, unpack

# Spark's own patterns, of `spark.redaction.regex` and `spark.sql.redaction.options.regex`
HIDDEN = re.compile(r"(?i)secret|password|token|access[.]?key|url")


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_a_packed_text_is_told_again_and_has_no_words(text: str) -> None:
    packed = pack(text)

    assert unpack(packed) == text
    assert re.fullmatch("z:[0-9a-f]+", packed)


@pytest.mark.parametrize("name", ["password", "API_TOKEN", "image_url", "client.secret"])
def test_names_that_spark_hides_do_not_show(name: str) -> None:
    assert HIDDEN.search(name) and not HIDDEN.search(pack(f'{{"columns":{{"{name}":"1"}}}}'))


def test_what_was_never_packed_is_the_text_itself() -> None:
    assert unpack('{"version":4}') == '{"version":4}'


@pytest.mark.parametrize("text", [None, "*********(redacted)", "z:0", "z:00ff", "z:zz"])
def test_of_what_is_hidden_or_damaged_nothing_is_known(text: str | None) -> None:
    assert unpack(text) is None
