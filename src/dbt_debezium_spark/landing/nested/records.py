"""Records in nested columns: which columns are a record, and rows with its key and value as text.

The value is a struct in the column `value`, or the members of Debezium's envelope are columns of
their own. The columns of a flattened row become such a struct in `kafka_columns`. The key is a
struct, or plain as in any other input.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from dbt_debezium_spark.config.table_input import COLUMNS, WALL_CLOCK, NestedConfig
from dbt_debezium_spark.flattened.recognised import row_columns
from dbt_debezium_spark.landing.nested.value_types import member_sql
from dbt_debezium_spark.landing.nested.values import (
    Member,
    RecordText,
    connect_text,
    plain_text,
)
from dbt_debezium_spark.text.sql_text import quoted_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

# The column that `row_rules` reads: the reason why a row's key or value is not exact.
PROBLEM = "_nested_problem"
ROWS = ("before", "after")
# In the converter's order: readers look for the source block behind the rows.
_ENVELOPE = (
    *("before", "after", "patch", "filter", "updateDescription"),
    *("source", "transaction", "op", "ts_ms", "ts_us", "ts_ns"),
)
# Records of a connector that are no change events. Each set identifies its kind.
_OTHERS = (
    ("ddl", "tableChanges"),
    ("status", "event_count"),
)
_OTHER_MEMBERS = (
    *("source", "position", "databaseName", "schemaName", "ddl", "tableChanges"),
    *("status", "id", "ts_ms", "event_count", "data_collections"),
)
# Hive's metastore keeps names in lower case.
_SPELLINGS = {
    name.lower(): name
    for name in (*_ENVELOPE, *_OTHER_MEMBERS, "txId", "txnNumber", "wallTime", "txSeq")
}


_DEFAULT = NestedConfig()


def has_envelope(schema: T.StructType) -> bool:
    """Return whether members of a record's value are columns of the schema."""
    return bool(_members_of_value(_columns(schema)))


def envelope_columns(schema: T.StructType) -> list[str]:
    """Return the names of the columns that are members of a record's value."""
    return [_column_name(member) for member in _members_of_value(_columns(schema))]


def nested_columns(schema: T.StructType) -> set[str] | None:
    """Return the names of the columns in the rows of nested records; None if nothing is nested."""
    by_name = {field.name.lower(): field.dataType for field in schema.fields}
    value = by_name.get("value")
    if value is None:
        members = _members_of_value(_columns(schema))
        if not members:
            return None
    elif isinstance(value, T.StructType):
        payload = _payload(value)
        kind = value if payload is None else payload.dataType
        if row_columns(kind.names):
            return set(kind.names)
        members = _members_of_value(_members_of("", kind))
    else:
        return set() if _is_nested(value) or _is_nested(by_name.get("key")) else None
    rows = [member.kind for member in members if member.name in ROWS]
    return {name for kind in rows if isinstance(kind, T.StructType) for name in kind.names}


def texts_of(
    schema: T.StructType, options: NestedConfig = _DEFAULT
) -> tuple[dict[str, RecordText], set[str]]:
    """Return the texts of nested sides in rows of a schema, and the columns that they replace.

    Raises:
        UnsupportedType: a column is of a type that no record has.
    """
    by_name = {field.name.lower(): field for field in schema.fields}
    texts: dict[str, RecordText] = {}
    replaced: set[str] = set()
    for side in ("key", "value"):
        field = by_name.get(side)
        if field is not None and _is_nested(field.dataType):
            texts[side] = _text_of(field, side, options)
            replaced.add(field.name)
    if "value" not in by_name:
        members = _members_of_value(_columns(schema))
        if members:
            texts["value"] = _envelope(members, None, options)
            replaced.update(_column_name(member) for member in members)
    return texts, replaced


