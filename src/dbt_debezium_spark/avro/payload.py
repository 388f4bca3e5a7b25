"""Spark's expressions that print a value read by `reader_schema` as Connect's JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.avro.reader_schema import INSIDE, PLAIN, Shape

if TYPE_CHECKING:
    from pyspark.sql import Column

# The converter writes every field of a struct.
TO_JSON = {"ignoreNullFields": "false"}
NULL = "null"


def json_text(value: Column, shape: Shape) -> Column:
    """Return the JSON text of a value; of a null value `null`."""
    if shape.is_plain:
        # `to_json` takes no single values: one in a struct, and its text without `{"v":` and `}`.
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
    """Return the members of an object; neighbours that `to_json` prints alone go together."""
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
    inner = shape.members[0][2]
    if shape.kind == "array":
        texts = F.transform(value, lambda one: json_text(one, inner))
        return _listed("[", texts, "]")
    if shape.kind == "map":
        texts = F.transform(
            F.map_entries(value),
            lambda one: F.concat(
                json_text(one.getField("key"), PLAIN),
                F.lit(":"),
                json_text(one.getField("value"), inner),
            ),
        )
        return _listed("{", texts, "}")
    value_shape = shape.members[1][2]
    texts = F.transform(
        value,
        lambda one: F.concat(
            F.lit("["),
            json_text(one.getField("key"), inner),
            F.lit(","),
            json_text(one.getField("value"), value_shape),
            F.lit("]"),
        ),
    )
    return _listed("[", texts, "]")


def _listed(opening: str, texts: Column, closing: str) -> Column:
    return F.concat(F.lit(opening), F.array_join(texts, ","), F.lit(closing))
