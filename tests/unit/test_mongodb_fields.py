"""Typed columns of documents, configured or sampled."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest

from dbt_debezium_spark.mongodb import ejson, sampling
from dbt_debezium_spark.mongodb.fields import Field, Misfit, is_type, typed, typed_values

HELD: list[Any] = [
    ("7", "int", 7),
    ("7.0", "bigint", 7),
    ('{"$numberLong": "9007199254740993"}', "bigint", 9007199254740993),
    ("7", "double", 7.0),
    ('{"$numberDouble": "-Infinity"}', "double", float("-inf")),
    ('"x"', "string", "x"),
    ("7", "string", "7"),
    ("true", "string", "true"),
    ('{"$oid": "596e275826f08b2730779e1f"}', "string", "596e275826f08b2730779e1f"),
    ('{"b": 1, "a": [1]}', "string", '{"a":[1],"b":1}'),
    ('"x"', "json", '"x"'),
    ('{"$date": 1558965508123}', "timestamp", datetime(2019, 5, 27, 13, 58, 28, 123000, UTC)),
    ('{"$date": "2019-05-27T00:00:00Z"}', "date", date(2019, 5, 27)),
    ('{"$binary": {"base64": "a2Fma2E=", "subType": "00"}}', "binary", b"kafka"),
    ('{"$numberDecimal": "12.3400"}', "decimal(6,2)", Decimal("12.34")),
    ('{"$numberDecimal": "1.2E+3"}', "decimal(6,2)", Decimal("1200.00")),
    ('{"$numberDecimal": "0E-6176"}', "decimal(6,2)", Decimal("0.00")),
    ("0.1", "decimal(3,2)", Decimal("0.10")),
    ("null", "int", None),
    ("null", "json", None),
]


@pytest.mark.parametrize(("text", "kind", "expected"), HELD)
def test_values_are_held(text: str, kind: str, expected: Any) -> None:
    assert is_type(kind)
    found = typed(ejson.parse(text), kind)
    assert (type(found), str(found)) == (type(expected), str(expected))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('"7"', "int"),
        ("2147483648", "int"),
        ("1.5", "bigint"),
        ("true", "int"),
        ("1", "boolean"),
        ("9007199254740993", "double"),
        ('"2019-05-27"', "timestamp"),
        ('{"$date": "2019-05-27T00:00:01Z"}', "date"),
        ('{"$date": 1e3}', "timestamp"),
        ('{"$date": 999999999999999}', "timestamp"),
        ('"a2Fma2E="', "binary"),
        ('{"$numberDecimal": "NaN"}', "decimal(6,2)"),
        ('{"$numberDecimal": "0.001"}', "decimal(6,2)"),
        ('{"$numberDecimal": "10000"}', "decimal(6,2)"),
    ],
)
def test_what_a_type_does_not_hold_is_said(text: str, kind: str) -> None:
    with pytest.raises(Misfit):
        typed(ejson.parse(text), kind)
    values, misfits = typed_values({"_id": 1, "a": ejson.parse(text)}, [Field("a", "a", kind)])
    assert (values, misfits) == ({"a": None}, ["a"])


def test_a_path_leads_into_documents_and_arrays() -> None:
    document = ejson.parse('{"address": {"city": "Oslo"}, "tags": [{"n": 1}], "d": {"$date": 0}}')
    paths = ["address.city", "tags.0.n", "tags.1.n", "address.city.x", "d.$date", "tags.n"]
    values, misfits = typed_values(document, [Field(path, path, "json") for path in paths])
    assert list(values.values()) == ['"Oslo"', "1", None, None, None, None]
    assert not misfits


@pytest.mark.parametrize("kind", ["text", "decimal", "decimal(39,0)", "decimal(2,3)", "array<int>"])
def test_other_types_are_refused(kind: str) -> None:
    assert not is_type(kind)


@pytest.mark.covers("support MongoDB: definitions from")
def test_fields_are_sampled() -> None:
    documents = [
        {"_id": 1, "name": "a", "n": 1, "x": 1, "when": {"$date": 0}, "sub": {"a": 1}, "Dup": 1},
        {"_id": 2, "name": "b", "n": {"$numberLong": "5000000000"}, "x": 1.5, "dup": 1, "no": None},
        {"_id": 3, "name": None, "mixed": 1, "dup": 2, "document": 1, "a.b": 1, "_cdc_x": 1},
        {"_id": 4, "mixed": "x", "ok": True, "oid": {"$oid": "596e275826f08b2730779e1f"}},
    ]
    found = sampling.sampled_fields([*map(json.dumps, documents), "no json", "[1]"])
    assert {one["name"]: one["type"] for one in found} == {
        "dup": "bigint",
        "mixed": "json",
        "n": "bigint",
        "name": "string",
        "no": "json",
        "oid": "string",
        "ok": "boolean",
        "sub": "json",
        "when": "timestamp",
        "x": "double",
    }
    assert found == sorted(found, key=lambda one: one["name"])


def test_the_most_frequent_fields_are_taken() -> None:
    texts = [json.dumps({"_id": 1, "always": 1, f"key_{number}": 1}) for number in range(300)]
    found = sampling.sampled_fields(texts)
    assert len(found) == sampling.MAX_FIELDS
    assert "always" in {one["name"] for one in found}
