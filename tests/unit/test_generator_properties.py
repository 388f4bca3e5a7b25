"""Properties of models as data: columns, tests, unit tests."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.generator.added_columns import added_columns, added_type
from dbt_debezium_spark.generator.data_tests import DataTest, TableFacts, column_tests, model_tests
from dbt_debezium_spark.generator.properties import table_properties
from dbt_debezium_spark.generator.source_properties import source_properties
from dbt_debezium_spark.generator.unit_tests import example_values, unit_test
from tests.support.macros import Macros
from tests.unit.test_generator_macros import SHOP

CONFIG = Macros(SHOP).source_config("shop")
FOLD = {"topic": "string", "mark": "string", "incarnation": "int"}
FACTS: TableFacts = {"has_before": False, "always_has_before": False}


def table(*names: str, key: tuple[str, ...] = (), **changes: Any) -> dict[str, Any]:
    return {
        "name": "public.t",
        "model": "t",
        "evidence": "embedded_schema",
        "key": [{"name": name} for name in key],
        "decoded": [{"name": name, "data_type": "int", "of": None} for name in names],
        "described": {name: {"schema_json": '{"type":"int32"}'} for name in names},
        **changes,
    }


def test_a_column_has_the_tests_that_the_catalog_proves() -> None:
    keyed = table("id", "v", key=("id",))
    keyed["described"]["v"]["is_never_null"] = True
    tests = [column_tests(CONFIG, keyed, FACTS, column) for column in keyed["decoded"]]
    assert tests == [[DataTest("not_null"), DataTest("unique")], [DataTest("not_null")]]


def test_a_column_whose_name_dbt_would_read_is_tested_by_its_model() -> None:
    odd = table("{{ x }}", key=("{{ x }}",))
    columns = {"columns": ["{{ x }}"]}
    assert model_tests(CONFIG, odd, FACTS) == [
        DataTest("debezium_spark.never_null", columns),
        DataTest("debezium_spark.unique_key", columns),
    ]
    (column,) = table_properties(CONFIG, odd, FACTS, FOLD)["cur"].columns[:1]
    assert column.tests == () and column.is_quoted


def test_texts_of_strangers_arrive_as_yaml_scalars() -> None:
    odd = table('a"\n{{ b }}', comment="<b>\n{{ c }}", ended_by="renamed to {{ d }}")
    properties = table_properties(CONFIG, odd, FACTS, FOLD)["cur"]
    assert properties.columns[0].name.startswith('"{{ ')
    for text in (properties.description, str(properties.ended_by)):
        assert not set(text) & set("{}<>\n")


def test_a_key_column_that_is_no_column_of_the_table_is_not_tested() -> None:
    assert model_tests(CONFIG, table("id", key=("id", "k")), FACTS) == []


def test_a_model_of_a_table_without_a_key_counts_and_keeps_the_row_before() -> None:
    facts: TableFacts = {"has_before": True, "always_has_before": False}
    found = table_properties(CONFIG, table("v"), facts, FOLD)
    names = {layer: [one.name for one in properties.columns] for layer, properties in found.items()}
    assert names["stg"][:3] == ["v", "_cdc_before", "_cdc_op"]
    assert names["state"][:2] == ["_cdc_key", "v"] and "_cdc_count" in names["state"]
    assert names["cur"] == ["v", "_cdc_op", "_cdc_pos", "_cdc_source_at"]
    assert "which has no key" in found["state"].description


@pytest.mark.parametrize("layer", ["stg", "state", "cur"])
def test_every_added_column_has_a_type(layer: str) -> None:
    members = Macros(SHOP).fold_members()
    for is_collection in (True, False):
        names = added_columns(
            layer, members, is_collection=is_collection, has_key=False, has_before=True
        )
        assert len(set(names)) == len(names)
        assert all(added_type(name, members) for name in names)


def test_what_a_document_has_no_use_for_is_not_staged() -> None:
    names = added_columns("stg", FOLD, is_collection=True, has_key=True, has_before=False)
    assert not {"_cdc_stream_pos", "_cdc_old_key", "_cdc_unavailable", "_cdc_unmapped"} & set(names)


def test_the_models_of_a_source_are_described_in_two_files() -> None:
    found = source_properties("shop", FOLD)
    assert [one.name for one in found["raw"]] == ["raw_shop"]
    assert [one.name.removeprefix("catalog_shop__") for one in found["catalog"]] == [
        "columns",
        "disagreements",
        "schemas",
    ]


@pytest.mark.parametrize(
    ("data_type", "expected"),
    [
        ("decimal(10,2)", ("1", "2")),
        ("decimal(2,2)", ("0.1", "0.2")),
        ("timestamp_ntz", ("2026-01-01", "2026-01-02")),
        ("binary", None),
        ("array<string>", None),
    ],
)
def test_values_that_dbt_can_compare_are_expected(
    data_type: str, expected: tuple[str, str] | None
) -> None:
    assert example_values(data_type) == expected


def test_a_table_with_a_name_that_is_not_plain_has_no_unit_tests() -> None:
    assert unit_test("cur", "shop", table("id", "a`b", key=("id",))) is None
    assert unit_test("stg", "shop", table("id", key=("id",))) is None
    assert unit_test("state", "shop", table("id")) is None


def test_a_content_that_is_there_twice_shows_twice() -> None:
    found = unit_test("cur", "shop", table("v"))
    assert found is not None
    assert found.expected == [[("_cdc_op", '"u"'), ("v", '"2"')]] * 2
    assert found.given_of == "state_shop__t" and not found.overrides_rules
