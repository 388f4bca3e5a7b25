"""The SQL that carries merged rows to Spark: names and comments in it are data."""

from __future__ import annotations

import ast
import json
import re

import pytest

from tests.support.blocks import source_options
from tests.support.evidence_rows import events
from tests.support.macros import Macros

HOSTILE = [
    "o'neil",
    'say "x"',
    "${secret}",
    "back\\slash",
    "line\nend",
    "ключ",
    "\x9b2J",
    "{{ x }}",
]


def macros_over(*rows: dict[str, object], running: bool = True) -> Macros:
    texts = [(json.dumps(row),) for row in rows]
    return Macros(
        {"s": source_options("sqlserver")}, queries={"as evidence_row": texts}, running=running
    )


def sql_of(*rows: dict[str, object], running: bool = True) -> str:
    return str(macros_over(*rows, running=running).catalog_columns(source="s", schemas="x"))


def literals(sql: str) -> list[str]:
    """Return the texts of the literals; Spark's escapes in them are Python's, too."""
    return [ast.literal_eval(one) for one in re.findall(r"^ +\(('.*')\),?$", sql, re.MULTILINE)]


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_a_hostile_name_is_text_and_nothing_else(name: str) -> None:
    sql = sql_of(events(["id", name], source_table=name))

    assert sql.isascii()
    assert "${" not in sql and "\x9b" not in sql
    ((version,),) = map(json.loads, literals(sql))
    assert version["table_name"] == name
    assert [column["column_name"] for column in version["columns"]] == ["id", name]


def test_each_table_is_one_literal() -> None:
    rows = [events(["id"], source_table=table) for table in ("a", "b")]

    assert len(literals(sql_of(*rows))) == 2


def test_without_evidence_there_are_no_rows_and_without_a_run_nothing_is_asked() -> None:
    assert literals(sql_of()) == ["[]"]
    assert literals(sql_of(events(["id"]), running=False)) == ["[]"]


def test_what_is_none_is_left_out() -> None:
    ((version,),) = map(json.loads, literals(sql_of(events(["id"]))))

    assert "ended_by" not in version and "comment" not in version["columns"][0]


def test_the_same_rows_in_another_order_give_the_same_sql() -> None:
    rows = [events(["id"], at=1), events(["id", "a"], at=2), events(["b"], source_table="u")]
    first = sql_of(*rows)

    assert sql_of(*reversed(rows)) == first
    assert sql_of(*rows[:2]) != first


def test_what_the_table_is_made_of_follows_its_rows() -> None:
    def made_of(*names: str) -> str:
        macros = macros_over(events(list(names)))
        macros.catalog_columns(source="s", schemas="x")
        return str(macros.decisions["properties"]["debezium_spark.made_of"])

    assert made_of("id") == made_of("id")
    assert made_of("id") != made_of("id", "a")
