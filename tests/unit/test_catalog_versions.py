"""Versions of tables, and the definitions that they have. Their rows: test_catalog_rows.py."""

from __future__ import annotations

import pytest
from dbt_common.exceptions import CompilationError

from tests.support.evidence_rows import Evidence, change, events, statement


def test_a_table_that_is_configured_with_its_database_is_the_found_one() -> None:
    evidence = Evidence(events(None))
    column = {"name": "id", "type": "int32", "optional": False}
    evidence.config["tables"] = {"testDB.dbo.t": {"columns": [column]}}

    assert evidence.columns("database_name", "topics") == [("testDB", ["p.dbo.t"])]


def test_an_included_table_is_a_part_of_the_whole() -> None:
    tables = {"dbo.t": {"includes": [{"table": "t_*"}]}}
    parts = [events(["a"], at=1), events(["a", "b"], at=2, source_table="t_2024")]
    dropped = statement(change("DROP", id='"testDB"."dbo"."t_2024"'), at=3)
    (table,) = Evidence(*parts, dropped, tables=tables).tables()

    assert (table.name.table_name, len(table.versions), table.ended_by) == ("t", 2, None)


def test_a_version_has_its_own_definition_else_one_of_the_same_columns_else_the_last() -> None:
    own = statement(change("CREATE", ["a"]), at=1)
    last = statement(change("ALTER", ["a", "b"]), at=5)
    (table,) = Evidence(own, last, events(["b", "a"], at=6), events(["c"], at=7)).tables()

    described = [table.definition_of(version) for version in table.versions]
    names = [[column.name for column in one or ()] for one in described]
    assert names == [["a", "b"], ["a", "b"]]
    (table,) = Evidence(own, last).tables()
    assert [len(table.definition_of(version) or ()) for version in table.versions] == [1, 2]


def test_a_configured_database_type_that_is_not_known_is_refused_with_the_column() -> None:
    tables = {"public.t": {"columns": [{"name": "c", "database_type": "cube"}]}}

    with pytest.raises(CompilationError, match="'c' has the database_type 'cube'"):
        Evidence(connector="postgresql", tables=tables).tables()
