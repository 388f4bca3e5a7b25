"""Typed columns of documents, configured or sampled."""

from __future__ import annotations

import json

import pytest

from dbt_debezium_spark.decode.document_fields import is_type
from dbt_debezium_spark.mongodb import ejson, sampling
from dbt_debezium_spark.mongodb.fields import Field, Misfit, typed, typed_values
from tests.support.said import rows_of


@pytest.mark.parametrize(("value", "expected"), rows_of(__file__, "document_values.txt"))
def test_a_column_has_the_value_that_its_type_holds(value: str, expected: str) -> None:
    text, _, kind = value.rpartition(" as ")
    assert is_type(kind)
    if expected:
        found = typed(ejson.parse(text), kind)
        assert f"{type(found).__name__} {found}" == expected
        return
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
