"""Names of tables and columns that cannot become models.

A message refuses a table with such a name; the other tables are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from unicodedata import category

from dbt_debezium_spark.text.literals import printable

# A file name has at most 255 bytes; the names of tests and dbt's suffixes follow a model's name.
MAX_MODEL_NAME_LENGTH = 200
# The longest of the three models of a table.
_LONGEST_PREFIX = "state"
# Line ends, control characters, and lone surrogates, which no file can contain.
_CONTROL = frozenset(("Cc", "Zl", "Zp", "Cs"))
# Spark substitutes variables, also those of the environment, in names, texts and comments.
_VARIABLE = re.compile(r"\$\{[^}]*\}")
_MAX_DISPLAY_LENGTH = 300
_RESERVED = "_cdc_"
_EXCLUDE = "Exclude {} in Debezium (column.exclude.list) or rename it there."


def case_keys(name: str) -> tuple[str, str]:
    """Return two keys of a name. To Spark, two names are the same if one of their keys is the same.

    Spark compares names like Java's `equalsIgnoreCase`, by characters in upper and then lower case,
    and elsewhere by the lower case of the whole name: a dotless i equals an i, a final sigma a
    sigma.
    """
    return "".join(map(_character_key, name)), name.lower()


def collision(names: Iterable[str]) -> tuple[str, str] | None:
    """Return two names that are the same to Spark; None if there are none."""
    names_by_key: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for name in names:
        for previous, key in zip(names_by_key, case_keys(name), strict=True):
            if key in previous:
                return previous[key], name
            previous[key] = name
    return None


def unwritable(name: str) -> str | None:
    """Return the part of a name that SQL cannot contain, as words after `the column '…' `."""
    if any(category(character) in _CONTROL for character in name):
        return "with a control character, which no model can hold"
    if _VARIABLE.search(name):
        return "in which Spark puts a variable in the place of ${…}"
    return None


def parts_of_topic(prefix: str, topic: str, *, is_flattened: bool = False) -> list[str]:
    """Return the names of a table in a topic, for records whose source block has none.

    They follow the topic prefix and its dot. A topic of one name is in the schema of the prefix;
    flattened records must tell their schema themselves.
    """
    parts = topic.removeprefix(f"{prefix}.").split(".")
    return parts if is_flattened or len(parts) > 1 else [prefix, *parts]


def display_name(name: str) -> str:
    """Return a name for a message: safe on a terminal, and of limited length."""
    text = printable(name)
    return text if len(text) <= _MAX_DISPLAY_LENGTH else text[:_MAX_DISPLAY_LENGTH] + "…"


def columns_problem(table: str, columns: Any, *, runs: bool) -> tuple[str, str] | None:
    """Return why a column list of a model cannot become a table, and the remedy; None if it can.

    Args:
        table: the table, or the relation that has it.
        columns: names, or columns with a `name`.
        runs: whether dbt executes models. While it parses, a list can still be empty.
    """
    regenerate = "Run `debezium-spark generate`."
    if isinstance(columns, str | Mapping) or (runs and not columns):
        problem = f"`columns` of table '{table}' must be a non-empty list, got: {columns}."
        return problem, regenerate
    names = [column if isinstance(column, str) else column["name"] for column in columns or ()]
    pair = collision(names)
    if pair is not None:
        return (
            f"table '{table}' has the columns '{pair[0]}' and '{pair[1]}',"
            " which Spark takes for one.",
            "Exclude one of them in Debezium (column.exclude.list) or rename it there.",
        )
    for column, name in zip(columns or (), names, strict=True):
        why = unwritable(name) if runs else None
        if why is not None:
            return f"table '{table}' has the column '{name}' {why}.", regenerate
        if not isinstance(column, str) and name.lower().startswith(_RESERVED):
            return (
                f"column '{name}' of table '{table}' begins with the reserved prefix {_RESERVED}.",
                "Rename or exclude it in Debezium.",
            )
    return None


def table_problems(source: str, table: Mapping[str, Any]) -> list[str]:
    """Return the reasons why a table cannot become models; none if it can.

    Args:
        source: name of the source.
        table: `name`, `model` (the table part of its model names), `rivals` (other tables with the
            same model name) and `rows` (its columns, as `column_name`).

    Returns:
        Problems, each with the name of the table and a remedy.
    """
    name = display_name(table["name"])
    columns = [row["column_name"] for row in table["rows"]]
    return [
        f"table '{name}' {problem}"
        for problem in (
            *_model_problems(source, name, table["model"], table["rivals"]),
            *_name_problems(table["name"]),
            *_column_problems(columns),
        )
    ]


def _model_problems(source: str, name: str, model: str, rivals: Sequence[str]) -> Iterator[str]:
    remedy = f"tables: {name}: model: <name>."
    if rivals:
        others = "', '".join(map(display_name, rivals))
        yield (
            f"would get the model name '{display_name(model)}', like '{others}'."
            f" Choose another: {remedy}"
        )
    if not model.strip("_"):
        yield (f"has no letter or digit that a model name can keep. Choose a name: {remedy}")
    longest = f"{_LONGEST_PREFIX}_{source}__{model}"
    if len(longest) > MAX_MODEL_NAME_LENGTH:
        yield (
            f"would get models with names of up to {len(longest)} characters; a file's name has"
            f" room for {MAX_MODEL_NAME_LENGTH}. Choose a shorter one: {remedy}"
        )


def _name_problems(name: str) -> Iterator[str]:
    why = unwritable(name)
    if why is not None:
        yield (f"has a name {why}. Exclude it in Debezium (table.exclude.list) or rename it there.")


def _column_problems(columns: Sequence[str]) -> Iterator[str]:
    pair = collision(columns)
    if pair is not None:
        yield (
            f"has the columns '{display_name(pair[0])}' and '{display_name(pair[1])}',"
            f" which Spark takes for one. {_EXCLUDE.format('one')}"
        )
    for column in columns:
        why = unwritable(column)
        if why is not None:
            yield f"has the column '{display_name(column)}' {why}. {_EXCLUDE.format('it')}"
        if column.lower().startswith(_RESERVED):
            yield (
                f"has the column '{display_name(column)}', but {_RESERVED} is the prefix of the"
                f" columns we add. {_EXCLUDE.format('it')}"
            )


def _character_key(character: str) -> str:
    # In Java the upper case of a character is one character; Python may return several.
    upper = character.upper()
    lower = (upper if len(upper) == 1 else character).lower()
    return lower[0]
