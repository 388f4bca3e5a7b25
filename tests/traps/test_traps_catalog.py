"""Traps 67 to 70 of the specification: the schema-change topic of SQL Server.

Rows come with embedded schemas or without: the topic then is all that describes the table.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cases.table import Table
from tests.support.catalog_run import CatalogRun
from tests.support.examples import compact, example_lines
from tests.traps.listed_cases import ID, V, stories_of

CREATED = "sqlserver_2.1.4_schema_change_create_from_seed"
ALTERED = "sqlserver_2.1.4_schema_change_alter_with_schema"
BEFORE = ["id", "first_name", "last_name", "email"]
SOURCE = {
    "connector": "sqlserver",
    "topic_prefix": "server1",
    "input": {"type": "files", "path": "records"},
}


@pytest.fixture
def read(lab_spark):
    """Land batches of records one after another and return the catalog's rows."""

    def landed(*batches: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return CatalogRun(lab_spark, {"erp": SOURCE}).read(*batches).catalog

    return landed


def names(catalog: list[dict[str, Any]], **where: Any) -> list[str]:
    return [
        row["column_name"]
        for row in catalog
        if all(row[name] == value for name, value in where.items())
    ]


def changed(record: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Return a schema-change record with other members of its payload."""
    value = json.loads(record["value"])
    return record | {"value": compact(value | {"payload": value["payload"] | members})}


def payload(record: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(record["value"])["payload"]
    return found


def test_67_a_renamed_column_is_one_gone_and_one_new(read):
    created, altered = example_lines(CREATED, ALTERED)
    (change,) = payload(created)["tableChanges"]
    columns = [
        column | ({"name": "mail"} if column["name"] == "email" else {})
        for column in change["table"]["columns"]
    ]
    renamed = {"type": "ALTER", "table": change["table"] | {"columns": columns}}
    catalog = read([created, changed(altered, tableChanges=[change | renamed])])
    assert names(catalog, is_current=True) == [*BEFORE[:3], "mail"]
    assert names(catalog, version=1) == BEFORE


def test_68_a_definition_may_land_before_or_after_the_rows_it_describes(read):
    (definition,) = example_lines(CREATED)
    (row,) = example_lines("sqlserver_2.1.4_exact_create_with_schema")
    together, behind = read([definition, row]), read([row], [definition])
    assert behind == read([definition], [row])
    for catalog in (together, behind):
        assert names(catalog, is_current=True) == BEFORE
        assert {row["topic"] for row in catalog} == {"server1.testDB.dbo.customers"}
        types = {row["column_name"]: row["database_type"] for row in catalog}
        assert types["id"] == "int identity"


def test_69_a_table_whose_end_the_topic_never_tells_stays_described(read):
    created, altered = example_lines(CREATED, ALTERED)
    (change,) = payload(created)["tableChanges"]
    other = change | {"id": '"testDB"."dbo"."orders"'}
    source = payload(created)["source"] | {"table": "orders"}
    catalog = read([created], [changed(altered, source=source, tableChanges=[other])])
    assert {row["table_name"] for row in catalog if row["is_current"]} == {"customers", "orders"}


def test_70_of_a_compacted_topic_the_last_record_and_the_rows_own_schemas_are_enough(read):
    (altered,) = example_lines(ALTERED)
    (row,) = example_lines("sqlserver_3.6_types_with_schema")
    catalog = read([altered, row])
    assert names(catalog, table_name="customers") == [*BEFORE, "phone_number", "balance"]
    assert len(names(catalog, table_name="all_types")) == 24


# a column that is dropped and added again, as the catalog says it: tests/lab/test_columns_again.py
AGAIN = Table("pg_again", "postgresql", [ID, {**V, "gone_until": "00000000000000000200"}])
STORIES_AGAIN = stories_of(AGAIN, "column-dropped-and-added-again")
FILLED = Table(
    "pg_again_filled",
    "postgresql",
    [ID, {**V, "gone_until": "00000000000000000200", "added_default": "new"}],
)
(STORY_FILLED, _) = stories_of(FILLED, "column-dropped-and-added-again")


@pytest.mark.covers("case column-dropped-and-added-again")
def test_values_of_a_column_that_was_dropped_do_not_come_back(built):
    for story in STORIES_AGAIN:
        assert built.values(story, "v") == dict.fromkeys((1, 2, 3, 4))
    assert built.values(STORY_FILLED, "v") == {1: "new", 2: "new", 3: "new", 4: None}
