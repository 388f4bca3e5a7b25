"""The JSON text of a record that arrives in nested columns, with Connect's schema of its types.

The rest of the project reads the text as it reads any record with an embedded schema. There are
only expressions, no UDFs.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pyspark.sql import types as T

from dbt_debezium_spark.landing.nested.value_types import (
    Value,
    Written,
    column,
    invalid_texts,
    moment_number,
    part,
    struct,
)
from dbt_debezium_spark.text.sql_text import text_literal

# A struct has every member, so a NULL is a NULL, and an absent column is absent.
_TO_JSON = "map('ignoreNullFields', 'false')"
_NULL_TEXT = "cast(null as string)"


class Member(NamedTuple):
    """A member of a record.

    Attributes:
        name: its name in the record.
        sql: its value in SQL.
        kind: its type.
        nullable: whether the type allows NULL.
        spellings: of a struct, by name in lower case the name of a member in the record.
    """

    name: str
    sql: str
    kind: T.DataType
    nullable: bool = True
    spellings: Mapping[str, str] | None = None


@dataclass(frozen=True)
class RecordText:
    """A key or value as SQL.

    Attributes:
        text: SQL: the JSON text; NULL for a null record.
        problem: SQL: the reason why the text is not exact; NULL if it is.
        schema: the embedded schema; None without one.
    """

    text: str
    problem: str
    schema: dict[str, Any] | None


def connect_text(
    members: Sequence[Member],
    *,
    rows: Collection[str] | None = None,
    is_null: str | None = None,
    embeds_schema: bool = True,
    wall_clock: bool = False,
) -> RecordText:
    """Return the text of a record with some members, `{"schema":…,"payload":…}`.

    Members that are columns are written as the converter of a connector writes them; what is inside
    a map or a struct is written as text that a person reads. Columns of a row are sorted by name in
    the payload, so the order of columns in a file or table changes no text.

    Args:
        members: the members, in the order of the record.
        rows: names of the members that are rows of a table, like `before` and `after`. None if the
            members themselves are the columns of a row, as in a key or a flattened record.
        is_null: SQL: whether the record is null; by default if all members are.
        embeds_schema: whether the text has a schema. Without one, types come from elsewhere.
        wall_clock: whether a TIMESTAMP is a time without a zone, stored as if it was UTC.

    Raises:
        UnsupportedType: a member is of a type that no record has.
    """
    written = [(member, _written(member, rows, wall_clock)) for member in members]
    in_order = sorted(written, key=lambda pair: pair[0].name) if rows is None else written
    record = _named_struct([(member.name, form.sql) for member, form in in_order])
    text = payload = f"to_json({record}, {_TO_JSON})"
    schema: dict[str, Any] | None = None
    if embeds_schema and _have_types(members, rows or ()):
        fields = [_field(form.schema, member.name, member.nullable) for member, form in written]
        schema = {"type": "struct", "fields": fields, "optional": False}
        head = '{"schema":' + _json(schema) + ',"payload":'
        text = f"concat({text_literal(head)}, {payload}, '}}')"
    if is_null is None:
        is_null = " and ".join(f"{member.sql} is null" for member in members)
    return RecordText(f"if({is_null}, null, {text})", _problem(members), schema)


def plain_text(member: Member) -> RecordText:
    """Return the JSON text of a map or a variant, which have no columns.

    Raises:
        UnsupportedType: no record has such a value.
    """
    value = part(Value(member.sql, member.kind, member.name))
    return RecordText(f"to_json({value.sql}, {_TO_JSON})", _problem([member]), None)


def _written(member: Member, rows: Collection[str] | None, wall_clock: bool) -> Written:
    value = Value(member.sql, member.kind, member.name)
    if rows is None:
        return column(value, wall_clock=wall_clock)
    if member.name in rows and isinstance(member.kind, T.StructType):
        return _row(value, member.kind, wall_clock)
    if isinstance(member.kind, T.StructType):
        return struct(value, member.kind, member.spellings)
    return moment_number(value) or part(value)


def _have_types(members: Sequence[Member], rows: Collection[str]) -> bool:
    """Return whether the rows have columns: a map or a variant has none that are known."""
    return all(
        isinstance(member.kind, T.StructType | T.StringType | T.NullType)
        for member in members
        if member.name in rows
    )


def _row(value: Value, kind: T.StructType, wall_clock: bool) -> Written:
    fields = [(field, column(value.member(field), wall_clock=wall_clock)) for field in kind.fields]
    schema = {
        "type": "struct",
        "fields": [_field(form.schema, field.name, field.nullable) for field, form in fields],
    }
    in_order = sorted(fields, key=lambda pair: pair[0].name)
    row = _named_struct([(field.name, form.sql) for field, form in in_order])
    return Written(f"if({value.sql} is null, null, {row})", schema)


def _field(schema: dict[str, Any], name: str, nullable: bool) -> dict[str, Any]:
    return {**schema, "optional": nullable, "field": name}


def _named_struct(members: Sequence[tuple[str, str]]) -> str:
    return f"named_struct({', '.join(f'{text_literal(name)}, {sql}' for name, sql in members)})"


def _problem(members: Sequence[Member]) -> str:
    branches = [
        f"when {condition} then {text_literal(f'bad_value: {name}: not UTF-8')}"
        for member in members
        for name, condition in invalid_texts(Value(member.sql, member.kind, member.name))
    ]
    return f"case {' '.join(branches)} end" if branches else _NULL_TEXT


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
