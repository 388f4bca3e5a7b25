"""Views as of the cut: for tables with a history, where there can be a cut."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from dbt_debezium_spark.adapter_parts.sources import load_source
from dbt_debezium_spark.generator.transaction_models import transaction_models
from dbt_debezium_spark.table_columns import table_columns
from tests.unit.test_generator_macros import SHOP, arguments_of, generate, row, stems

ROWS = [row(key=1), row(column="name", position=2), row("orders", key=1)]
FOLDER = "models/transactions/shop/"
ADDED = [
    "_cdc_key",
    "_cdc_source_at",
    "_cdc_from_pos",
    "_cdc_from_event_id",
    "_cdc_tx_id",
    "_cdc_unavailable",
]


def source(connector: str = "postgresql", **options: Any) -> dict[str, Any]:
    return {
        "shop": {
            **SHOP["shop"],
            "connector": connector,
            "provide_transaction_metadata": True,
            **options,
        }
    }


def columns_of(files: dict[str, str], table: str) -> list[str]:
    (model,) = yaml.safe_load(files[f"models/asof/shop/asof_shop__{table}.yml"])["models"]
    assert all(column.get("data_type") for column in model["columns"])
    return [column["name"] for column in model["columns"]]


def test_each_table_with_a_history_is_read_as_of_the_cut() -> None:
    files, messages = generate(ROWS, source(history=True))

    assert messages == []
    assert stems(files, "asof") == {"asof_shop__customers", "asof_shop__orders"}
    assert arguments_of(files["models/asof/shop/asof_shop__customers.sql"]) == {
        "source": "shop",
        "table": "public.customers",
        "history": "hist_shop__customers",
        "cut": "cut_shop",
        "key": ["id"],
    }
    assert columns_of(files, "customers") == ["id", "name", *ADDED]


def test_the_cut_is_written_behind_the_histories_and_knows_them() -> None:
    files, _ = generate(ROWS, source(history=True, tables={"public.orders": {"history": False}}))

    assert stems(files, "asof") == {"asof_shop__customers"}
    arguments = arguments_of(files[FOLDER + "cut_shop.sql"])
    assert arguments["after"] == [
        "state_shop__customers",
        "state_shop__orders",
        "hist_shop__customers",
    ]
    assert arguments["histories"] == [
        {"table": "public.customers", "relation": "versions_shop__customers"}
    ]


def test_without_transactions_or_history_there_is_no_view() -> None:
    files, _ = generate(ROWS, source())
    assert stems(files, "asof") == set()
    assert "histories" not in arguments_of(files[FOLDER + "cut_shop.sql"])
    files, _ = generate(ROWS, {"shop": {**SHOP["shop"], "history": True}})
    assert stems(files, "asof") == set() and stems(files, "history")


def test_a_connector_without_a_cut_gets_the_reason() -> None:
    files, messages = generate(ROWS, source("oracle", history=True))

    assert stems(files, "asof") == set()
    ((kind, text),) = [one for one in messages if "asof_" in one[1]]
    assert kind == "note" and "LogMiner do not show the order of commits" in text


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ({"ignore": ["name"]}, ["id"]),
        ({"track": ["name"]}, ["id", "name"]),
        ({"track": ["id"]}, ["id"]),
    ],
)
def test_columns_that_make_no_versions_are_left_out(
    options: dict[str, Any], shown: list[str]
) -> None:
    tables = {"public.customers": {"history": options}}
    files, _ = generate(ROWS, source(tables=tables))
    assert columns_of(files, "customers") == [*shown, *ADDED]


def test_a_strange_table_name_is_text_in_its_view() -> None:
    name = "o'r{{ders}}"
    files, _ = generate([row(name, key=1)], source(history=True))
    (path,) = [path for path in files if path.startswith("models/asof/") and path[-4:] == ".sql"]
    assert arguments_of(files[path])["table"] == f"public.{name}"
    (history,) = arguments_of(files[FOLDER + "cut_shop.sql"])["histories"]
    assert history["table"] == f"public.{name}"


def test_a_history_has_the_columns_of_its_versions() -> None:
    files, _ = generate(ROWS, source(history=True))
    nodes = {
        path: {"resource_type": "model", "name": stem, "alias": stem, "raw_code": text}
        for path, text in files.items()
        if path.endswith(".sql") and (stem := path.split("/")[-1].removesuffix(".sql"))
    }
    variables = {"debezium_sources": source(history=True)}
    found = table_columns(nodes, "hist_shop__customers", variables.get, load_source)
    assert found == ["id", "name"]


def test_a_refused_table_whose_models_stay_is_waited_for() -> None:
    kept = {
        "source": "shop",
        "table": "public.log",
        "model": "log",
        "paths": ["models/history/shop/versions_shop__log.sql"],
    }
    without = {**kept, "table": "public.old", "model": "old", "paths": ["stg_shop__old.sql"]}
    config = {"name": "shop", "connector": "postgresql"}

    found = transaction_models(config, [], [kept, without])

    assert [one for one in found.after if "hist_" in one] == ["ref('hist_shop__log'),"]
    assert len(found.histories) == 1 and "versions_shop__log" in found.histories[0]
    assert list(found.rows_at_cut) == []  # its file stays, too

    documents = transaction_models({"name": "shop", "connector": "mongodb"}, [], [kept])
    assert list(documents.histories) == []
