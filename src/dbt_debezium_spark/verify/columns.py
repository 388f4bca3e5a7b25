"""Which columns can be compared with rows from elsewhere, and SQL of the texts of both sides.

The texts of two values are equal if and only if the values are: docs/verify.md.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from dbt_debezium_spark.decode import exact_text_name
from dbt_debezium_spark.text.sql_text import exact_json, quoted_name, text_literal

_DECIMAL = re.compile(r"decimal\((\d+),(\d+)\)")
_WHOLE = ("tinyint", "smallint", "int", "bigint")
_FLOATS = ("float", "double")
_COMPLEX = ("array<", "map<", "struct<")
# semantic types, by the end of their names: of texts in the connector's own form, and of numbers
# and times of day whose texts differ only in trailing zeros
_OWN_FORMS = ("Interval", "Duration", "ZonedTime")
_EXACT_TEXTS = ("Decimal", ".Time", "MicroTime", "NanoTime", "IsoTime")


def compared_columns(
    model: Mapping[str, Any], there: Mapping[str, str], origin: str
) -> dict[str, Any]:
    """Return how each column is compared.

    Args:
        model: of the table: `explain.find_table`, with `types`.
        there: types of the columns that were read, by name, before numbers became texts.
        origin: the kind of database, such as `postgresql`; empty for other rows.

    Returns:
        `columns`, arguments of the functions below; `not_compared`: mappings of `column` and `why`.
    """
    described = {one["name"]: one for one in [*model["call"]["columns"], *model["call"]["key"]]}
    companions = {exact_text_name(name) for name in described}
    names = {name.lower(): name for name in there}
    columns: list[dict[str, Any]] = []
    skipped = []
    used = set()
    for name in model["columns"]:
        if name in companions:
            continue
        source_name = described.get(name, {}).get("source_name") or name
        other = source_name if source_name in there else names.get(source_name.lower())
        used.add(source_name.lower())
        column = {
            "name": name,
            "there": other,
            "ours": model["types"][name.lower()],
            "theirs": there.get(other or "", ""),
            "semantic": described.get(name, {}).get("semantic") or "",
            # what a session in UTC prints of an instant has no zone
            "zone": "Z" if origin == "mysql" else "",
        }
        why = "there is no such column there" if other is None else _why_not(column, origin)
        if why:
            skipped.append({"column": name, "why": why})
        else:
            columns.append(column)
    skipped += [
        {"column": name, "why": "the table has no such column"}
        for name in there
        if name.lower() not in used
    ]
    return {"columns": columns, "not_compared": skipped}


def compared_texts(columns: Sequence[Mapping[str, Any]], side: str, alias: str) -> str:
    """Return SQL: an array of the texts of a row's values; `side`: `here` or `there`."""
    return f"array({', '.join(_text(column, side, alias) for column in columns)})"


def unreadable(columns: Sequence[Mapping[str, Any]], alias: str) -> str:
    """Return SQL: an array of the columns whose values there are none of our types."""
    names = (
        f"if({_value(column, 'there', alias)} is not null"
        f" and {_text(column, 'there', alias)} is null, {text_literal(column['name'])}, null)"
        for column in columns
    )
    return f"array_compact(array({', '.join(names)}))"


def key_there(columns: Sequence[Mapping[str, Any]], key: Sequence[str], alias: str) -> str:
    """Return SQL: what `_cdc_key` would be of a row there."""
    by_name = {column["name"]: column for column in columns}
    members = (f"{text_literal(name)}, {_typed(by_name[name], 'there', alias)}" for name in key)
    return exact_json(f"named_struct({', '.join(members)})")


def _why_not(column: Mapping[str, Any], origin: str) -> str | None:
    """Return why a column cannot be compared, None if it can."""
    ours, theirs, semantic = column["ours"], column["theirs"], column["semantic"]
    types = f"{ours} here, {theirs} there"
    if origin and semantic.endswith(_OWN_FORMS):
        return f"{types}: the connector writes it in a form of its own"
    is_text = ours == "string" and not semantic.endswith("Bits")
    fits = {
        "boolean": theirs in ("string", *_WHOLE),
        "date": theirs == "string",
        "timestamp": theirs == "string",
        "timestamp_ntz": theirs == "string",
        "string": is_text and semantic.endswith(_EXACT_TEXTS) and not theirs.startswith(_COMPLEX),
    }
    if _is_number(ours):
        return None if _is_number(theirs) or theirs in ("string", "boolean") else types
    return None if ours == theirs or fits.get(ours) else types


def _is_number(name: str) -> bool:
    return name in (*_WHOLE, *_FLOATS) or _DECIMAL.fullmatch(name) is not None


def _value(column: Mapping[str, Any], side: str, alias: str) -> str:
    return f"{alias}.{quoted_name(column['name'] if side == 'here' else column['there'])}"


def _typed(column: Mapping[str, Any], side: str, alias: str, wider: str = "") -> str:
    """Return SQL: a value as one of our column's type, NULL if it is none."""
    value, ours = _value(column, side, alias), column["ours"]
    if side == "here" or column["theirs"] == ours == "binary":
        return f"cast({value} as {wider})" if wider else value
    if ours == "timestamp" and column["theirs"] == "string":
        value = f"concat({value}, '{column['zone']}')"
    return value if ours.startswith(_COMPLEX) else f"try_cast({value} as {wider or ours})"


def _text(column: Mapping[str, Any], side: str, alias: str) -> str:
    """Return SQL: the text of a value."""
    ours = column["ours"]
    value = _typed(column, side, alias)
    if ours == "binary":
        return f"base64({value})"
    if ours.startswith(_COMPLEX):
        return f"if({value} is null, null, {exact_json(f'struct({value} as v)')})"
    if ours in _FLOATS:
        # -0.0 is 0.0
        return f"cast({value} + cast(0 as {ours}) as string)"
    if ours in _WHOLE or (found := _DECIMAL.fullmatch(ours)):
        # of our scale or more, so that nothing is rounded to be equal
        whole = 20 if ours in _WHOLE else int(found[1]) - int(found[2])  # type: ignore[index]
        number = _typed(column, side, alias, f"decimal(38,{38 - whole})")
        return f"if({number} = 0, '0', {_trimmed(f'cast({number} as string)')})"
    text = f"cast({value} as string)"
    return _trimmed(text) if column["semantic"].endswith(_EXACT_TEXTS) else text


def _trimmed(text: str) -> str:
    """Return SQL: a text of a number or time without trailing zeros of its fraction."""
    return f"if({text} rlike '[.][0-9]+$', regexp_replace({text}, '[.]?0+$', ''), {text})"
