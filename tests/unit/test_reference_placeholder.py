from __future__ import annotations

import json

import pytest

from reference.placeholder import is_placeholder
from tests.support.examples import messages

TEXT = "__debezium_unavailable_value"
BASE64 = "X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ=="
CODES = list(TEXT.encode())
UUID = "b68a35a7-17ad-35b3-af2a-ae46edb4545a"
STRINGS = {"type": "array", "items": {"type": "string"}}
UUIDS = {"type": "array", "items": {"type": "string", "semantic": "io.debezium.data.Uuid"}}


@pytest.mark.parametrize(
    ("value", "column"),
    [
        (TEXT, {"type": "string"}),
        (TEXT, {"type": "string", "semantic": "io.debezium.data.Json"}),
        (BASE64, {"type": "bytes"}),
        ([TEXT], STRINGS),
        ([BASE64], {"type": "array", "items": {"type": "bytes"}}),
        (CODES, {"type": "array", "items": {"type": "int32"}}),
        (CODES, {"type": "array", "items": {"type": "int64"}}),
        ([UUID], UUIDS),
        ([TEXT], UUIDS),
        ({TEXT: TEXT}, {"type": "map"}),
        (json.dumps({TEXT: TEXT}), {"type": "string", "semantic": "io.debezium.data.Json"}),
    ],
)
def test_every_form_is_recognised_in_a_column_of_its_type(value, column):
    assert is_placeholder(value, TEXT, column)


@pytest.mark.parametrize(
    ("value", "column"),
    [
        (None, {"type": "string"}),
        (f"x{TEXT}", {"type": "string"}),
        (BASE64, {"type": "string"}),
        (TEXT, {"type": "bytes"}),
        ([TEXT, TEXT], STRINGS),
        ([], STRINGS),
        ([UUID], STRINGS),
        (CODES[:-1], {"type": "array", "items": {"type": "int32"}}),
        ({TEXT: "x"}, {"type": "map"}),
        (0, {"type": "int32"}),
    ],
)
def test_what_only_looks_like_a_placeholder_is_a_value(value, column):
    assert not is_placeholder(value, TEXT, column)


def test_the_configured_text_counts_and_the_default_does_not():
    assert is_placeholder("gone", "gone", {"type": "string"})
    assert not is_placeholder(TEXT, "gone", {"type": "string"})


def test_the_documented_update_lacks_every_column_but_its_key_and_title():
    value = messages("postgres_3.6_update_unavailable_toast_with_schema")[0]["value"]
    fields = value["schema"]["fields"][1]["fields"]
    after = value["payload"]["after"]
    lacking = set()
    for node in fields:
        column = {"type": node["type"], "semantic": node.get("name")}
        if "items" in node:
            column["items"] = {
                "type": node["items"]["type"],
                "semantic": node["items"].get("name"),
            }
        if is_placeholder(after[node["field"]], TEXT, column):
            lacking.add(node["field"])
        assert is_placeholder(after[node["field"]], TEXT) == (node["field"] in lacking)
    assert lacking == set(after) - {"id", "title"}
