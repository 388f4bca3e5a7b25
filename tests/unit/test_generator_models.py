"""The models that `generate` writes: only those that are wanted, and what they pass to macros."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.decode.record_schema import column_of
from dbt_debezium_spark.generator.table_columns import table_columns
from dbt_debezium_spark.generator.transaction_models import transaction_models
from tests.support.generated_text import (
    SHOP,
    arguments_of,
    call_of,
    evidence_of,
    generate,
    nodes_of,
    path_of,
    properties_of,
    row,
    shop,
    stems,
    typed,
)
from tests.support.macros import Macros
from tests.support.said import rows_of

ID = row(key=1, is_optional=False)
ROWS = [ID, typed("name", 2, {"type": "string"}), row("orders", key=1)]
CUT = "models/transactions/shop/cut_shop.sql"
TRANSACTIONS = "models/transactions/shop/transactions_shop.sql"
OBSERVED = "models/observability/debezium_obs__transactions"
ODD = "o'r{{ders}}"


def files_of(rows: Any = ROWS, sources: Any = SHOP, **more: Any) -> dict[str, str]:
    files, messages = generate(rows, sources, **more)
    assert messages == []
    return files


def of_customers(**options: Any) -> dict[str, Any]:
    return {"tables": {"public.customers": options}}


def with_transactions(connector: str = "postgresql", **options: Any) -> dict[str, Any]:
    return shop(connector=connector, provide_transaction_metadata=True, **options)


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
    assert table_columns(nodes, f"{model}_shop__customers", variable) == columns


# -- what is written of what is seen --------------------------------------------------------------


@pytest.mark.covers("trap 7", "trap 63", "case null-in-key-member")
@pytest.mark.parametrize(("seen", "written"), rows_of(__file__, "generated_models.txt"))
def test_what_is_written_of_what_is_seen(seen: str, written: str) -> None:
    files, messages = generate(**evidence_of(seen, ROWS))

    assert "problem" not in [kind for kind, _ in messages]
    expected = yaml.safe_load(f"{{{written}}}")
    for model, arguments in expected.pop("calls", {}).items():
        found = arguments_of(files[model if "/" in model else path_of(model)])
        assert {name: found.get(name) for name in arguments} == arguments
    for model, columns in expected.pop("columns", {}).items():
        found = properties_of(files, model)["columns"]
        assert [one["name"] for one in found if one.get("data_type")] == columns
        assert len(found) == len(columns)
    for folder, models in expected.pop("models", {}).items():
        assert stems(files, folder) == set(models)
    if "tests" in expected:
        columns = properties_of(files, "cur_shop__customers")["columns"]
        found = {one["name"]: one.get("data_tests") for one in columns}
        assert expected.pop("tests").items() <= found.items()
    if "tables" in expected:
        models = stems(files, "staging")
        found = {one.removeprefix("stg_shop__"): call_of(files, one)["table"] for one in models}
        assert found == expected.pop("tables")
    assert not expected


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


def test_by_default_all_is_written_of_all_sources():
    models = [{"name": f"catalog_shop__{one}"} for one in ("columns", "schemas")]
    evidence = ("catalog_row", "recorded_schema")
    macros = Macros(SHOP, {one: [] for one in evidence}, models)
    assert macros.generate() == macros.generate(source="shop", part="all")
