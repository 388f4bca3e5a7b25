"""Text that the macros of the cut render, in bare Jinja."""

from __future__ import annotations

from typing import Any

from tests.support.macros import Macros
from tests.unit.test_generator_macros import SHOP


def view(**history: Any) -> str:
    """Return the SQL of a view on a table with the columns `id`, `name` and `seen`."""
    tables = {"public.t": {"history": history or True}}
    macros = Macros({"shop": {**SHOP["shop"], "tables": tables}}, this="lake.asof_shop__t")
    macros._macros["_columns_of_history"] = lambda history: []
    sql = macros.rows_at_cut(
        "shop", "public.t", "hist_t", "cut_shop", key=["id"], columns=["id", "name", "seen"]
    )
    return " ".join(str(sql).split())


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
