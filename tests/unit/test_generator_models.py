"""The models that `generate` writes for a table: what they pass to their macros."""

from __future__ import annotations

import json

import pytest

from dbt_debezium_spark.adapter_parts.sources import load_source
from dbt_debezium_spark.generator.column_of import column_of
from dbt_debezium_spark.table_columns import table_columns
from tests.support.generated_text import (
    SHOP,
    arguments_of,
    call_of,
    generate,
    nodes_of,
    row,
    shop,
    stems,
    topic_row,
)
from tests.support.macros import Macros


def columns_of(files, model):
    return table_columns(nodes_of(files), model, {"debezium_sources": SHOP}.get, load_source)


def test_a_history_has_the_columns_of_its_versions() -> None:
    rows = [row(key=1), row(column="name", position=2)]
    files, _ = generate(rows, shop(history=True))
    assert columns_of(files, "hist_shop__customers") == ["id", "name"]


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


def test_a_column_of_unknown_encoding_is_left_out():
    files, _ = generate([row(key=1), row(column="place", position=2, connect_type=None)])
    assert columns_of(files, "stg_shop__customers") == ["id"]


# -- keys -----------------------------------------------------------------------------------------


def test_a_key_has_its_own_order_and_no_nulls() -> None:
    rows = [row(key=2, is_optional=False), row(column="part", position=2, key=1)]
    files, _ = generate([*rows, row(column="k", position=None, key=3)])

    staging = call_of(files, "stg_shop__customers")
    assert staging["key"] == [{"name": name, "type": "int32"} for name in ("part", "id", "k")]
    # a field that only keys have is no column
    assert staging["columns"] == [
        {"name": "id", "type": "int32", "optional": False},
        {"name": "part", "type": "int32"},
    ]
    assert call_of(files, "state_shop__customers")["key"] == ["part", "id", "k"]
    assert "keyless" not in call_of(files, "cur_shop__customers")


@pytest.mark.parametrize(
    ("seen", "tables", "expected"),
    [
        # each once, in their order
        ([["id"], ["a", "id"], ["id"], None, ["id", "region"]], {}, [["a", "id"], ["id"]]),
        # no columns, or one twice, which Spark finds in names of any case
        ([["if"], ["id", "ID"], ["id", "id"]], {}, None),
        # a configured key never was another
        ([["id"]], {"key": ["region", "id"]}, None),
        # a former name is the same key
        ([["id"], ["part", "code"]], {"renames": {"id": "code", "region": "part"}}, [["id"]]),
    ],
)
def test_a_key_that_records_had_before_is_a_former_one(seen, tables, expected):
    topics = [topic_row(key_fields=one, value_fields=["id", "region"]) for one in seen]
    rows = [row(key=2), row(column="region", position=2, key=1)]
    files, _ = generate(rows, shop(tables={"public.customers": tables}), topics=topics)

    assert call_of(files, "stg_shop__customers").get("former_keys") == expected


# -- topics and origins ---------------------------------------------------------------------------


@pytest.mark.covers("trap 7")
def test_a_topic_of_two_tables_is_split_by_the_source_block():
    shared = [row(table=one, key=1, topics=["pg.all"]) for one in "ab"]
    files, _ = generate([*shared, row(table="c", key=1)])

    split = {one: call_of(files, one).get("shared_topic", False) for one in stems(files, "staging")}
    assert split == {"stg_shop__a": True, "stg_shop__b": True, "stg_shop__c": False}


def test_what_a_table_includes_stands_in_its_model():
    entries = [{"table": "items_p*"}, {"schema": "archive", "name": "old"}]
    sources = shop(tables={"public.items": {"includes": entries}})
    files, _ = generate([row("items", key=1, topic_prefix="pg")], sources)

    own = {"name": "pg", "db": "db", "schema": "public", "table": "items"}
    assert call_of(files, "stg_shop__items")["origins"] == [
        own,
        {**own, "table": "items_p*"},
        {**own, "schema": "archive", "name": "old"},
    ]


# -- what is written beside them ------------------------------------------------------------------


def test_observability_remembers_the_tables_of_sources_not_generated_now():
    other = {"debezium_spark": {"source": "erp", "table": "dbo.items", "model": "items"}}
    models = [
        {"name": "stg_erp__items", "meta": other},
        {"name": "raw_erp", "meta": {"debezium_spark": {"source": "erp"}}},
    ]
    files, _ = generate([row(key=1)], models=models)

    arguments = arguments_of(files["models/observability/debezium_obs__quarantine.sql"])
    assert arguments["raws"] == [("erp", "raw_erp"), ("shop", "raw_shop")]
    assert arguments["stagings"] == [
        {"source": "erp", "table": "dbo.items", "relation": "stg_erp__items"},
        {"source": "shop", "table": "public.customers", "relation": "stg_shop__customers"},
    ]


def test_printed_text_and_events_carry_the_same_files():
    macros = Macros(SHOP)
    returned = macros.generate(source="shop", part="source", output="events")
    assert [json.loads(one.split(" ", 1)[1]) for one in macros.events] == returned

    macros.generate(source="shop", part="source")
    assert [one.split("\n", 1)[0] for one in macros.printed] == [
        f"==> {one['path']}" for one in returned
    ]
