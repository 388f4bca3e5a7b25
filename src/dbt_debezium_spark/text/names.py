"""Names of tables and columns that cannot become models.

A message refuses a table with such a name; the other tables are written.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from unicodedata import category

from dbt_debezium_spark.text.literals import printable, yaml_name

# A file name has at most 255 bytes; the names of tests and dbt's suffixes follow a model's name.
MAX_MODEL_NAME_LENGTH = 200
# The longest of the three models of a table.
_LONGEST_PREFIX = "state"
# Line ends, control characters, and lone surrogates, which no file can contain.
_CONTROL = frozenset(("Cc", "Zl", "Zp", "Cs"))
# Spark substitutes variables, also those of the environment, in names, texts and comments.
_VARIABLE = re.compile(r"\$\{[^}]*\}")
_MAX_DISPLAY_LENGTH = 300
RESERVED = "_cdc_"


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


def name_in_models(settings: Mapping[str, Any], column: str) -> str | None:
    """Return the name of a column in the models; None for one that they leave out.

    Args:
        settings: options of the table; `as` and `exclude` count.
        column: name at the source.
    """
    if column in (settings.get("exclude") or ()):
        return None
    return str((settings.get("as") or {}).get(column, column))


def columns_problem(table: str, columns: Any, *, runs: bool) -> tuple[str, str] | None:
    """Return why a column list of a model cannot become a table, and the remedy; None if it can.

    Args:
        table: the table, or the relation that has it.
        columns: names, or columns with a `name`, some of which are `excluded`.
        runs: whether dbt executes models. While it parses, a list can still be empty.
    """
    regenerate = "Run `debezium-spark generate`."
    rename = f"Use the option `as` or `exclude` of the table. {regenerate}"
    if isinstance(columns, str | Mapping) or (runs and not columns):
        problem = f"`columns` of table '{table}' must be a non-empty list, got: {columns}."
        return problem, regenerate
    columns = [one for one in columns or () if isinstance(one, str) or "excluded" not in one]
    names = [column if isinstance(column, str) else column["name"] for column in columns]
    pair = collision(names)
    if pair is not None:
        return (
            f"table '{table}' has the columns '{pair[0]}' and '{pair[1]}',"
            " which Spark takes for one.",
            rename,
        )
    for column, name in zip(columns, names, strict=True):
        why = unwritable(name) if runs else None
        if why is not None:
            return f"table '{table}' has the column '{name}' {why}.", regenerate
        if not isinstance(column, str) and name.lower().startswith(RESERVED):
            return (
                f"column '{name}' of table '{table}' begins with the reserved prefix {RESERVED}.",
                rename,
            )
    return None


def table_problems(source: str, table: Mapping[str, Any]) -> list[str]:
    """Return the reasons why a table cannot become models; none if it can.

    Args:
        source: name of the source.
        table: `name`, `model` (the table part of its model names), `rivals` (other tables with the
            same model name), `rows` (its columns, as `column_name`, and `is_key`) and `settings`
            (its options).

    Returns:
        Problems, each with the name of the table and a remedy.
    """
    name = display_name(table["name"])
    return [
        f"table '{name}' {problem}"
        for problem in (
            *_model_problems(source, name, table["model"], table["rivals"]),
            *_name_problems(table["name"]),
            *_column_problems(name, table["settings"], table["rows"]),
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


def _column_problems(
    table: str, settings: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]
) -> Iterator[str]:
    def remedy(column: str) -> str:
        name = yaml_name(column)
        return (
            f"Choose a name for it (tables: {table}: as: {{{name}: <name>}}) or leave it out"
            f" (tables: {table}: exclude: [{name}])."
        )

    sources: dict[str, str] = {}
    for row in rows:
        column = row["column_name"]
        name = name_in_models(settings, column)
        if name is None:
            if row.get("is_key"):
                yield (
                    f"would lose its key: {display_name(column)} is a column of it. Remove it from"
                    f" tables: {table}: exclude."
                )
            continue
        if name in sources:
            yield (
                f"would give the columns '{display_name(sources[name])}' and"
                f" '{display_name(column)}' one name. {remedy(column)}"
            )
            continue
        sources[name] = column
        why = unwritable(name)
        if why is not None:
            yield f"has the column '{display_name(column)}' {why}. {remedy(column)}"
        if name.lower().startswith(RESERVED):
            yield (
                f"has the column '{display_name(column)}', but {RESERVED} is the prefix of the"
                f" columns we add. {remedy(column)}"
            )
    pair = collision(sources)
    if pair is not None:
        first, second = (sources[name] for name in pair)
        yield (
            f"has the columns '{display_name(first)}' and '{display_name(second)}',"
            f" which Spark takes for one. {remedy(second)}"
        )


def _character_key(character: str) -> str:
    # In Java the upper case of a character is one character; Python may return several.
    upper = character.upper()
    lower = (upper if len(upper) == 1 else character).lower()
    return lower[0]
