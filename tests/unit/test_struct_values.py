"""The SQL and the Connect schema of nested values, without Spark."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pyspark.sql import types as T

from dbt_debezium_spark.decode.record_schema import schema_problem
from dbt_debezium_spark.landing.nested.records import has_envelope, nested_columns, texts_of
from dbt_debezium_spark.landing.nested.value_types import (
    UnsupportedType,
    Value,
    column,
    invalid_texts,
)
from dbt_debezium_spark.landing.nested.values import Member, connect_text
from tests.type_cases import decimal, encoded


def struct(**members: T.DataType) -> T.StructType:
    return T.StructType([T.StructField(name, kind) for name, kind in members.items()])


def schema_of(shorthand: str) -> dict[str, Any]:
    """Return the schema that a shorthand of the type cases stands for."""
    told = encoded(shorthand)
    names = {"type": "type", "semantic": "name", "parameters": "parameters"}
    return {names[name]: one for name, one in told.items() if name in names}


ROW = struct(id=T.LongType(), price=T.DecimalType(10, 2), at=T.TimestampType())
ENVELOPE = [
    Member("before", "`before`", ROW),
    Member("after", "`after`", ROW),
    Member("source", "`source`", struct(lsn=T.LongType())),
    Member("op", "`op`", T.StringType()),
]

TEXT, WHOLE, DOUBLE, BYTES = T.StringType(), T.IntegerType(), T.DoubleType(), T.BinaryType()
SPARSE = struct(dimensions=T.ShortType(), vector=T.MapType(T.ShortType(), DOUBLE))
DATES = {**schema_of("int32 t.Date"), "optional": True}
MAP = {
    "type": "map",
    "keys": {"type": "string", "optional": False},
    "values": {"type": "int32", "optional": True},
}
SCHEMAS: list[tuple[T.DataType, Any]] = [
    (TEXT, "string"),
    (T.VarcharType(20), "string"),
    (T.BooleanType(), "boolean"),
    (T.ByteType(), "int8"),
    (T.ShortType(), "int16"),
    (WHOLE, "int32"),
    (T.LongType(), "int64"),
    (T.FloatType(), "float"),
    (DOUBLE, "double"),
    (BYTES, "bytes"),
    (T.DateType(), "int32 t.Date"),
    (T.TimeType(6), "int64 t.MicroTime"),
    (T.TimestampType(), "string t.ZonedTimestamp"),
    (T.TimestampNTZType(), "int64 t.MicroTimestamp"),
    (T.VariantType(), "string d.Json"),
    (T.NullType(), "string"),
    (T.DecimalType(38, 9), decimal(38, 9)),
    (T.ArrayType(T.DateType()), {"type": "array", "items": DATES}),
    (T.MapType(TEXT, WHOLE), MAP),
    (struct(a=WHOLE), "struct"),
    (struct(value=BYTES, scale=WHOLE), "struct d.VariableScaleDecimal"),
    (struct(wkb=BYTES, srid=WHOLE), "struct d.geometry.Geometry"),
    (struct(x=DOUBLE, y=DOUBLE, wkb=BYTES, srid=WHOLE), "struct d.geometry.Point"),
    (SPARSE, "struct d.SparseDoubleVector"),
]


@pytest.mark.parametrize(("kind", "schema"), SCHEMAS, ids=lambda one: str(one)[:40])
def test_a_type_of_spark_has_a_schema_of_connect(kind: T.DataType, schema: Any) -> None:
    expected = schema_of(schema) if isinstance(schema, str) else schema
    assert column(Value("x", kind, "x")).schema == expected


def test_an_unknown_type_is_refused_by_its_place() -> None:
    kind = T.StructType([T.StructField("length", T.CalendarIntervalType())])
    with pytest.raises(UnsupportedType, match=r"`after\.length` is of type interval"):
        column(Value("x", kind, "after"))


def test_a_name_in_which_spark_puts_a_variable_is_refused() -> None:
    row = T.StructType([T.StructField("${env:HOME}", T.IntegerType())])
    for kind in (row, T.StructType([T.StructField("in", row)])):
        with pytest.raises(UnsupportedType, match="puts a variable for"):
            connect_text([Member("after", "`after`", kind)], rows=("after",))
    with pytest.raises(UnsupportedType, match="puts a variable"):
        texts_of(T.StructType([T.StructField("key", row)]))


def test_the_schema_is_one_that_a_converter_can_write() -> None:
    record = connect_text(ENVELOPE, rows=("before", "after"))
    assert schema_problem("value", json.dumps(record.schema)) is None
    fields = {field["field"]: field for field in record.schema["fields"]}
    assert [field["field"] for field in fields["after"]["fields"]] == ["id", "price", "at"]
    key = connect_text([Member("id", "`key`.`id`", T.LongType(), nullable=False)])
    assert key.schema["fields"] == [{"type": "int64", "optional": False, "field": "id"}]
    assert schema_problem("key", json.dumps(key.schema)) is None


def test_the_order_of_a_row_s_columns_changes_its_schema_only() -> None:
    turned = T.StructType(list(reversed(ROW.fields)))
    texts = [
        connect_text(
            [ENVELOPE[0]._replace(kind=kind), ENVELOPE[3]], rows=("before",), embeds_schema=False
        ).text
        for kind in (ROW, turned)
    ]
    assert texts[0] == texts[1]


def test_a_row_without_columns_has_no_schema() -> None:
    kind = T.MapType(T.StringType(), T.StringType())
    record = connect_text([ENVELOPE[1]._replace(kind=kind), ENVELOPE[3]], rows=("after",))
    assert record.schema is None and "schema" not in record.text


def test_every_text_is_checked() -> None:
    kind = struct(
        a=T.StringType(),
        b=T.ArrayType(T.StringType()),
        c=T.MapType(T.StringType(), T.StringType()),
        d=struct(e=T.StringType()),
        f=T.LongType(),
    )
    assert list(invalid_texts(Value("x", kind, "after"))) == [
        ("after.a", "not is_valid_utf8(x.`a`)"),
        ("after.b", "exists(x.`b`, e0 -> not is_valid_utf8(e0))"),
        ("after.c", "exists(map_keys(x.`c`), e0 -> not is_valid_utf8(e0))"),
        ("after.c", "exists(map_values(x.`c`), e0 -> not is_valid_utf8(e0))"),
        ("after.d.e", "not is_valid_utf8(x.`d`.`e`)"),
    ]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ("before after source op ts_ms topic", True),
        ("AFTER OP offset", True),
        ("op source", True),
        ("source databaseName ddl tablechanges", True),
        ("status id event_count data_collections", True),
        ("op amount", False),
        ("after source", False),
        ("topic partition offset value", False),
    ],
)
def test_an_envelope_is_known_by_its_members(names: str, expected: bool) -> None:
    assert has_envelope(struct(**dict.fromkeys(names.split(), T.StringType()))) is expected


def test_a_flattened_row_is_a_record_with_its_columns_whatever_their_names() -> None:
    row = struct(op=T.StringType(), source=ROW, after=ROW, __deleted=T.StringType())
    for value in (row, struct(schema=T.StringType(), payload=row)):
        schema = struct(topic=T.StringType(), value=value)
        texts, replaced = texts_of(schema)
        assert replaced == {"value"}
        told = texts["value"].schema
        assert told is not None
        assert [field["field"] for field in told["fields"]] == row.names
        assert nested_columns(schema) == set(row.names)
