"""Rows of Avro container files: a record is a value, or has the fields of a sink's envelope."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.inputs.avro.connect_schema import optional_member
from dbt_debezium_spark.inputs.avro.decode import connect_text
from dbt_debezium_spark.inputs.avro.errors import UnsupportedSchema
from dbt_debezium_spark.inputs.avro.parsing import Avro
from dbt_debezium_spark.inputs.avro.payload import json_text
from dbt_debezium_spark.inputs.avro.reader_schema import PLAIN, Shape
from dbt_debezium_spark.inputs.sinks.avro_blocks import AvroItems
from dbt_debezium_spark.inputs.sinks.row_columns import as_rows, numbered_rows
from dbt_debezium_spark.landing.record_values import LONG_MAX
from dbt_debezium_spark.landing.schemas import HEADERS_TYPE

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_TEXTS = ("string", "bytes", "enum")


def value_rows(items: AvroItems) -> DataFrame:
    """Return rows whose value is the record itself, with `ts_ms` of an envelope as timestamp."""
    whole = Field(F.col("item"), items.tree, items.shape)
    times = whole.member("ts_ms")
    rows = items.rows.select(
        "path",
        "seq",
        whole.text().alias("value"),
        (F.lit(None) if times is None else times.timestamp()).cast("timestamp").alias("timestamp"),
        *_reason(items),
    )
    return as_rows(numbered_rows(rows))


def header_rows(items: AvroItems) -> DataFrame:
    """Return rows whose record is a list of headers, each with key and value.

    Raises:
        UnsupportedSchema: it is not.
    """
    headers = Field(F.col("item"), items.tree, items.shape)
    rows = items.rows.select("path", "seq", headers.headers().alias("headers"))
    return as_rows(numbered_rows(rows))


def wrapped_rows(items: AvroItems, name: str) -> DataFrame:
    """Return rows of keys, as the `value`, or of headers, which Parquet has in a column.

    Raises:
        UnsupportedSchema: the column is missing, or it is of another type.
    """
    inner = Field(F.col("item"), items.tree, items.shape).member(name)
    if inner is None:
        raise UnsupportedSchema(f"it has no column `{name}`")
    found = inner.headers() if name == "headers" else inner.text()
    column = found.alias("headers" if name == "headers" else "value")
    return as_rows(numbered_rows(items.rows.select("path", "seq", column, *_reason(items))))


def field_rows(items: AvroItems) -> DataFrame:
    """Return rows of Aiven's sinks, whose record has the fields of the output.

    Raises:
        UnsupportedSchema: it has no value.
    """
    whole = Field(F.col("item"), items.tree, items.shape)
    value = whole.member("value")
    if value is None:
        raise UnsupportedSchema("its records have no field `value` (`input.envelope`)")
    return _rows(items, whole, whole, value)


def envelope_rows(items: AvroItems) -> DataFrame:
    """Return rows of Lenses' sinks, whose record is an envelope with metadata.

    The sink leaves the field `value` out if a record is a tombstone.

    Raises:
        UnsupportedSchema: it is no envelope.
    """
    whole = Field(F.col("item"), items.tree, items.shape)
    metadata, value = whole.member("metadata"), whole.member("value")
    if metadata is None:
        raise UnsupportedSchema("its records have no `metadata` (`store.envelope` of the sink)")
    if value is None and whole.member("key") is None:
        raise UnsupportedSchema("its records have neither `key` nor `value`")
    return _rows(items, whole, metadata, value)


def _rows(items: AvroItems, whole: Field, place: Field, value: Field | None) -> DataFrame:
    def column(field: Field | None, kind: str) -> Column:
        return F.lit(None).cast(kind) if field is None else field.column.try_cast(kind)

    key, headers = whole.member("key"), whole.member("headers")
    times = place.member("timestamp")
    rows = items.rows.select(
        "path",
        "seq",
        column(place.member("topic"), "string").alias("topic"),
        column(place.member("partition"), "int").alias("partition"),
        column(place.member("offset"), "bigint").alias("offset"),
        (F.lit(None) if times is None else times.timestamp()).cast("timestamp").alias("timestamp"),
        (F.lit(None) if key is None else key.text()).cast("string").alias("key"),
        (F.lit(None) if value is None else value.text()).cast("string").alias("value"),
        (F.lit(None) if headers is None else headers.headers()).cast(HEADERS_TYPE).alias("headers"),
        *_reason(items),
    )
    return as_rows(numbered_rows(rows))


def _reason(items: AvroItems) -> list[Column]:
    """Return the column with the reasons why rows cannot land, if there is one."""
    return [F.col("reason")] if "reason" in items.rows.columns else []


class Field:
    """A value that Spark decoded, with its Avro type."""

    def __init__(self, column: Column, tree: Avro, shape: Shape) -> None:
        """Keep the column and its type, without null.

        Args:
            column: the value.
            tree: its type.
            shape: its form in JSON.
        """
        self.column = column
        self._written = tree
        self.tree = optional_member(tree) or tree
        self.shape = shape

    def member(self, name: str) -> Field | None:
        """Return a field of a record, None if there is none, or of any other type."""
        if self.tree.type != "record":
            return None
        columns = {field: (column, shape) for field, column, shape in self.shape.members}
        for field in self.tree.fields:
            if field.name == name:
                column, shape = columns.get(name, (name, PLAIN))
                return Field(self.column.getField(column), field.type, shape)
        return None

    def text(self) -> Column:
        """Return the value as Connect writes it."""
        return connect_text(self.column, self._written, self.shape)

    def timestamp(self) -> Column:
        """Return a number of milliseconds as a timestamp, null for any other value."""
        if self.tree.type not in ("int", "long"):
            return F.lit(None).cast("timestamp")
        fits = self.column.between(0, LONG_MAX // 1000)
        return F.when(fits, F.timestamp_millis(self.column.cast("bigint")))

    def headers(self) -> Column:
        """Return headers from a list of key and value, a map, or a record of named headers.

        Raises:
            UnsupportedSchema: the type is another one.
        """
        if self.tree.type == "null":
            return F.lit(None)
        if self.tree.type == "array":
            item = optional_member(self.tree.branches[0]) or self.tree.branches[0]
            if {field.name for field in item.fields} == {"key", "value"}:
                return F.transform(
                    self.column,
                    lambda item: F.struct(
                        item.getField("key").cast("string").alias("key"),
                        item.getField("value").cast("string").alias("value"),
                    ),
                )
        if self.tree.type == "map":
            value = self.tree.branches[0]
            shape = self.shape.members[1][2] if self.shape.members else PLAIN
            return F.transform(
                F.map_entries(self.column),
                lambda item: F.struct(
                    item.getField("key").alias("key"),
                    _header_text(item.getField("value"), value, shape).alias("value"),
                ),
            )
        if self.tree.type == "record":
            members = [(field.name, self.member(field.name)) for field in self.tree.fields]
            return F.array(
                *[
                    F.struct(
                        F.lit(name).alias("key"),
                        _header_text(member.column, member.tree, member.shape).alias("value"),
                    )
                    for name, member in members
                    if member is not None
                ]
            ).cast(HEADERS_TYPE)
        raise UnsupportedSchema(f"its headers are of the type `{self.tree.type}`")


def _header_text(value: Column, tree: Avro, shape: Shape) -> Column:
    if (optional_member(tree) or tree).type in _TEXTS:
        return value.cast("string")
    return F.when(value.isNotNull(), json_text(value, shape))
