"""What makes two records of one place equal, if they were read from nested columns.

Somebody else's table or files can gain or lose a column between two runs. The same row is then
written with a NULL more or a member less, and must not contradict the record that landed. So the
contents are compared: members that are not null, of columns that there still are, in any order.
"""

from __future__ import annotations

from collections.abc import Iterable

from pyspark.sql import types as T

from dbt_debezium_spark.flattened.recognised import MARKS
from dbt_debezium_spark.landing.nested.records import nested_columns
from dbt_debezium_spark.landing.repeats import CONTENT_HASH, hash_of
from dbt_debezium_spark.text.sql_text import text_literal

_VALUE = (
    "before map<string,string>, after map<string,string>, source map<string,string>,"
    " op string, ts_ms string"
)


def record_content(schemas: Iterable[T.StructType]) -> str:
    """Return the SQL of a hash of a record's content: of key and value if nothing is nested.

    Args:
        schemas: of the rows that were read.
    """
    names: set[str] = set()
    is_nested = False
    for schema in schemas:
        columns = nested_columns(schema)
        if columns is not None:
            is_nested = True
            names.update(columns)
    if not is_nested:
        return CONTENT_HASH
    known = ", ".join(text_literal(name) for name in sorted(names))
    is_known = f"array_contains(array({known}), name)" if names else "true"
    key = f"from_json({_payload('key')}, 'map<string,string>')"
    value = f"from_json({_payload('value')}, '{_VALUE}')"
    texts = [
        _members("value.before", is_known),
        _members("value.after", is_known),
        _members("value.source"),
        "value.op",
        "value.ts_ms",
    ]
    key_text = f"coalesce({_members(key)}, key, '')"
    parts = ", ".join(f"coalesce({text}, '')" for text in texts)
    content = f"to_json(array({parts}))"
    value_text = f"transform(array({value}), value -> if(value.op is null, null, {content}))[0]"
    row = f"from_json({_payload('value')}, 'map<string,string>')"
    is_row = " or ".join(f"map_contains_key(one, {text_literal(mark)})" for mark in MARKS)
    members = _members("one", is_known)
    row_text = f"transform(array({row}), one -> if({is_row}, {members}, null))[0]"
    return hash_of(key_text, f"coalesce({row_text}, {value_text}, value, '')")


def _payload(side: str) -> str:
    """Return SQL: the JSON text behind a schema that `struct_values` embedded."""
    found = f"instr({side}, ',\"payload\":')"
    return (
        f"if(startswith({side}, '{{\"schema\":{{') and {found} > 0,"
        f" substr({side}, {found} + 11), {side})"
    )


def _members(parsed: str, condition: str = "true") -> str:
    entries = f"map_entries(map_filter({parsed}, (name, one) -> one is not null and {condition}))"
    return f"to_json(array_sort({entries}))"
