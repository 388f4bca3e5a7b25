"""What a table looks like, by the rows of its catalog and by configuration."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_debezium_spark.generator.column_of import column_of
from dbt_debezium_spark.generator.configured_history import configured_history, former_keys
from dbt_debezium_spark.generator.described_table import described_table
from dbt_debezium_spark.generator.keyless import may_be_outside
from tests.support.macros import Macros
from tests.unit.test_generator_macros import SHOP, row


def described(
    rows: list[dict[str, Any]], is_multiset: bool = False, **options: Any
) -> dict[str, Any]:
    config = Macros({"shop": {**SHOP["shop"], **options}}).source_config("shop")
    return described_table(config, table(rows), is_multiset)


def table(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "name": "public.customers",
        "model": "customers",
        "origins": [],
        "rows": rows,
        "record_keys": [["id"], ["id", "region"]],
        "has_keys": False,
    }


def test_a_key_has_its_own_order_and_no_nulls() -> None:
    rows = [row(key=2, is_optional=False), row(column="a", position=2, key=1)]
    found = described(rows)
    assert found["key"] == [{"name": "a", "type": "int32"}, {"name": "id", "type": "int32"}]
    assert found["columns"][0] == {"name": "id", "type": "int32", "optional": False}
    assert [one["name"] for one in found["decoded"]] == ["id", "a"]


def test_a_field_that_only_keys_have_is_no_column() -> None:
    found = described([row(), row(column="k", position=None, key=1)])
    assert [one["name"] for one in found["columns"]] == ["id"]
    assert [one["name"] for one in found["key"]] == ["k"]


def test_a_column_of_unknown_encoding_is_left_out_with_the_option_that_declares_it() -> None:
    found = described([row(key=1), row(column="g", position=2, connect_type=None)])
    (told,) = found["messages"]
    assert told["message"] == (
        "column 'g' of table 'public.customers' has the type 'unknown', which the connector does"
        " not encode in a known way; it is left out (values that arrive are kept in"
        " _cdc_unmapped). Declare it: debezium_sources.shop.tables.public.customers.columns."
    )


def test_what_configuration_tells_of_a_column_that_is_not_there_is_of_no_effect() -> None:
    config = {
        "name": "shop",
        "tables": {"public.customers": {"added_defaults": {"x": "1"}, "renames": {"y": ["z"]}}},
    }
    columns, told = configured_history(config, table([row(key=1)]))
    assert columns == {}
    assert [one["message"].split(" has ")[0] for one in told] == [
        "debezium_sources.shop.tables.public.customers.renames.y",
        "debezium_sources.shop.tables.public.customers.added_defaults.x",
    ]


def test_former_keys_are_those_of_other_names_or_of_another_length() -> None:
    key = [{"name": "number", "formerly": ["id"]}]
    assert former_keys({"name": "shop"}, table([]), key) == [["id", "region"]]
    assert former_keys({"name": "shop"}, table([]), []) == []
    configured = {"name": "shop", "tables": {"public.customers": {"key": ["number"]}}}
    assert former_keys(configured, table([]), key) == []


@pytest.mark.parametrize("connector", ["sqlserver", "oracle", "mysql"])
def test_large_values_of_a_table_without_a_key_are_told_where_before_lacks_them(
    connector: str,
) -> None:
    rows = [row(column="note", connect_type="string")]
    messages = described(rows, is_multiset=True, connector=connector)["messages"]
    told = [one["message"] for one in messages]
    words = {
        "sqlserver": "of note that an update does not change, if they have a (max) type: updates",
        "oracle": "of note, if they are LOBs: updates",
    }
    assert [words[connector] in one for one in told] == ([] if connector == "mysql" else [True])


@pytest.mark.parametrize(
    ("of_row", "expected"),
    [
        ({"database_type": "NVARCHAR(MAX)"}, True),
        ({"database_type": "ntext"}, True),
        ({"database_type": "tinytext_like"}, False),
        ({"connect_type": "bytes", "semantic_type": "decimal"}, False),
        ({"connect_type": "bytes"}, True),
    ],
)
def test_large_values_are_told_by_their_type(of_row: dict[str, Any], expected: bool) -> None:
    assert may_be_outside(of_row) is expected


def test_a_schema_keeps_what_decodes_values() -> None:
    node = json.loads(
        '{"type":"map","field":"m","name":"s","keys":{"type":"string"},"optional":false,'
        '"values":{"type":"struct","fields":[{"field":"a","type":"int8","doc":"x"}]},'
        '"parameters":{"scale":"2","allowed":"a,b","__debezium.source":"x"}}'
    )
    assert column_of(node) == {
        "name": "m",
        "type": "map",
        "semantic": "s",
        "parameters": {"scale": "2"},
        "optional": False,
        "keys": {"type": "string"},
        "values": {"type": "struct", "fields": [{"name": "a", "type": "int8"}]},
    }
