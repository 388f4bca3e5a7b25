"""Models of histories, change feeds, transactions and the cut: only where they are wanted."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from dbt_debezium_spark.generator.transaction_models import transaction_models
from tests.support.generated_text import (
    SHOP,
    arguments_of,
    call_of,
    generate,
    path_of,
    properties_of,
    row,
    shop,
    stems,
    typed,
)

ROWS = [row(key=1, is_optional=False), typed("name", 2, {"type": "string"}), row("orders", key=1)]
FOLDER = "models/transactions/shop/"
OBSERVED = "models/observability/debezium_obs__transactions"
ODD = "o'r{{ders}}"
OF_THE_CUT = [
    "_cdc_key",
    "_cdc_source_at",
    "_cdc_from_pos",
    "_cdc_from_event_id",
    "_cdc_tx_id",
    "_cdc_unavailable",
]
OF_A_FEED = [
    "_cdc_op",
    "_cdc_pos",
    "_cdc_source_at",
    "_cdc_is_deleted",
    "_cdc_deleted_at",
    "_cdc_batch_id",
    "_cdc_landed_at",
]


def files_of(rows: Any = ROWS, sources: Any = SHOP) -> dict[str, str]:
    files, messages = generate(rows, sources)
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


def test_nothing_is_written_that_nobody_asks_for() -> None:
    for options in ({}, {"history": False}, {"history": True, **of_customers(history=False)}):
        files = files_of(ROWS[:2], shop(**options))
        assert {path.split("/")[1] for path in files} == {
            "staging", "state", "current", "observability"
        }  # fmt: skip
        assert OBSERVED + ".sql" not in files


# -- histories ------------------------------------------------------------------------------------


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


# -- change feeds ---------------------------------------------------------------------------------


def test_a_table_with_the_option_gets_a_feed() -> None:
    files = files_of(ROWS, shop(feed=True, tables={"public.orders": {"feed": False}}))

    assert stems(files, "feed") == {"all_shop__customers"}
    assert call_of(files, "all_shop__customers") == {
        "source": "shop",
        "table": "public.customers",
        "state": "state_shop__customers",
    }
    assert columns_of(files, "all_shop__customers") == ["_cdc_key", "id", "name", *OF_A_FEED]


@pytest.mark.parametrize("option", ["feed", "history"])
def test_a_table_without_a_key_gets_none(option: str) -> None:
    files, _ = generate([row()], shop(**{option: True}))
    assert stems(files, option) == set()


@pytest.mark.parametrize("folder", ["feed", "asof"])
def test_a_strange_table_name_is_text_in_its_view(folder: str) -> None:
    files = files_of([row(ODD, key=1)], with_transactions(history=True, feed=True))
    (model,) = stems(files, folder)
    assert arguments_of(files[f"models/{folder}/shop/{model}.sql"])["table"] == f"public.{ODD}"
    (history,) = arguments_of(files[FOLDER + "cut_shop.sql"])["histories"]
    assert history["table"] == f"public.{ODD}"


# -- transactions and the cut ---------------------------------------------------------------------


def test_a_source_with_transactions_gets_their_models() -> None:
    files = files_of(ROWS, with_transactions(transaction_max_age_seconds=60))

    assert stems(files, "transactions") == {"transactions_shop", "cut_shop"}
    arguments = arguments_of(files[FOLDER + "transactions_shop.sql"])
    assert (arguments["source"], arguments["raw"]) == ("shop", "raw_shop")
    assert [
        (one["table"], one["relation"], one["origins"][0]["table"]) for one in arguments["stagings"]
    ] == [
        ("public.customers", "stg_shop__customers", "customers"),
        ("public.orders", "stg_shop__orders", "orders"),
    ]
    assert arguments_of(files[FOLDER + "cut_shop.sql"]) == {
        "source": "shop",
        "transactions": "transactions_shop",
        "after": ["state_shop__customers", "state_shop__orders"],
    }
    assert arguments_of(files[OBSERVED + ".sql"])["transactions"] == [
        {"source": "shop", "relation": "transactions_shop", "max_age": 60}
    ]
    (model,) = yaml.safe_load(files[OBSERVED + ".yml"])["models"]
    reported = model["data_tests"][0]["debezium_spark.reports_nothing"]["arguments"]
    assert reported == {"condition": "is_overdue"}
    for name in ("transactions_shop", "cut_shop"):
        key, *columns = properties_of(files, name)["columns"]
        assert key["name"] == "_cdc_key" and key["data_tests"]
        assert all(column.get("description") for column in columns)


def test_each_table_with_a_history_is_read_as_of_the_cut() -> None:
    files = files_of(ROWS, with_transactions(history=True))

    assert stems(files, "asof") == {"asof_shop__customers", "asof_shop__orders"}
    assert call_of(files, "asof_shop__customers") == {
        "source": "shop",
        "table": "public.customers",
        "history": "hist_shop__customers",
        "cut": "cut_shop",
        "key": ["id"],
    }
    assert columns_of(files, "asof_shop__customers") == ["id", "name", *OF_THE_CUT]


def test_the_cut_is_written_behind_the_histories_and_knows_them() -> None:
    without = {"tables": {"public.orders": {"history": False}}}
    files = files_of(ROWS, with_transactions(history=True, **without))

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
    files = files_of(ROWS, with_transactions())
    assert stems(files, "asof") == set()
    assert "histories" not in arguments_of(files[FOLDER + "cut_shop.sql"])
    files = files_of(ROWS, shop(history=True))
    assert stems(files, "asof") == set() and stems(files, "history")


def test_a_connector_without_a_cut_gets_the_reason() -> None:
    files, messages = generate(ROWS, with_transactions("oracle", history=True))

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
    files = files_of(ROWS, with_transactions(**of_customers(history=options)))
    assert columns_of(files, "asof_shop__customers") == [*shown, *OF_THE_CUT]


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
