"""The models that `generate` writes: only those that are wanted, and what they pass to macros."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.adapter_parts.sources import load_source
from dbt_debezium_spark.generator.column_of import column_of
from dbt_debezium_spark.generator.transaction_models import transaction_models
from dbt_debezium_spark.table_columns import table_columns
from tests.support.generated_text import (
    SHOP,
    arguments_of,
    call_of,
    generate,
    nodes_of,
    path_of,
    properties_of,
    row,
    shop,
    stems,
    topic_row,
    typed,
)
from tests.support.macros import Macros

ID = row(key=1, is_optional=False)
ROWS = [ID, typed("name", 2, {"type": "string"}), row("orders", key=1)]
CUT = "models/transactions/shop/cut_shop.sql"
TRANSACTIONS = "models/transactions/shop/transactions_shop.sql"
OBSERVED = "models/observability/debezium_obs__transactions"
ODD = "o'r{{ders}}"
OF_THE_CUT = [
    *("_cdc_key", "_cdc_source_at", "_cdc_from_pos", "_cdc_from_event_id", "_cdc_tx_id"),
    "_cdc_unavailable",
]
OF_A_FEED = [
    *("_cdc_op", "_cdc_pos", "_cdc_source_at", "_cdc_is_deleted", "_cdc_deleted_at"),
    *("_cdc_batch_id", "_cdc_landed_at"),
]


def files_of(rows: Any = ROWS, sources: Any = SHOP, **more: Any) -> dict[str, str]:
    files, messages = generate(rows, sources, **more)
    assert messages == []
    return files


def of_customers(**options: Any) -> dict[str, Any]:
    return {"tables": {"public.customers": options}}


def with_transactions(connector: str = "postgresql", **options: Any) -> dict[str, Any]:
    return shop(connector=connector, provide_transaction_metadata=True, **options)


def columns_of(files: dict[str, str], model: str) -> list[str]:
    """Return the columns of a model, all of which have a type."""
    columns = properties_of(files, model)["columns"]
    assert all(column.get("data_type") for column in columns)
    return [column["name"] for column in columns]


# -- columns --------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("rows", "options", "model", "columns"),
    [
        (ROWS[:2], {"history": True}, "hist", ["id", "name"]),
        # a column of unknown encoding is left out
        ([ID, row(column="place", position=2, connect_type=None)], {}, "stg", ["id"]),
    ],
)
def test_macros_find_the_columns_of_a_model(rows, options, model, columns):
    nodes = nodes_of(generate(rows, shop(**options))[0])
    variable = {"debezium_sources": SHOP}.get
    assert table_columns(nodes, f"{model}_shop__customers", variable, load_source) == columns


# -- what is passed -------------------------------------------------------------------------------

KEYED = [
    row(key=2, is_optional=False),
    row(column="part", position=2, key=1),
    row(column="k", position=None, key=3),
]
ITEMS = {"name": "pg", "db": "db", "schema": "public", "table": "items"}
INCLUDED = [{"table": "items_p*"}, {"schema": "archive", "name": "old"}]
ORDERS_WITHOUT = {"public.orders": {"history": False}}
# rows, source, model => the arguments of its macro that are told; those that are None it has not
CALLS: dict[str, tuple[Any, Any, str, dict[str, Any]]] = {
    "a key has its own order and no nulls; a field that only keys have is no column": (
        KEYED, SHOP, "stg_shop__customers", {
            "key": [{"name": name, "type": "int32"} for name in ("part", "id", "k")],
            "columns": [
                {"name": "id", "type": "int32", "optional": False},
                {"name": "part", "type": "int32"},
            ],
        },
    ),
    "a state has the names of the key": (
        KEYED, SHOP, "state_shop__customers", {"key": ["part", "id", "k"]},
    ),
    "current rows have one": (KEYED, SHOP, "cur_shop__customers", {"keyless": None}),
    "what a table includes": (
        [row("items", key=1, topic_prefix="pg")],
        shop(tables={"public.items": {"includes": INCLUDED}}), "stg_shop__items",
        {"origins": [ITEMS, *({**ITEMS, **one} for one in INCLUDED)]},
    ),
    "a feed": (
        ROWS, shop(feed=True), "all_shop__customers",
        {"source": "shop", "table": "public.customers", "state": "state_shop__customers"},
    ),
    "a history as of the cut": (
        ROWS, with_transactions(history=True), "asof_shop__customers", {
            "source": "shop", "table": "public.customers", "history": "hist_shop__customers",
            "cut": "cut_shop", "key": ["id"],
        },
    ),
    "the cut of a source without histories": (
        ROWS, with_transactions(), CUT, {
            "source": "shop", "transactions": "transactions_shop", "histories": None,
            "after": ["state_shop__customers", "state_shop__orders"],
        },
    ),
    "it is written behind the histories and knows them": (
        ROWS, with_transactions(history=True, tables=ORDERS_WITHOUT), CUT, {
            "after": ["state_shop__customers", "state_shop__orders", "hist_shop__customers"],
            "histories": [{"table": "public.customers", "relation": "versions_shop__customers"}],
        },
    ),
    "what transactions are observed": (
        ROWS, with_transactions(transaction_max_age_seconds=60), f"{OBSERVED}.sql",
        {"transactions": [{"source": "shop", "relation": "transactions_shop", "max_age": 60}]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CALLS)
def test_a_model_passes_to_its_macro(case: str) -> None:
    rows, sources, model, expected = CALLS[case]
    files = files_of(rows, sources)

    found = arguments_of(files[model if "/" in model else path_of(model)])
    assert {name: found.get(name) for name in expected} == expected


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
    files, _ = generate(rows, shop(**of_customers(**tables)), topics=topics)

    assert call_of(files, "stg_shop__customers").get("former_keys") == expected


@pytest.mark.covers("trap 7")
def test_a_topic_of_two_tables_is_split_by_the_source_block():
    shared = [row(table=one, key=1, topics=["pg.all"]) for one in "ab"]
    files, _ = generate([*shared, row(table="c", key=1)])

    split = {one: call_of(files, one).get("shared_topic", False) for one in stems(files, "staging")}
    assert split == {"stg_shop__a": True, "stg_shop__b": True, "stg_shop__c": False}


@pytest.mark.parametrize("folder", ["feed", "asof"])
def test_a_strange_table_name_is_text_in_its_view(folder: str) -> None:
    files = files_of([row(ODD, key=1)], with_transactions(history=True, feed=True))
    (model,) = stems(files, folder)
    assert arguments_of(files[f"models/{folder}/shop/{model}.sql"])["table"] == f"public.{ODD}"
    (history,) = arguments_of(files[CUT])["histories"]
    assert history["table"] == f"public.{ODD}"


# -- what is written beside them ------------------------------------------------------------------


def test_nothing_is_written_that_nobody_asks_for() -> None:
    for options in ({}, {"history": False}, {"history": True, **of_customers(history=False)}):
        files = files_of(ROWS[:2], shop(**options))
        assert {path.split("/")[1] for path in files} == {
            "staging", "state", "current", "observability"
        }  # fmt: skip
        assert OBSERVED + ".sql" not in files


@pytest.mark.parametrize(
    ("sources", "folder", "expected"),
    [
        (
            shop(feed=True, tables={"public.orders": {"feed": False}}), "feed",
            ["all_shop__customers"],
        ),
        (with_transactions(), "transactions", ["transactions_shop", "cut_shop"]),
        (with_transactions(), "asof", []),
        (shop(history=True), "asof", []),
        (with_transactions(history=True), "asof", ["asof_shop__customers", "asof_shop__orders"]),
        (
            with_transactions(history=True, tables=ORDERS_WITHOUT), "asof",
            ["asof_shop__customers"],
        ),
    ],
)  # fmt: skip
def test_models_are_written_of_tables_that_ask_for_them(sources, folder, expected):
    assert stems(files_of(ROWS, sources), folder) == set(expected)


@pytest.mark.parametrize("options", [{"history": True}, of_customers(history=True)])
def test_a_table_with_a_history_gets_two_more_models(options: dict[str, Any]) -> None:
    files = files_of(ROWS[:2], shop(**options))
    added = {path: text for path, text in files.items() if "/history/" in path}
    assert {*added} == {
        path_of(f"{layer}_shop__customers", suffix)
        for layer in ("hist", "versions")
        for suffix in ("sql", "yml")
    }
    versions = added["models/history/shop/versions_shop__customers.sql"]
    assert "debezium_versions" in versions and "key=['id']" in versions
    shown = added["models/history/shop/hist_shop__customers.sql"]
    assert "versions=ref('versions_shop__customers')" in shown
    # the other models are the same
    assert {path: text for path, text in files.items() if path not in added} == files_of(ROWS[:2])


@pytest.mark.parametrize("option", ["feed", "history"])
def test_a_table_without_a_key_gets_none(option: str) -> None:
    files, _ = generate([row()], shop(**{option: True}))
    assert stems(files, option) == set()


def test_every_column_of_a_history_is_described_and_tested() -> None:
    files = files_of(ROWS[:2], shop(history={"deleted_rows": True, "names": "dbt"}))
    model = properties_of(files, "hist_shop__customers")
    columns = {column["name"]: column for column in model["columns"]}
    assert [*columns][:3] == ["id", "name", "_cdc_key"]
    assert {"dbt_valid_from", "dbt_valid_to", "dbt_scd_id", "dbt_updated_at"} < {*columns}
    assert [*columns][-1] == "dbt_is_deleted"
    assert all("doc(" in column["description"] for column in model["columns"][2:])
    assert columns["dbt_scd_id"]["data_tests"] == ["not_null", "unique"]
    assert model["data_tests"][:2] == [
        "debezium_spark.one_current_version",
        "debezium_spark.versions_follow_each_other",
    ]
    rows = model["data_tests"][2]["debezium_spark.current_versions_are_the_rows"]
    assert rows["arguments"] == {"current": "cur_shop__customers", "columns": ["id", "name"]}


@pytest.mark.parametrize(
    ("sources", "model", "columns"),
    [
        (shop(feed=True), "all_shop__customers", ["_cdc_key", "id", "name", *OF_A_FEED]),
        *(
            (
                with_transactions(**of_customers(history=options)),
                "asof_shop__customers",
                [*shown, *OF_THE_CUT],
            )
            # columns that make no versions are left out
            for options, shown in [
                (True, ["id", "name"]),
                ({"ignore": ["name"]}, ["id"]),
                ({"track": ["name"]}, ["id", "name"]),
                ({"track": ["id"]}, ["id"]),
            ]
        ),
    ],
)
def test_a_view_has_its_columns(sources: Any, model: str, columns: list[str]) -> None:
    assert columns_of(files_of(ROWS, sources), model) == columns


def test_a_source_with_transactions_gets_their_models() -> None:
    files = files_of(ROWS, with_transactions(transaction_max_age_seconds=60))

    arguments = arguments_of(files[TRANSACTIONS])
    assert (arguments["source"], arguments["raw"]) == ("shop", "raw_shop")
    assert [
        (one["table"], one["relation"], one["origins"][0]["table"]) for one in arguments["stagings"]
    ] == [
        ("public.customers", "stg_shop__customers", "customers"),
        ("public.orders", "stg_shop__orders", "orders"),
    ]
    (model,) = yaml.safe_load(files[OBSERVED + ".yml"])["models"]
    reported = model["data_tests"][0]["debezium_spark.reports_nothing"]["arguments"]
    assert reported == {"condition": "is_overdue"}
    for name in ("transactions_shop", "cut_shop"):
        key, *columns = properties_of(files, name)["columns"]
        assert key["name"] == "_cdc_key" and key["data_tests"]
        assert all(column.get("description") for column in columns)


def test_a_connector_without_a_cut_gets_the_reason() -> None:
    files, messages = generate(ROWS, with_transactions("oracle", history=True))

    assert stems(files, "asof") == set()
    ((kind, text),) = [one for one in messages if "asof_" in one[1]]
    assert kind == "note" and "LogMiner do not show the order of commits" in text


def test_a_refused_table_whose_models_stay_is_waited_for() -> None:
    paths = ["models/history/shop/versions_shop__log.sql"]
    kept = {"source": "shop", "table": "public.log", "model": "log", "paths": paths}
    without = {**kept, "table": "public.old", "model": "old", "paths": ["stg_shop__old.sql"]}
    config = {"name": "shop", "connector": "postgresql"}

    found = transaction_models(config, [], [kept, without])

    assert [one for one in found.after if "hist_" in one] == ["ref('hist_shop__log'),"]
    assert len(found.histories) == 1 and "versions_shop__log" in found.histories[0]
    assert list(found.rows_at_cut) == []  # its file stays, too

    documents = transaction_models({"name": "shop", "connector": "mongodb"}, [], [kept])
    assert list(documents.histories) == []


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
