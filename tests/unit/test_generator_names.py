"""Names of tables and of their models: what is written, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.text.names import MAX_MODEL_NAME_LENGTH
from tests.support.generated_text import generate, row, shop, stems

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


def test_tables_that_stay_alike_are_refused_with_a_remedy_and_stop_no_other():
    files, messages = generate([row("Orders", key=1), row("orders", key=1), row("fine", key=1)])

    assert stems(files, "current") == {"cur_shop__fine"}
    assert [kind for kind, _ in messages] == ["problem", "problem"]
    assert "tables: public.Orders: model:" in messages[0][1]


def chosen(rows: list[dict[str, Any]], **options: Any) -> list[str]:
    """Return what is said of a table with these options; it is written without a word."""
    files, messages = generate(rows, shop(tables={"public.customers": options}))
    return [f"{kind}: {text}" for kind, text in messages] or sorted(stems(files, "staging"))


def test_what_no_model_can_hold_is_written_under_another_name_or_left_out():
    rows = [row(key=1), row(column="ID", position=2), row(column="nul\x00", position=3)]
    assert chosen(rows, **{"as": {"ID": "other"}, "exclude": ["nul\x00"]}) == [
        "stg_shop__customers"
    ]
    ((message,),) = [chosen(rows[:2], **{"as": {"ID": "Id"}})]
    assert "'id' and 'ID', which Spark takes for one" in message
    (message,) = chosen(rows[:2], **{"as": {"ID": "id"}})
    assert "would give the columns 'id' and 'ID' one name" in message
    (message,) = chosen(rows[:1], exclude=["id"])
    assert message.startswith("problem") and "would lose its key: id is a column of it" in message
