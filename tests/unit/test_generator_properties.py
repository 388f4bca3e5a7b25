"""Properties of models as data: columns and tests."""

from __future__ import annotations

from typing import Any

from dbt_debezium_spark.generator.data_tests import DataTest, TableFacts, column_tests, model_tests
from dbt_debezium_spark.generator.properties import table_properties
from dbt_debezium_spark.generator.source_properties import source_properties
from tests.support.macros import Macros
from tests.unit.test_generator_macros import SHOP

CONFIG = Macros(SHOP).source_config("shop")
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
    assert tests == [[DataTest("not_null")], [DataTest("not_null")]]


def test_a_column_whose_name_dbt_would_read_is_tested_by_its_model() -> None:
    odd = table("{{ x }}", key=("{{ x }}",))
    columns = {"columns": ["{{ x }}"]}
    assert model_tests(CONFIG, odd, FACTS) == [
        DataTest("debezium_spark.never_null", columns),
    ]
    (column,) = table_properties(CONFIG, odd, FACTS)["cur"].columns[:1]
    assert column.tests == () and column.is_quoted


def test_texts_of_strangers_arrive_as_yaml_scalars() -> None:
    odd = table('a"\n{{ b }}', comment="<b>\n{{ c }}", ended_by="renamed to {{ d }}")
    properties = table_properties(CONFIG, odd, FACTS)
    assert properties["cur"].columns[0].name.startswith('"{{ ')
    for text in (properties["cur"].description, str(properties["stg"].ended_by)):
        assert not set(text) & set("{}<>\n")


def test_a_key_column_that_is_no_column_of_the_table_is_not_tested() -> None:
    assert model_tests(CONFIG, table("id", key=("id", "k")), FACTS) == []


def test_columns_are_listed_for_current_models_only() -> None:
    found = table_properties(CONFIG, table("v"), FACTS)
    names = {layer: [one.name for one in properties.columns] for layer, properties in found.items()}
    assert names == {
        "stg": [],
        "state": ["_cdc_key"],
        "cur": ["v", "_cdc_op", "_cdc_pos", "_cdc_source_at"],
    }
    assert "which has no key" in found["state"].description


def test_what_the_source_says_of_a_table_is_in_its_current_model() -> None:
    found = table_properties(CONFIG, table("v", comment="All.", ended_by="dropped"), FACTS)
    about = {layer: properties.description for layer, properties in found.items()}
    assert "All." in about["cur"] and "was dropped" in about["cur"]
    assert not any(
        "All." in about[layer] or "dropped" in about[layer] for layer in ("stg", "state")
    )
    assert [layer for layer, properties in found.items() if properties.ended_by] == ["stg"]


def test_a_description_that_would_repeat_a_name_is_left_out() -> None:
    described = table("v", "w")
    described["described"]["w"]["comment"] = "Weight."
    columns = table_properties(CONFIG, described, FACTS)["cur"].columns
    assert [one.description for one in columns[:2]] == [None, '"Weight."']


def test_the_models_of_a_source_are_described_in_two_files() -> None:
    found = source_properties("shop")
    assert [one.name for one in found["raw"]] == ["raw_shop"]
    assert [one.name.removeprefix("catalog_shop__") for one in found["catalog"]] == [
        "columns",
        "disagreements",
        "schemas",
    ]
