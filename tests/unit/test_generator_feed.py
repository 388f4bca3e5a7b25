"""Files of change feeds and of transactions: only where they are wanted."""

from __future__ import annotations

from typing import Any

import yaml

from tests.unit.test_generator_macros import SHOP, arguments_of, generate, row, stems

FEED = {"shop": {**SHOP["shop"], "feed": True}}
TRANSACTIONS = {
    "shop": {
        **SHOP["shop"],
        "provide_transaction_metadata": True,
        "transaction_max_age_seconds": 60,
    }
}


def model_of(text: str) -> dict[str, Any]:
    (model,) = yaml.safe_load(text)["models"]
    return dict(model)


def test_a_table_with_the_option_gets_a_feed() -> None:
    files, messages = generate([row(key=1), row(column="name", position=2)], FEED)

    assert messages == [] and stems(files, "feed") == {"all_shop__customers"}
    assert arguments_of(files["models/feed/shop/all_shop__customers.sql"]) == {
        "source": "shop",
        "table": "public.customers",
        "state": "state_shop__customers",
    }
    model = model_of(files["models/feed/shop/all_shop__customers.yml"])
    assert [column["name"] for column in model["columns"]] == [
        "_cdc_key",
        "id",
        "name",
        "_cdc_op",
        "_cdc_pos",
        "_cdc_source_at",
        "_cdc_is_deleted",
        "_cdc_deleted_at",
        "_cdc_batch_id",
        "_cdc_landed_at",
    ]
    assert all(column["data_type"] for column in model["columns"])


def test_no_other_table_has_one() -> None:
    tables = {"public.customers": {"feed": False}}
    files, _ = generate([row(key=1)], {"shop": {**FEED["shop"], "tables": tables}})
    assert stems(files, "feed") == set()
    files, _ = generate([row(key=1)])
    assert stems(files, "feed") == stems(files, "transactions") == set()
    assert not [path for path in files if "transactions" in path]


def test_a_table_without_a_key_is_told_to_have_none() -> None:
    files, messages = generate([row()], FEED)
    assert stems(files, "feed") == set()
    assert [kind for kind, text in messages if "has no change feed" in text] == ["note"]

    wanted = {"shop": {**SHOP["shop"], "tables": {"public.customers": {"feed": True}}}}
    _, messages = generate([row()], wanted)
    (told,) = [(kind, text) for kind, text in messages if "has no change feed" in text]
    assert told[0] == "warning"
    assert "debezium_sources.shop.tables.public.customers.key: [<column>]" in told[1]


def test_a_strange_table_name_is_text_in_its_feed() -> None:
    name = "o'r{{ders}}"
    files, _ = generate([row(name, key=1)], FEED)
    (path,) = [path for path in files if path.startswith("models/feed/") and path[-4:] == ".sql"]
    assert arguments_of(files[path])["table"] == f"public.{name}"


def test_a_source_with_transactions_gets_their_models() -> None:
    files, _ = generate(
        [row(key=1), row("orders", key=1)],
        TRANSACTIONS,
    )

    assert stems(files, "transactions") == {"transactions_shop", "cut_shop"}
    folder = "models/transactions/shop/"
    arguments = arguments_of(files[folder + "transactions_shop.sql"])
    assert (arguments["source"], arguments["raw"]) == ("shop", "raw_shop")
    assert [
        (one["table"], one["relation"], one["origins"][0]["table"]) for one in arguments["stagings"]
    ] == [
        ("public.customers", "stg_shop__customers", "customers"),
        ("public.orders", "stg_shop__orders", "orders"),
    ]
    assert arguments_of(files[folder + "cut_shop.sql"]) == {
        "source": "shop",
        "transactions": "transactions_shop",
        "after": ["state_shop__customers", "state_shop__orders"],
    }
    path = "models/observability/debezium_obs__transactions"
    assert arguments_of(files[path + ".sql"])["transactions"] == [
        {"source": "shop", "relation": "transactions_shop", "max_age": 60}
    ]
    model = model_of(files[path + ".yml"])
    assert model["data_tests"][0]["debezium_spark.reports_nothing"]["arguments"] == {
        "condition": "is_overdue"
    }
    for name in ("transactions_shop", "cut_shop"):
        columns = model_of(files[f"{folder}{name}.yml"])["columns"]
        assert columns[0]["name"] == "_cdc_key" and columns[0]["data_tests"]
        assert all(column.get("description") for column in columns[1:])
