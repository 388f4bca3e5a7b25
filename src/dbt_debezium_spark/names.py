"""Names of tables and columns that cannot become models, and why.

A table with such a name is refused by a message; the other tables are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from unicodedata import category

from dbt_debezium_spark.literals import printable

# A file's name has 255 bytes at most; behind a model's name come those of its tests and of dbt.
MOST_OF_A_MODEL = 200
# The longest of the three models of a table.
_LONGEST_PREFIX = "state"
# Signs that end a line or steer a terminal, and halves of a sign that no file can hold.
_CONTROL = frozenset(("Cc", "Zl", "Zp", "Cs"))
# Spark puts a variable in its place, one of the environment too: in names, texts and comments.
_VARIABLE = re.compile(r"\$\{[^}]*\}")
_MOST_SHOWN = 300
_EXCLUDE = "Exclude {} in Debezium (column.exclude.list) or rename it there."


def folded(name: str) -> tuple[str, str]:
    """Return what two names have in common, one or the other, when Spark takes them for one.

    Spark compares as Java's `equalsIgnoreCase` does, sign by sign in upper and then lower case, and
    in places by the lower case of the whole: a dotless i is an i, a final sigma a sigma.
    """
    return "".join(map(_folded_sign, name)), name.lower()


def collision(names: Iterable[str]) -> tuple[str, str] | None:
    """Return two names that Spark takes for one; None when there are none."""
    seen: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for name in names:
        for held, key in zip(seen, folded(name), strict=True):
            if key in held:
                return held[key], name
            held[key] = name
    return None


def unwritable(name: str) -> str | None:
    """Return what in a name keeps SQL from holding it, as words behind `the column '…' `."""
    if any(category(one) in _CONTROL for one in name):
        return "with a control character, which no model can hold"
    if _VARIABLE.search(name):
        return "in which Spark puts a variable in the place of ${…}"
    return None


def shown(name: str) -> str:
    """Return a name as a message has it: safe on a terminal, of a length that can be read."""
    text = printable(name)
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "…"


def table_problems(source: str, table: Mapping[str, Any]) -> list[str]:
    """Return why a table cannot become models; empty when it can.

    Args:
        source: name of the source.
        table: `name`, `model` (the table part of its model names), `rivals` (other tables with the
            same one) and `rows` (its columns, as `column_name`).

    Returns:
        Problems, each with the table and a remedy.
    """
    name = shown(table["name"])
    columns = [row["column_name"] for row in table["rows"]]
    return [
        f"table '{name}' {problem}"
        for problem in (
            *_of_the_model(source, name, table["model"], table["rivals"]),
            *_of_the_name(table["name"]),
            *_of_columns(columns),
        )
    ]


def _of_the_model(source: str, name: str, model: str, rivals: Sequence[str]) -> Iterator[str]:
    remedy = f"tables: {name}: model: <name>."
    if rivals:
        others = "', '".join(map(shown, rivals))
        yield (
            f"would get the model name '{shown(model)}', like '{others}'. Choose another: {remedy}"
        )
    if not model.strip("_"):
        yield (f"has no letter or digit that a model name can keep. Choose a name: {remedy}")
    longest = f"{_LONGEST_PREFIX}_{source}__{model}"
    if len(longest) > MOST_OF_A_MODEL:
        yield (
            f"would get models with names of up to {len(longest)} characters; a file's name has"
            f" room for {MOST_OF_A_MODEL}. Choose a shorter one: {remedy}"
        )


def _of_the_name(name: str) -> Iterator[str]:
    why = unwritable(name)
    if why is not None:
        yield (f"has a name {why}. Exclude it in Debezium (table.exclude.list) or rename it there.")


def _of_columns(columns: Sequence[str]) -> Iterator[str]:
    found = collision(columns)
    if found is not None:
        yield (
            f"has the columns '{shown(found[0])}' and '{shown(found[1])}', which Spark takes for"
            f" one. {_EXCLUDE.format('one')}"
        )
    for column in columns:
        why = unwritable(column)
        if why is not None:
            yield f"has the column '{shown(column)}' {why}. {_EXCLUDE.format('it')}"
        if column.lower().startswith("_cdc_"):
            yield (
                f"has the column '{shown(column)}', but _cdc_ is the prefix of the columns we add."
                f" {_EXCLUDE.format('it')}"
            )


def _folded_sign(sign: str) -> str:
    # Java's case of a sign is one sign: where Python has several there is none
    upper = sign.upper()
    lower = (upper if len(upper) == 1 else sign).lower()
    return lower[0]
