"""The placeholder in every form in which Debezium writes it."""

from __future__ import annotations

import pytest

from dbt_debezium_spark.decode.placeholder import placeholder_forms


def test_the_default_has_the_forms_that_are_documented():
    text = "__debezium_unavailable_value"
    encoded = "X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="

    assert placeholder_forms(text) == {
        "text": text,
        "base64": encoded,
        "base64_url_safe": encoded,
        "hex": "5f5f646562657a69756d5f756e617661696c61626c655f76616c7565",
        "text_array": f'["{text}"]',
        "base64_array": f'["{encoded}"]',
        "code_array": "[" + ",".join(str(code) for code in text.encode()) + "]",
        "uuid_array": '["b68a35a7-17ad-35b3-af2a-ae46edb4545a"]',
        "hstore": f'{{"{text}":"{text}"}}',
    }


def test_texts_of_other_alphabets_are_written_as_they_are():
    forms = placeholder_forms("…")

    assert (forms["text_array"], forms["hstore"]) == ('["…"]', '{"…":"…"}')
    assert (forms["hex"], forms["code_array"]) == ("e280a6", "[226,128,166]")


def test_bytes_are_given_in_hexadecimal():
    forms = placeholder_forms("hex:fbff")

    assert (forms["base64"], forms["base64_url_safe"], forms["hex"]) == ("+/8=", "-_8=", "fbff")
    assert forms["code_array"] == "[251,255]"
    with pytest.raises(ValueError, match="hex"):
        placeholder_forms("hex:xyz")