def with_texts(rows: DataFrame, options: NestedConfig = _DEFAULT) -> DataFrame:
    """Return rows with a key and a value that are text or bytes.

    Args:
        rows: Kafka's columns; `key` and `value` may be structs, and without a column `value` the
            members of the envelope may be columns.
        options: how nested columns are read.

    Returns:
        The rows themselves if nothing is nested. Otherwise the nested columns are replaced, and
        `PROBLEM` is the reason why a row cannot be read exactly.

    Raises:
        UnsupportedType: a column is of a type that no record has.
    """
    texts, replaced = texts_of(rows.schema, options)
    if not texts:
        return rows
    kept = [F.col(quoted_name(name)) for name in rows.columns if name not in replaced]
    problems = [text.problem for text in texts.values()]
    expressions = [f"{text.text} as {side}" for side, text in texts.items()]
    expressions.append(f"coalesce({', '.join(problems)}) as {PROBLEM}")
    return rows.select(*kept, *[F.expr(text) for text in expressions])


def _is_nested(kind: T.DataType | None) -> bool:
    return isinstance(kind, T.StructType | T.MapType | T.VariantType)


def _text_of(field: T.StructField, side: str, options: NestedConfig) -> RecordText:
    sql, kind = quoted_name(field.name), field.dataType
    if not isinstance(kind, T.StructType):
        return plain_text(Member(side, sql, kind))
    is_null = f"{sql} is null"
    if side == "value":
        payload = _payload(kind)
        if payload is not None:
            sql, kind = f"{sql}.{quoted_name(payload.name)}", payload.dataType
        # A flattened row may have columns of any name, also `op` and `source`.
        is_row = bool(row_columns(kind.names))
        members = [] if is_row else _members_of_value(_members_of(sql, kind))
        if members:
            return _envelope(members, is_null, options)
    members = _members_of(sql, kind)
    return connect_text(
        members,
        is_null=is_null,
        embeds_schema=options.types == COLUMNS,
        wall_clock=options.timestamps == WALL_CLOCK,
    )


def _payload(kind: T.StructType) -> T.StructField | None:
    """Return the payload of a record that was parsed with its schema."""
    for field in kind.fields:
        if field.name.lower() == "payload" and isinstance(field.dataType, T.StructType):
            is_record = row_columns(field.dataType.names) or _members_of_value(
                _members_of("p", field.dataType)
            )
            return field if is_record else None
    return None


def _envelope(members: list[Member], is_null: str | None, options: NestedConfig) -> RecordText:
    is_event = any(member.name == "op" for member in members)
    return connect_text(
        members,
        rows=ROWS,
        is_null=is_null,
        embeds_schema=is_event and options.types == COLUMNS,
        wall_clock=options.timestamps == WALL_CLOCK,
    )


def _members_of_value(columns: Sequence[Member]) -> list[Member]:
    """Return the members of a record's value among some columns; none if they are no record."""
    by_name = {_spelt(column.name): column for column in columns}
    if "op" in by_name and ("source" in by_name or any(name in by_name for name in ROWS)):
        return _named(by_name, _ENVELOPE)
    if any(all(name in by_name for name in names) for names in _OTHERS):
        return _named(by_name, _OTHER_MEMBERS)
    return []


def _named(by_name: dict[str, Member], names: Iterable[str]) -> list[Member]:
    return [
        by_name[name]._replace(name=name, spellings=_SPELLINGS) for name in names if name in by_name
    ]


def _spelt(name: str) -> str:
    return _SPELLINGS.get(name.lower(), name)


def _columns(schema: T.StructType) -> list[Member]:
    return [
        Member(field.name, quoted_name(field.name), field.dataType, field.nullable)
        for field in schema.fields
    ]


def _members_of(sql: str, kind: T.DataType) -> list[Member]:
    assert isinstance(kind, T.StructType)
    return [member._replace(sql=member_sql(sql, member.name)) for member in _columns(kind)]


def _column_name(member: Member) -> str:
    return member.sql[1:-1].replace("``", "`")
