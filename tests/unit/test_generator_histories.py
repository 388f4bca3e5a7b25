"""Generated models of histories, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from tests.unit.test_generator_macros import SHOP, generate, row

ROWS = [row(key=1, is_optional=False), row(column="name", position=2, connect_type="string")]
ROWS[1]["schema_json"] = '{"type":"string","field":"name"}'
WITHOUT_KEY = [row(table="log")]


def files(history: Any, rows: Any = ROWS, **tables: Any) -> tuple[dict[str, str], list[Any]]:
    block = {**SHOP["shop"], "tables": tables}
    if history is not None:
        block["history"] = history
    found, messages = generate(rows, {"shop": block})
    return found, messages


def of_history(found: dict[str, str]) -> dict[str, str]:
    return {path: text for path, text in found.items() if "/history/" in path}


def test_without_a_history_nothing_is_generated_for_it() -> None:
    for history in (None, False):
        found, _ = files(history)
        assert of_history(found) == {}
    found, _ = files(True, **{"public.customers": {"history": False}})
    assert of_history(found) == {}


@pytest.mark.parametrize("place", ["source", "table"])
def test_a_table_with_a_history_gets_two_more_models(place: str) -> None:
    if place == "source":
        found, _ = files(True)
    else:
        found, _ = files(None, **{"public.customers": {"history": True}})
    stem = "models/history/shop"
    assert sorted(of_history(found)) == [
        f"{stem}/hist_shop__customers.sql",
        f"{stem}/hist_shop__customers.yml",
        f"{stem}/versions_shop__customers.sql",
        f"{stem}/versions_shop__customers.yml",
    ]
    assert "debezium_versions" in found[f"{stem}/versions_shop__customers.sql"]
    assert "key=['id']" in found[f"{stem}/versions_shop__customers.sql"]
    shown = found[f"{stem}/hist_shop__customers.sql"]
    assert "versions=ref('versions_shop__customers')" in shown


def test_other_models_are_the_same_with_a_history() -> None:
    without, _ = files(None)
    with_history, _ = files(True)
    kept = {path: text for path, text in with_history.items() if "/history/" not in path}
    assert kept == without


def test_every_column_of_a_history_is_described_and_tested() -> None:
    found, _ = files({"deleted_rows": True, "names": "dbt"})
    (model,) = yaml.safe_load(found["models/history/shop/hist_shop__customers.yml"])["models"]
    names = [column["name"] for column in model["columns"]]
    assert names[:3] == ["id", "name", "_cdc_key"]
    assert {"dbt_valid_from", "dbt_valid_to", "dbt_scd_id", "dbt_updated_at"} < {*names}
    assert names[-1] == "dbt_is_deleted"
    assert all("doc(" in column["description"] for column in model["columns"][2:])
    (scd_id,) = [column for column in model["columns"] if column["name"] == "dbt_scd_id"]
    assert scd_id["data_tests"] == ["not_null", "unique"]
    tests = model["data_tests"]
    assert tests[:2] == [
        "debezium_spark.one_current_version",
        "debezium_spark.versions_follow_each_other",
    ]
    assert tests[2]["debezium_spark.current_versions_are_the_rows"]["arguments"] == {
        "current": "cur_shop__customers",
        "columns": ["id", "name"],
    }


def texts(messages: list[Any], kind: str) -> list[str]:
    return [text for of_kind, text in messages if of_kind == kind]


def test_a_table_without_a_key_is_refused_a_history_with_the_reason() -> None:
    found, messages = files(True, WITHOUT_KEY)
    assert of_history(found) == {}
    (told,) = [one for one in texts(messages, "warning") if "no history" in one]
    assert "nothing shows which of its rows became which" in told
    _, messages = files(None, WITHOUT_KEY, **{"public.log": {"history": True}})
    (told,) = texts(messages, "problem")
    assert "debezium_sources.shop.tables.public.log.key" in told


def test_columns_that_a_table_has_not_are_told() -> None:
    _, messages = files(None, **{"public.customers": {"history": {"ignore": ["nmae"]}}})
    assert any("names the column 'nmae' (ignore)" in one for one in texts(messages, "warning"))
