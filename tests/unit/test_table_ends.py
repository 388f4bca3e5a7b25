"""Which statements of the schema-change topic end the rows of a table."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.staging.table_ends import table_end
from tests.support.said import rows_of

TABLE = "shop.m_drop"
DROPPED = {"type": "DROP", "id": '"shop"."m_drop"', "table": None}


def definition(ddl: str | None, changes: Any = (), **source: Any) -> str:
    place = {"db": "shop", "table": "m_drop", "file": "mysql-bin.000003", "pos": 200, "row": 0}
    return json.dumps(
        {
            "source": {"connector": "mysql", "snapshot": "false", **place, **source},
            "ts_ms": 5,
            "databaseName": "shop",
            "schemaName": source.get("schema"),
            "ddl": ddl,
            "tableChanges": list(changes),
        }
    )


def test_a_drop_becomes_a_truncate_at_its_place() -> None:
    found = table_end(definition("DROP TABLE m_drop", [DROPPED], table="a,m_drop"), "mysql", TABLE)
    assert found is not None
    event = json.loads(found)
    assert (event["op"], event["ts_ms"]) == ("t", 5)
    assert event["source"]["table"] == "m_drop"
    assert event["source"]["db"] == "shop"
    assert event["source"]["pos"] == 200
    assert event["source"]["snapshot"] == "drop"


@pytest.mark.covers("case mysql-drop-and-create")
@pytest.mark.parametrize(("told", "done"), rows_of(__file__, "table_ends.txt"))
def test_what_a_statement_does_to_the_rows_of_a_table(told: str, done: str) -> None:
    one = yaml.safe_load(f"{{{told}}}")
    changes = [{**DROPPED, "id": f'"shop"."{one["drops"]}"'}] if "drops" in one else []

    found = table_end(definition(one["ddl"], changes, **one.get("source", {})), "mysql", TABLE)
    if done == "nothing":
        assert found is None
    else:
        assert found is not None
        snapshot = json.loads(found)["source"]["snapshot"]
        assert snapshot == {"drop": "drop", "truncate": "false"}[done]


@pytest.mark.parametrize(
    ("ddl", "table"),
    [
        ("DROP TABLE customers PURGE", "DEBEZIUM.CUSTOMERS"),
        ('DROP TABLE "DEBEZIUM"."my ""x"""', 'DEBEZIUM.my "x"'),
        ("TRUNCATE TABLE debezium.customers DROP STORAGE", "DEBEZIUM.CUSTOMERS"),
    ],
)
def test_names_of_oracle_are_upper_case_unless_quoted(ddl: str, table: str) -> None:
    place = {"db": "ORCLPDB1", "schema": "DEBEZIUM", "scn": "5"}
    found = table_end(definition(ddl, **place), "oracle", table)
    assert found is not None
    source = json.loads(found)["source"]
    assert f"{source['schema']}.{source['table']}" == table
    assert source["db"] == "ORCLPDB1"


@pytest.mark.parametrize("text", ["", "[]", "null", '{"source":5}', "{" * 100_000, '{"a":' * 9999])
def test_what_is_no_definition_ends_nothing(text: str) -> None:
    assert table_end(text, "mysql", TABLE) is None
    assert table_end(definition("DROP TABLE m_drop2", "no list"), "mysql", TABLE) is None
