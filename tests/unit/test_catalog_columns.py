"""Rows of the catalog: what each column of a version is."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dbt_debezium_spark.generator.source_properties import source_properties
from tests.support.evidence_rows import Evidence, change, column, events, node, statement
from tests.support.macros import macros_of

PROPAGATED = "__debezium.source.column."


def row_of(columns: list[Any], *names: str, **options: Any) -> tuple[Any, ...]:
    (row,) = Evidence(events(columns), **options).columns(*names)
    return row


@pytest.mark.parametrize(
    ("macro", "model"), [("_versions_type", "columns"), ("_disagreements_type", "disagreements")]
)
def test_the_rows_have_the_documented_columns_and_types(macro: str, model: str) -> None:
    macros = macros_of("sqlserver", {})
    types = dict(re.findall(r"(\w+): ([\w<>, ]+?),?\n", str(getattr(macros, macro)())))
    types.pop("columns", None)
    (properties,) = [
        one for one in source_properties("s")["catalog"] if one.name == f"catalog_s__{model}"
    ]
    documented = {one.name: one.data_type.strip('"') for one in properties.columns}

    assert {name: kind.replace(", ", ",") for name, kind in types.items()} == documented
    evidence = Evidence(events(["a"]), statement(change("CREATE", ["b"])))
    made = evidence.column_rows() if model == "columns" else evidence.disagreement_rows()
    assert made
    assert {frozenset(row) for row in made} == {frozenset(types)}
    if model == "columns":
        sql = str(macros.catalog_columns(source="s", schemas="x"))
        assert re.findall(r"^    (?:merged|field)\.(\w+)", sql, re.MULTILINE) == [*documented]


def test_a_schema_is_shown_as_it_was_written() -> None:
    written = node("x", "double", default=1.5, parameters={"a": "1"}, name="some.Name")
    names = ("schema_json", "connect_type", "semantic_type", "parameters", "default_value")

    assert row_of([written], *names) == (
        '{"type":"double","optional":true,"default":1.5,"parameters":{"a":"1"},"name":"some.Name",'
        '"field":"x"}',
        "double",
        "some.Name",
        {"a": "1"},
        "1.5",
    )


@pytest.mark.parametrize(
    ("parameters", "shown"),
    [
        ({"type": "VARCHAR", "length": "9"}, "varchar(9)"),
        ({"type": "NUMBER", "length": "9", "scale": "2"}, "number(9,2)"),
        ({"type": "INT4"}, "int4"),
        ({"length": "9"}, None),
    ],
)
def test_the_connector_can_propagate_the_type(parameters: dict[str, str], shown: str) -> None:
    described = {f"{PROPAGATED}{name}": text for name, text in parameters.items()}

    assert row_of([node("x", parameters=described)], "database_type") == (shown,)


def test_comments_are_trimmed_and_empty_ones_are_none() -> None:
    described = {f"{PROPAGATED}comment": "  of the row  "}

    assert row_of([node("x", parameters=described)], "comment") == ("of the row",)
    assert row_of([node("x", parameters={f"{PROPAGATED}comment": " "})], "comment") == (None,)


def test_labels_are_kept_of_all_versions() -> None:
    def enum(allowed: str) -> Any:
        return node("k", name="io.debezium.data.Enum", parameters={"allowed": allowed})

    rows = [events([enum("a,b")], at=1), events([enum("b,c")], at=2)]
    assert Evidence(*rows).columns("version", "enum_lists") == [
        (1, ["a,b", "b,c"]),
        (2, ["a,b", "b,c"]),
    ]


def test_columns_stand_as_defined_and_unknown_ones_behind_them() -> None:
    defined = statement(change("CREATE", [column("b", 1), column("a", 2)]), at=1)
    rows = Evidence(defined, events(["x", "a", "b"], at=2)).columns(
        "column_name", "ordinal_position"
    )

    assert rows == [("x", 3), ("a", 2), ("b", 1)]


def test_the_comment_of_a_table_is_that_of_the_last_definition() -> None:
    first, second = change("CREATE", ["a"]), change("ALTER", ["a"])
    first["table"]["comment"], second["table"]["comment"] = "old", " new "
    rows = Evidence(statement(first, at=1), statement(second, at=2)).columns("table_comment")

    assert rows == [("new",)]
