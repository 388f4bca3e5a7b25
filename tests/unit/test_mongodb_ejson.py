"""Extended JSON of both dialects in one form."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dbt_debezium_spark.mongodb import ejson
from reference import document_values

KAFKA = '{"$binary":{"base64":"a2Fma2E=","subType":"00"}}'
# relaxed, strict => the document's text
BOTH = [
    ("1004", '{"$numberLong": "1004"}', "1004"),
    ("1.5", '{"$numberDouble": "1.5"}', "1.5"),
    ('{"$oid": "596E275826f08b2730779e1f"}', None, '{"$oid":"596e275826f08b2730779e1f"}'),
    ('{"$binary": {"base64": "a2Fma2E=", "subType": "00"}}',
     '{"$binary": "a2Fma2E=", "$type": "00"}', KAFKA),
    ('{"$binary": {"base64": "a2Fma2E=", "subType": "0"}}', None, KAFKA),
    ('{"$date": "2019-05-27T13:58:28.123Z"}', '{"$date": 1558965508123}',
     '{"$date":"2019-05-27T13:58:28.123Z"}'),
    ('{"$date": "2019-05-27T15:58:28.5+02:00"}', '{"$date": 1558965508500}',
     '{"$date":"2019-05-27T13:58:28.500Z"}'),
    ('{"$date": {"$numberLong": "-62135596800000"}}', '{"$date": -62135596800000}',
     '{"$date":"0001-01-01T00:00:00Z"}'),
    ('{"$date": {"$numberLong": "253402300800000"}}', '{"$date": 253402300800000}',
     '{"$date":"+10000-01-01T00:00:00Z"}'),
    ('{"$date": "+10000-01-01T00:00:00Z"}', None, '{"$date":"+10000-01-01T00:00:00Z"}'),
    ('{"$symbol": "s"}', None, '{"$symbol":"s"}'),
    ('{"$undefined": true}', None, '{"$undefined":true}'),
    ('{"$regularExpression": {"pattern": "^a", "options": "iz"}}',
     '{"$regex": "^a", "$options": "iz"}',
     '{"$regularExpression":{"options":"iz","pattern":"^a"}}'),
    ('{"$regularExpression": {"pattern": "^a", "options": "xi"}}',
     '{"$regex": "^a", "$options": "ix"}',
     '{"$regularExpression":{"options":"ix","pattern":"^a"}}'),
    ('{"$numberDouble": "NaN"}', "NaN", '{"$numberDouble":"NaN"}'),
    ('{"$numberDouble": "-Infinity"}', "-Infinity", '{"$numberDouble":"-Infinity"}'),
    ('{"$numberDecimal": "12.3400"}', None, '{"$numberDecimal":"12.3400"}'),
    ('{"$uuid": "14aed813-35e0-4174-97f4-ec66ce5947db"}',
     '{"$binary": "FK7YEzXgQXSX9OxmzllH2w==", "$type": "04"}',
     '{"$binary":{"base64":"FK7YEzXgQXSX9OxmzllH2w==","subType":"04"}}'),
]  # fmt: skip


@pytest.mark.covers("support MongoDB: types")
@pytest.mark.parametrize(("relaxed", "strict", "expected"), BOTH)
def test_the_dialects_say_the_same(relaxed: str, strict: str | None, expected: str) -> None:
    assert ejson.document_text(ejson.parse(relaxed)) == expected
    assert strict is None or ejson.document_text(ejson.parse(strict)) == expected


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
