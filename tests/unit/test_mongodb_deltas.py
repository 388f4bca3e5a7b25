"""What updates do to a document."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.mongodb import deltas

SET = [
    ("a", 1, {}, {"a": 1}),
    ("a.b.c", 1, {}, {"a": {"b": {"c": 1}}}),
    ("tags.1", "B", {"tags": ["a", "b", "c"]}, {"tags": ["a", "B", "c"]}),
    ("tags.4", "e", {"tags": ["a"]}, {"tags": ["a", None, None, None, "e"]}),
    ("tags.0", "x", {}, {"tags": {"0": "x"}}),
    ("tags.0", "x", {"tags": {"1": "y"}}, {"tags": {"0": "x", "1": "y"}}),
    ("list.0.name", "x", {"list": [{"name": "y", "k": 1}]}, {"list": [{"name": "x", "k": 1}]}),
    ("list.1.name", "x", {"list": []}, {"list": [None, {"name": "x"}]}),
    # the base is newer than the change
    ("a.b", 1, {"a": "scalar"}, {"a": {"b": 1}}),
    ("a.b", 1, {"a": {"$date": "2020-01-01T00:00:00Z"}}, {"a": {"b": 1}}),
    ("a.b", 1, {"a": [1]}, {"a": {"b": 1}}),
    ("a.99999999", 1, {"a": [1]}, {"a": {"99999999": 1}}),
]


@pytest.mark.parametrize(("path", "value", "document", "expected"), SET)
def test_set(path: str, value: Any, document: dict[str, Any], expected: dict[str, Any]) -> None:
    deltas.set_path(document, path, value)
    assert document == expected


UNSET = [
    ("a", {"a": 1, "b": 2}, {"b": 2}),
    ("a.b", {"a": {"b": 1, "c": 2}}, {"a": {"c": 2}}),
    ("a.b", {"a": 1}, {"a": 1}),
    ("a.b.c", {}, {}),
    ("tags.1", {"tags": [1, 2, 3]}, {"tags": [1, None, 3]}),
    ("tags.9", {"tags": [1]}, {"tags": [1]}),
    ("tags.name", {"tags": [1]}, {"tags": [1]}),
]


@pytest.mark.parametrize(("path", "document", "expected"), UNSET)
def test_unset(path: str, document: dict[str, Any], expected: dict[str, Any]) -> None:
    deltas.unset_path(document, path)
    assert document == expected


def test_a_description_cuts_then_sets_then_removes() -> None:
    document = {"scores": [1, 2, 3, 4], "tmp": 1, "address": {"zip": 1, "city": "Oslo"}}
    deltas.apply_description(
        {
            "truncatedArrays": [{"field": "scores", "size": 2}],
            "updatedFields": {"scores.2": 9, "address.city": "Bergen"},
            "removedFields": ["tmp", "address.zip"],
        },
        document,
    )
    assert document == {"scores": [1, 2, 9], "address": {"city": "Bergen"}}


@pytest.mark.parametrize(
    "patch",
    [{"$v": 2, "diff": {"u": {"a": 1}}}, {"$inc": {"a": 1}}, {"$set": 1}, {"$v": 2, "$set": {}}],
)
def test_an_unknown_patch_is_refused(patch: dict[str, Any]) -> None:
    with pytest.raises(deltas.UnknownChange):
        deltas.apply_patch(patch, {})


@pytest.mark.parametrize(
    "description",
    [
        {"updatedFields": 1},
        {"updatedFields": {"a": 2, "b." * 300: 1}},
        {"updatedFields": {"a": 2}, "removedFields": [5]},
        {"updatedFields": {"a": 2}, "removedFields": "b"},
        {"updatedFields": {"a": 2}, "truncatedArrays": [{"field": "b"}]},
        {"updatedFields": {"a": 2}, "truncatedArrays": [{"size": 1}]},
        {"updatedFields": {"a": 2}, "truncatedArrays": [1]},
    ],
    ids=lambda one: str(one)[:40],
)
def test_a_description_of_another_form_is_unknown_and_changes_nothing(
    description: dict[str, Any],
) -> None:
    document = {"a": 1, "b": [1, 2]}
    with pytest.raises(deltas.UnknownChange):
        deltas.apply_description(description, document)
    assert document == {"a": 1, "b": [1, 2]}


def test_a_replacement_keeps_the_id() -> None:
    assert deltas.is_replacement({"a": 1})
    assert not deltas.is_replacement({"$set": {"a": 1}})
    assert deltas.replacement({"a": 1}, 7) == {"_id": 7, "a": 1}
    assert deltas.replacement({"_id": 8}, 7) == {"_id": 8}
