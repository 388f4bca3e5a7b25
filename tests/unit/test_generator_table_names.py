"""Names of tables and of their models, as Python decides them."""

from __future__ import annotations

from typing import Any

from dbt_debezium_spark.generator.configured_names import configured_names
from dbt_debezium_spark.generator.table_names import name_tables


def named(*full_names: tuple[str, ...], **tables: Any) -> list[dict[str, Any]]:
    """Name tables of (database, schema, table) or (connector, database, schema, table)."""
    found: list[dict[str, Any]] = [
        {"topic_prefix": one[0] if len(one) == 4 else "pg", "full_name": list(one[-3:])}
        for one in full_names
    ]
    name_tables({"name": "shop", "tables": tables.get("tables")}, found, has_schemas=True)
    return found


def models(*full_names: tuple[str, ...], **tables: Any) -> list[str]:
    return [one["model"] for one in named(*full_names, **tables)]


def test_a_name_needs_no_database_where_no_other_has_it() -> None:
    (one,) = named(("db", "public", "Order Items"))
    assert (one["name"], one["model"], one["rivals"]) == ("public.Order Items", "order_items", [])


def test_the_database_stands_in_front_where_two_have_the_name() -> None:
    both = named(("a", "dbo", "t"), ("b", "dbo", "t"))
    assert [one["name"] for one in both] == ["a.dbo.t", "b.dbo.t"]
    assert [one["model"] for one in both] == ["a_dbo_t", "b_dbo_t"]


def test_the_connector_stands_in_front_where_two_databases_have_one_name() -> None:
    both = named(("one", "a", "dbo", "t"), ("two", "a", "dbo", "t"))
    assert [one["name"] for one in both] == ["one.a.dbo.t", "two.a.dbo.t"]
    assert [one["model"] for one in both] == ["one_a_dbo_t", "two_a_dbo_t"]


def test_of_models_that_clash_the_shortest_names_grow() -> None:
    assert models(("a", "dbo", "x_t"), ("a", "x", "t"), ("a", "y", "t")) == [
        "dbo_x_t",
        "x_t",
        "y_t",
    ]


def test_models_that_stay_alike_are_rivals() -> None:
    one, other = named(("a", "dbo", "T"), ("a", "dbo", "t"))
    assert (one["rivals"], other["rivals"]) == (["dbo.t"], ["dbo.T"])


def test_a_configured_model_does_not_grow_and_lets_the_other_grow() -> None:
    tables = {"x.t": {"model": "t"}}
    assert models(("a", "x", "t"), ("a", "y", "t"), tables=tables) == ["t", "y_t"]


def test_a_long_configured_name_is_taken_where_the_short_one_is_not_configured() -> None:
    (one,) = named(("a", "dbo", "t"), tables={"a.dbo.t": {"model": "mine"}})
    assert (one["name"], one["model"]) == ("a.dbo.t", "mine")


def test_what_is_configured_for_a_name_of_several_tables_is_told() -> None:
    config = {"name": "shop", "tables": {"dbo.t": {}, "dbo.never_seen": {}}}
    tables = named(("b", "dbo", "t"), ("A", "dbo", "t"))
    (told,) = configured_names(config, tables)
    assert (told["kind"], told["table"]) == ("warning", "dbo.t")
    assert "there are now A.dbo.t, b.dbo.t. Write it" in told["message"]
