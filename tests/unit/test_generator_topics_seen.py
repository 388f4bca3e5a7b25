"""What topics carried, matched with the tables of the catalog."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.generator.topic_contents import (
    carries,
    has_keys,
    record_keys,
    undescribed_tables,
)

ROW = {"topics": ["all"], "schema_name": "public", "table_name": "t", "database_name": "db"}
CONFIG = {"name": "shop"}


def topic(**changes: Any) -> dict[str, Any]:
    known = {"topic": "all", "kind": "data", "schema_name": "public", "table_name": "t"}
    return {**known, **changes}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"schema_name": None, "database_name": None}, True),
        ({"topic_prefix": "other"}, True),
        ({"table_name": None}, False),
        ({"schema_name": "sales"}, False),
        ({"database_name": "db_2"}, False),
    ],
)
def test_what_records_leave_open_is_no_contradiction(
    changes: dict[str, Any], expected: bool
) -> None:
    assert carries(topic(**changes), ROW) is expected


def test_each_key_of_the_records_stands_once() -> None:
    topics = [topic(key_fields=one) for one in (["id"], ["a", "id"], ["id"], None)]
    assert record_keys(topics, ROW) == [["a", "id"], ["id"]]


@pytest.mark.parametrize("fields", [["if"], ["id", "ID"], ["id", "id"]])
def test_a_key_that_names_no_row_is_none(fields: list[str]) -> None:
    topics = [topic(key_fields=fields, value_fields=["id", "v"], has_key=True)]
    assert record_keys(topics, ROW) == []
    assert has_keys(topics, ROW)


def test_a_table_without_types_beside_another_is_found_with_its_first_record() -> None:
    topics = [topic(), topic(table_name="u", event_id="all:0:7", value_fields=["x"])]
    assert undescribed_tables(CONFIG, [ROW], topics) == [
        {"name": "public.u", "topic": "all", "event_id": "all:0:7", "fields": ["x"]}
    ]


def test_it_has_its_database_in_front_where_a_neighbour_has_its_name() -> None:
    (found,) = undescribed_tables(CONFIG, [ROW], [topic(database_name="db_2")])
    assert found["name"] == "db_2.public.t"


@pytest.mark.parametrize(
    "other", [topic(kind="other", table_name="u"), topic(topic="else"), topic(table_name=None)]
)
def test_other_topics_hold_no_such_table(other: dict[str, Any]) -> None:
    assert undescribed_tables(CONFIG, [ROW], [other]) == []


@pytest.mark.parametrize("signal", ["public.u", "db.public.u"])
def test_the_signal_table_needs_no_types(signal: str) -> None:
    config = {**CONFIG, "signal_data_collection": signal}
    other = topic(table_name="u", database_name="db")
    assert undescribed_tables(config, [ROW], [other]) == []
