"""Extended JSON of both dialects in one form."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbt_debezium_spark.mongodb import ejson
from reference import document_values
from tests.support.said import rows_of


@pytest.mark.covers("support MongoDB: types")
@pytest.mark.parametrize(("dialects", "expected"), rows_of(__file__, "extended_json.txt"))
def test_the_dialects_say_the_same(dialects: str, expected: str) -> None:
    for text in dialects.split(" | "):
        assert ejson.document_text(ejson.parse(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        '{"$date":"no moment"}',
        '{"$oid":"short"}',
        '{"$numberLong":"1.5"}',
        '{"$binary":"x"}',
        '{"$set":{"a":1}}',
        '{"$regex":"a","$options":"i","more":1}',
        '{"a":1,"b":[true,null,"ü"]}',
    ],
)
def test_what_is_no_wrapper_stays_a_document(text: str) -> None:
    assert ejson.document_text(ejson.parse(text)) == ejson.document_text(json.loads(text))


def test_a_document_is_written_in_one_order_and_an_id_keeps_its_own() -> None:
    assert ejson.document_text(ejson.parse('{"b": 1, "a": {"d": 1, "c": 2}}')) == (
        '{"a":{"c":2,"d":1},"b":1}'
    )
    assert ejson.key_text('{ "b" : 1, "a" : { "$numberLong" : "2"}}') == '{"b":1,"a":2}'
    assert ejson.key_text(' no "json" ') == 'no "json"'


def test_half_a_surrogate_pair_does_no_harm() -> None:
    assert ejson.document_text(ejson.parse(r'{"a": "\ud83d"}')) == r'{"a":"\ud83d"}'


@given(st.integers(min_value=-62_135_596_800_000, max_value=253_402_300_799_999))
def test_moments_are_those_of_the_calendar(milliseconds: int) -> None:
    moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=milliseconds)
    text = ejson.moment_text(milliseconds)
    assert datetime.fromisoformat(text.replace("Z", "+00:00")) == moment
    assert ejson.moment_ms(text) == milliseconds


@given(st.integers(min_value=-(2**60), max_value=2**60))
def test_moments_of_any_year_come_back(milliseconds: int) -> None:
    if abs(milliseconds) < 10**9 * 31_000_000_000 // 1000:
        assert ejson.moment_ms(ejson.moment_text(milliseconds)) == milliseconds


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=12,
    )
)
def test_plain_values_are_those_of_the_reference(value: object) -> None:
    text = json.dumps(value)
    expected = document_values.canonical(text)
    try:
        expected.encode()
    except UnicodeEncodeError:
        return
    if "Infinity" not in expected:
        assert ejson.document_text(ejson.parse(text)) == expected
