"""Names of tables and of their models: what is written, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.names import MAX_MODEL_NAME_LENGTH
from tests.support.generated_text import call_of, generate, row, shop, stems

# What no model can hold, and how a message shows it.
UNWRITABLE = {
    "line\nend": r"line\nend",
    "next\x85line": r"next\x85line",
    "nul\x00": r"nul\x00",
    "\x1b[31mred": r"\x1b[31mred",
    "two\u2028lines": r"two\u2028lines",
    "${env:HOME}": "${env:HOME}",
}


def refusal(*rows):
    """Return why these rows' table is refused, beside one that is written."""
    files, messages = generate([*rows, row(key=1)])

    assert stems(files, "current") == {"cur_shop__customers"}
    ((kind, message),) = messages
    assert kind == "problem"
    return message


@pytest.mark.covers("case newline-in-column-name")
@pytest.mark.parametrize("name", UNWRITABLE)
@pytest.mark.parametrize("place", ["table", "column"])
def test_names_that_no_model_can_hold_refuse_their_table_and_no_other(name, place):
    bad = row(table="t", column=name, key=1) if place == "column" else row(table=name, key=1)
    message = refusal(bad)
    assert UNWRITABLE[name] in message and message.isprintable()


@pytest.mark.covers("trap 8", "case case-folding-unicode")
@pytest.mark.parametrize(
    ("one", "other"), [("sinif", "sınıf"), ("ς", "σ"), ("k", "\u212a"), ("s", "ſ"), ("i", "İ")]
)
def test_columns_that_spark_folds_into_one_refuse_the_table(one, other):
    columns = [row("bad", name, place) for place, name in enumerate(["id", one, other], 1)]
    assert f"'{one}' and '{other}', which Spark takes for one" in refusal(*columns)


@pytest.mark.covers("trap 8", "case long-table-name-stops-generate")
@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([row("bad", "id"), row("bad", "ID", 2)], "'public.bad' has the columns 'id' and 'ID'"),
        ([row("bad", "id"), row("bad", "_CDC_op", 2)], "prefix of the columns we add"),
        ([row("L" * 240, key=1)], f"tables: public.{'L' * 240}: model: <name>."),
        ([row("таблица", key=1)], "tables: public.таблица: model:"),
    ],
)
def test_tables_that_are_refused_with_a_remedy(rows: list[dict[str, Any]], words: str) -> None:
    assert words in refusal(*rows)


def test_the_longest_name_that_is_written_has_room_for_what_dbt_adds():
    longest = MAX_MODEL_NAME_LENGTH - len("state_shop__")
    files, messages = generate(
        [row(table="t" * longest, key=1), row(table="u" * (longest + 1), key=1)]
    )

    assert [kind for kind, _ in messages] == ["problem"]
    names = {path.rsplit("/", 1)[1] for path in files}
    assert max(map(len, names)) == MAX_MODEL_NAME_LENGTH + len(".yml")


def named(rows, tables=None):
    """Return the names of tables by those of their models."""
    files, messages = generate(rows, shop(tables=tables or {}))
    assert messages == []
    models = {one.removeprefix("stg_shop__") for one in stems(files, "staging")}
    return {one: call_of(files, f"stg_shop__{one}")["table"] for one in models}


def test_tables_that_stay_alike_are_refused_with_a_remedy_and_stop_no_other():
    files, messages = generate([row("Orders", key=1), row("orders", key=1), row("fine", key=1)])

    assert stems(files, "current") == {"cur_shop__fine"}
    assert [kind for kind, _ in messages] == ["problem", "problem"]
    assert "tables: public.Orders: model:" in messages[0][1]


@pytest.mark.covers("trap 7")
@pytest.mark.parametrize(
    ("rows", "tables", "expected"),
    [
        # the schema, the database and the connector stand in front where they must
        (
            [row(schema="public"), row(schema="sales"), row("Order Items")],
            {},
            {
                "public_customers": "public.customers",
                "sales_customers": "sales.customers",
                "order_items": "public.Order Items",
            },
        ),
        (
            [row("items"), row("items", database_name="other")],
            {},
            {"db_public_items": "db.public.items", "other_public_items": "other.public.items"},
        ),
        (
            [row("items", topics=["all"], topic_prefix=one) for one in "ab"],
            {},
            {"a_db_public_items": "a.db.public.items", "b_db_public_items": "b.db.public.items"},
        ),
        # a table that is named like the longer name of another gets longer itself
        (
            [row(schema="public"), row(schema="sales"), row("public_customers", schema="sales")],
            {},
            {
                "public_customers": "public.customers",
                "sales_customers": "sales.customers",
                "sales_public_customers": "sales.public_customers",
            },
        ),
        # a configured name settles a clash
        (
            [row("Orders"), row("orders")],
            {"public.Orders": {"model": "old_orders"}},
            {"old_orders": "public.Orders", "orders": "public.orders"},
        ),
        # it does not grow, and lets the other grow
        (
            [row("t", schema="x"), row("t", schema="y")],
            {"x.t": {"model": "t"}},
            {"t": "x.t", "y_t": "y.t"},
        ),
        # the long name is taken where the short one is not configured
        ([row("t")], {"db.public.t": {"model": "mine"}}, {"mine": "db.public.t"}),
    ],
)
def test_models_are_named_apart(
    rows: list[dict[str, Any]], tables: dict[str, Any], expected: dict[str, str]
) -> None:
    assert named(rows, tables) == expected
