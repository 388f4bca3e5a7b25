"""Parts of JSON texts are shown as they were written."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dbt_debezium_spark.catalog.json_texts import (
    as_boolean,
    as_int,
    as_text,
    as_texts,
    elements,
    members,
)

FAST = settings(deadline=None, derandomize=True, database=None, max_examples=30)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)
SEPARATORS = st.sampled_from([(",", ":"), (" , ", " : "), (",\n", ":\t")])


@FAST
@given(st.dictionaries(st.text(), VALUES), SEPARATORS)
def test_members_are_the_texts_of_an_object(value: dict[str, Any], separators: Any) -> None:
    text = " " + json.dumps(value, separators=separators)

    assert {name: json.loads(one) for name, one in members(text).items()} == value


@FAST
@given(st.lists(VALUES), SEPARATORS)
def test_elements_are_the_texts_of_an_array(value: list[Any], separators: Any) -> None:
    found = elements(json.dumps(value, separators=separators))

    assert found is not None
    assert [json.loads(one) for one in found] == value


def test_numbers_keep_their_form() -> None:
    assert members('{"a":1.0E10,"b":[1.50,{"c":0.10}]}') == {
        "a": "1.0E10",
        "b": '[1.50,{"c":0.10}]',
    }


@pytest.mark.parametrize("text", [None, "5", '"x"', "[1]", "null"])
def test_what_is_no_object_has_no_members(text: str | None) -> None:
    assert members(text) == {}


@pytest.mark.parametrize("text", [None, "5", '"[1]"', "{}"])
def test_what_is_no_array_has_no_elements(text: str | None) -> None:
    assert elements(text) is None
    assert as_texts(text) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, None),
        ("null", None),
        ('"null"', "null"),
        ('"\\u0041\\n"', "A\n"),
        ("true", "true"),
        ("1.50", "1.50"),
        ('{"x":1}', '{"x":1}'),
        ('"\\ud800"', "?"),
    ],
)
def test_a_value_is_shown_as_spark_shows_it(value: str | None, text: str | None) -> None:
    assert as_text(value) == text


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("12", 12),
        ("-3", -3),
        ("1.0", None),
        ('"12"', None),
        ("2147483648", None),
        (None, None),
    ],
)
def test_a_number_is_whole_and_fits(value: str | None, number: int | None) -> None:
    assert as_int(value) == number


def test_only_true_and_false_are_booleans() -> None:
    assert [as_boolean(value) for value in ("true", "false", '"true"', "1", None)] == [
        True,
        False,
        None,
        None,
        None,
    ]
