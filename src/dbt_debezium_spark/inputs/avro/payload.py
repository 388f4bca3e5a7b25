"""Spark expressions that write a value of `reader_schema` as Connect's JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.inputs.avro.reader_schema import INSIDE, Shape

if TYPE_CHECKING:
    from pyspark.sql import Column

# The converter writes every field of a struct.
TO_JSON = {"ignoreNullFields": "false"}
NULL = "null"


def json_text(value: Column, shape: Shape) -> Column:
    """Return the JSON text of a value, `null` for a null value."""
    if shape.is_plain:
        # `to_json` needs a struct, so `{"v":` and `}` are removed from its text.
        whole = F.to_json(F.struct(value.alias("v")), TO_JSON)
        return F.regexp_extract(whole, "(?s)^.{5}(.*).$", 1)
    if shape.kind == "record":
        text = _object(_record_parts(value, shape))
    elif shape.kind == "union":
        text = _object(_union_parts(value, shape))
    else:
        text = _collection(value, shape)
    return F.when(value.isNull(), F.lit(NULL)).otherwise(text)


def _record_parts(value: Column, shape: Shape) -> list[Column]:
    """Return the members of an object; one `to_json` writes adjacent plain members."""
    parts: list[Column] = []
    plain: list[Column] = []

    def flush() -> None:
        if plain:
            parts.append(F.regexp_extract(F.to_json(F.struct(*plain), TO_JSON), "(?s)^.(.*).$", 1))
            plain.clear()

    for name, column, inner in shape.members:
        part = value.getField(column)
        if inner.is_plain and name == column:
            plain.append(part.alias(name))
            continue
        flush()
        parts.append(F.concat(F.lit(json.dumps(name) + ":"), json_text(part, inner)))
    flush()
    return parts


def _union_parts(value: Column, shape: Shape) -> list[Column]:
    parts = []
    for name, column, inner in shape.members:
        member = value.getField(column)
        text = F.when(member.isNull(), F.lit(NULL)).otherwise(
            json_text(member.getField(INSIDE), inner)
        )
        parts.append(F.concat(F.lit(json.dumps(name) + ":"), text))
    return parts


def _object(parts: list[Column]) -> Column:
    return F.concat(F.lit("{"), F.concat_ws(",", *parts), F.lit("}"))


def _collection(value: Column, shape: Shape) -> Column:
    if shape.kind == "array":
        inner = shape.members[0][2]
        return _joined_texts("[", F.transform(value, lambda item: json_text(item, inner)), "]")
    entries = F.map_entries(value) if shape.kind == "map" else value
    (_, _, key), (_, _, inner) = shape.members

    def pair(item: Column) -> tuple[Column, Column]:
        return json_text(item.getField("key"), key), json_text(item.getField("value"), inner)

    if shape.kind == "pairs":
        texts = F.transform(entries, lambda item: _joined_texts("[", F.array(*pair(item)), "]"))
        return _joined_texts("[", texts, "]")
    return _joined_texts("{", F.transform(entries, lambda item: F.concat_ws(":", *pair(item))), "}")


def _joined_texts(opening: str, texts: Column, closing: str) -> Column:
    return F.concat(F.lit(opening), F.array_join(texts, ","), F.lit(closing))
