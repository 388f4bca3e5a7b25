"""Text that the macros of histories and of the cut render, in bare Jinja."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.generated_text import shop
from tests.support.macros import CompilerError, Macros


def macros_with(*columns: str, **block: Any) -> Macros:
    macros = Macros(shop(**block), this="lake.versions_shop__t")
    macros._macros["_columns_of_history"] = lambda history: list(columns)
    return macros


def flat(sql: str) -> str:
    return " ".join(sql.split())


def test_as_of_asks_for_half_open_intervals() -> None:
    assert flat(macros_with().as_of("hist", "now()")) == (
        "( select * from hist where _cdc_valid_from <= now()"
        " and (now() < _cdc_valid_to or _cdc_valid_to is null) )"
    )


def test_as_of_knows_the_names_of_dbt_and_leaves_gaps_out() -> None:
    macros = macros_with("dbt_valid_from", "dbt_is_deleted")
    assert "dbt_valid_from <= now()" in flat(macros.as_of("hist", "now()"))
    assert "and not (dbt_is_deleted = 'True')" in flat(macros.as_of("hist", "now()"))
    assert "and not _cdc_is_deleted" in flat(macros_with("_cdc_is_deleted").as_of("hist", "now()"))


def test_a_fact_is_joined_with_the_version_of_its_time() -> None:
    sql = flat(macros_with().as_of_join("paid", "at", "hist_t", {"who": "id", "of": "tenant"}))
    assert sql == (
        "paid as fact left join hist_t as hist on fact.`who` = hist.`id` and"
        " fact.`of` = hist.`tenant` and hist._cdc_valid_from <= fact.`at`"
        " and (fact.`at` < hist._cdc_valid_to or hist._cdc_valid_to is null)"
    )


def test_a_history_without_a_key_is_refused_with_the_reason() -> None:
    with pytest.raises(CompilerError) as error:
        macros_with().versions("shop", "public.t", "stg", [], ["a"])
    assert "table public.t has no key. Nothing shows which of its rows" in str(error.value)


def test_options_of_a_table_replace_those_of_its_source() -> None:
    macros = macros_with(
        history={"ignore": ["seen"]},
        tables={"public.t": {"history": True}, "public.u": {"history": False}},
    )
    config = macros.source_config("shop")
    found = [macros.history_options(config, name) for name in ("public.t", "public.u", "public.v")]
    assert found == [{}, None, {"ignore": ["seen"]}]
    assert macros.history_options(macros_with().source_config("shop"), "public.t") is None


def test_exact_texts_count_with_their_columns() -> None:
    macros = macros_with()
    columns = ["a", "_cdc_text_a", "b"]
    assert macros.tracked_columns({"ignore": ["a"]}, columns) == ["b"]
    assert macros.tracked_columns({"track": ["a"]}, columns) == ["a", "_cdc_text_a"]
    assert macros.tracked_columns({}, columns) is None


def test_the_view_shows_what_options_ask_for() -> None:
    block = {"first_from": "1900-01-01", "valid_to_current": "9999-12-31", "names": "dbt"}
    sql = flat(macros_with(history=block).history("shop", "public.t", "v", ["id"]))
    assert "coalesce(_cdc_valid_to, to_timestamp('9999-12-31 00:00:00')) as dbt_valid_to" in sql
    assert "least(to_timestamp('1900-01-01 00:00:00'), _cdc_valid_from)" in sql
    assert "when _cdc_version = 1 and _cdc_began_by = 'read' and _cdc_source_at is not" in sql
    assert "_cdc_scd_id as dbt_scd_id" in sql and "_cdc_source_at as dbt_updated_at" in sql
    plain = flat(macros_with(history=True).history("shop", "public.t", "v", ["id"]))
    assert "_cdc_valid_to as _cdc_valid_to" in plain and "to_timestamp" not in plain


def test_a_column_that_dbt_names_is_refused() -> None:
    macros = macros_with(history={"names": "dbt"})
    with pytest.raises(CompilerError) as error:
        macros.history("shop", "public.t", "v", ["id", "DBT_valid_from"])
    assert "has the column DBT_valid_from, which `names: dbt` adds" in str(error.value)


def test_maps_are_compared_as_sorted_text() -> None:
    macros = macros_with()
    assert macros._comparable("a.m", "map<string,string>") == (
        "to_json(array_sort(map_entries(a.m)))"
    )
    assert macros._comparable("a.s", "struct<m:map<string,int>>") == "to_json(struct(a.s))"
    assert macros._comparable("a.n", "decimal(10,2)") == "a.n"


# -- the cut --------------------------------------------------------------------------------------


def view(**history: Any) -> str:
    """Return the SQL of a view on a table with the columns `id`, `name` and `seen`."""
    macros = macros_with(tables={"public.t": {"history": history or True}})
    return flat(
        macros.rows_at_cut(
            "shop", "public.t", "hist_t", "cut_shop", key=["id"], columns=["id", "name", "seen"]
        )
    )


def test_the_cut_is_opened_before_the_history() -> None:
    sql = view()
    parts = sql.split("from ")[1:]
    opened = [part.split()[0] for part in parts if part[0] != "("]
    # once for the rows and once for the last change of each key
    assert opened == ["cut_shop", "cut_shop"]
    assert sql.count("from cut_shop ) as newest cross join hist_t as versions") == 2


def test_the_columns_of_the_table_come_first() -> None:
    assert view().startswith(
        "select versions.`id`, versions.`name`, versions.`seen`, versions._cdc_key,"
    )


def test_columns_that_make_no_versions_are_not_shown() -> None:
    shown = "select versions.`id`, versions.`name`, versions._cdc_key,"
    assert view(ignore=["seen"]).startswith(shown)
    assert view(track=["name"]).startswith(shown)


def test_the_names_of_dbt_are_those_of_the_history_alone() -> None:
    assert "versions.dbt_updated_at as _cdc_source_at" in view(names="dbt")
