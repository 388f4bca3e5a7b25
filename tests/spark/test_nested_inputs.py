"""Records in nested columns: every value exact, whatever the session's time zone is."""

from __future__ import annotations

import itertools
import json
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from dbt_debezium_spark.catalog.schema_node import columns_of_value
from dbt_debezium_spark.config.table_input import NestedConfig
from dbt_debezium_spark.decode import decode, prepare
from dbt_debezium_spark.landing.nested.records import PROBLEM, with_texts
from tests.support.landing_lake import BETWEEN, EARLY, SCHEMA, Lake

_serial = itertools.count(1)
_CONFIG = {"connector": "postgresql", "decimal_format": "base64"}
# Each row of a test is of one partition.
_PLACE = "'p.shop.orders' as topic, 0 as partition, cast({offset} as bigint) as offset"
_SOURCE = (
    "named_struct('connector', 'postgresql', 'name', 'p', 'db', 'd', 'schema', 'shop',"
    " 'table', 'orders', 'lsn', 24023128L, 'txId', 555L, 'snapshot', 'false')"
)

# A literal of Spark, and what staging must make of it; None for the value itself.
VALUES: list[tuple[str, str | None]] = [
    ("9007199254740993L", None),
    ("cast(-7 as tinyint)", "-7"),
    ("cast(-32768 as smallint)", "-32768"),
    ("cast(99999999999999999.9 as decimal(18,1))", None),
    ("cast(-0.05 as decimal(5,2))", None),
    ("cast(0 as decimal(10,2))", None),
    ("cast('0.000000000000000001' as decimal(38,18))", None),
    ("cast('-99999999999999999999999999999999999999' as decimal(38,0))", None),
    ("cast('-18446744073709551616.5' as decimal(21,1))", None),
    ("cast('9223372036854775808' as decimal(20,0))", None),
    ("cast(0.1 as float)", None),
    ("1.7976931348623157E308D", None),
    ("4.9E-324D", None),
    ("-0.0D", None),
    ("double('NaN')", None),
    ("float('-Infinity')", None),
    ("true", None),
    ("X'00ff10'", None),
    ("X''", None),
    ("date'0001-01-01'", None),
    ("date'9999-12-31'", None),
    ("timestamp'2021-03-14 02:30:00.123456 UTC'", None),
    ("timestamp'1900-01-01 00:00:00.000001 UTC'", None),
    ("timestamp_ntz'2021-03-14 02:30:00.5'", None),
    ("timestamp_ntz'0001-01-01 00:00:00.000001'", None),
    ("'quote \" backslash \\\\ newline \\n null \\u0000 ä 𝄞'", None),
    ("''", None),
    ("cast('x' as char(3))", None),
    ("array(cast(1.50 as decimal(5,2)), null)", None),
    ("array(timestamp_ntz'2021-03-14 02:30:00', null)", None),
    ("array(array(X'01'), array())", None),
    ("map('b', 1.50BD, 'a', cast(null as decimal(3,2)))", "map('b', '1.50', 'a', null)"),
    (
        "map('t', timestamp'2021-03-14 02:30:00.5 UTC')",
        "map('t', '2021-03-14T02:30:00.5Z')",
    ),
    ("map(2, date'2021-03-14')", "map('2', '2021-03-14')"),
    (
        "named_struct('b', cast('0.0000000001' as decimal(30,10)), 'a', X'ff', 'n', null)",
        '\'{"b":"0.0000000001","a":"/w==","n":null}\'',
    ),
    ("named_struct('scale', 2, 'value', X'ff7f')", "'-1.29'"),
    ("named_struct('wkb', X'0101', 'srid', 4326)", None),
    ("cast(null as int)", None),
    ("cast(null as struct<a:int>)", "cast(null as string)"),
]


@pytest.fixture
def zoned(spark: SparkSession) -> SparkSession:
    """A session far from UTC, with a clock that jumps."""
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", "America/New_York")
    session.conf.set("spark.sql.ansi.enabled", "false")
    return session


def envelope(row: str, *, offset: int = 0, op: str = "c", key: str = "1") -> str:
    """A SELECT of one record whose value's members are columns."""
    return (
        f"select {_PLACE.format(offset=offset)}, named_struct('id', {key}) as key,"
        f" {row} as after, {_SOURCE} as source, '{op}' as op, {EARLY}L + {offset} as ts_ms"
    )


def columns_of(text: str) -> list[dict[str, Any]]:
    """Return the columns in the embedded schema of a record as the catalog reads them."""
    nodes = columns_of_value(json.dumps(json.loads(text)["schema"]))
    assert nodes is not None

    def column(node: dict[str, Any]) -> dict[str, Any]:
        items = node.get("items")
        return {
            "name": node.get("field"),
            "type": node["type"],
            "semantic": node.get("name"),
            "parameters": node.get("parameters"),
            "items": None if items is None else column(items),
        }

    return [column(json.loads(node.text)) for node in nodes]


def staged(rows: DataFrame) -> DataFrame:
    """Return the columns of the records as staging decodes them."""
    text = rows.first()["value"]
    parsed = rows.selectExpr(
        "from_json(value, 'payload struct<after:map<string,string>>').payload.after as image"
    )
    columns = columns_of(text)
    prepared = parsed.select(
        *[
            F.expr(prepare(_CONFIG, one, f"image['{one['name']}']")).alias(one["name"])
            for one in columns
        ]
    )
    return prepared.select(
        *[F.expr(decode(_CONFIG, one, one["name"])).alias(one["name"]) for one in columns]
    )


def test_every_value_of_every_type_is_exact(zoned: SparkSession) -> None:
    names = [f"c{number}" for number in range(len(VALUES))]
    row = ", ".join(f"'{name}', {sql}" for name, (sql, _) in zip(names, VALUES, strict=True))
    rows = with_texts(zoned.sql(envelope(f"named_struct({row})")))
    assert rows.first()[PROBLEM] is None

    found = staged(rows)
    wanted = zoned.sql(
        "select "
        + ", ".join(
            f"cast({other or sql} as {found.schema[name].dataType.simpleString()}) as {name}"
            for name, (sql, other) in zip(names, VALUES, strict=True)
        )
    )
    # Text of the whole row: NaN equals itself, and -0.0 differs from 0.0.
    shown = [
        frame.selectExpr(*[f"cast({name} as string) as {name}" for name in names]).first().asDict()
        for frame in (found, wanted)
    ]
    assert shown[0] == shown[1]
    binary = [name for name in names if isinstance(found.schema[name].dataType, T.BinaryType)]
    assert len(binary) == 2
    assert [found.first()[name] for name in binary] == [b"\x00\xff\x10", b""]
    types = {
        sql: found.schema[name].dataType.simpleString()
        for name, (sql, _) in zip(names, VALUES, strict=True)
    }
    assert types["cast(-0.05 as decimal(5,2))"] == "decimal(5,2)"
    assert types["timestamp'2021-03-14 02:30:00.123456 UTC'"] == "timestamp"
    assert types["timestamp_ntz'2021-03-14 02:30:00.5'"] == "timestamp_ntz"
    assert types["date'0001-01-01'"] == "date"


def test_the_text_does_not_depend_on_the_session(spark: SparkSession, zoned: SparkSession) -> None:
    row = "named_struct('at', timestamp'2021-03-14 02:30:00 UTC', 'on', date'2021-03-14')"
    texts = {with_texts(one.sql(envelope(row))).first()["value"] for one in (spark, zoned)}
    assert len(texts) == 1


def test_a_wall_clock_timestamp_is_one_without_a_zone(zoned: SparkSession) -> None:
    rows = zoned.sql(envelope("named_struct('at', timestamp'2021-03-14 02:30:00.5 UTC')"))
    found = staged(with_texts(rows, NestedConfig(timestamps="wall_clock")))
    assert found.first()["at"] == datetime(2021, 3, 14, 2, 30, 0, 500_000)


def test_types_may_come_from_elsewhere(zoned: SparkSession) -> None:
    rows = zoned.sql(envelope("named_struct('id', 1, 'on', 18700)"))
    text = with_texts(rows, NestedConfig(types="none")).first()["value"]
    assert json.loads(text)["after"] == {"id": 1, "on": 18700}


def test_a_value_in_one_column_is_read_alike(zoned: SparkSession) -> None:
    row = "named_struct('id', 1, 'name', cast(null as string))"
    columns = with_texts(zoned.sql(envelope(row))).first()
    members = "named_struct('after', after, 'source', source, 'op', op, 'ts_ms', ts_ms)"
    for value in (members, f"named_struct('schema', 'x', 'payload', {members})"):
        rows = zoned.sql(envelope(row)).selectExpr(
            "topic", "partition", "offset", "key", f"{value} as value"
        )
        one = with_texts(rows).first()
        assert (one["key"], one["value"]) == (columns["key"], columns["value"])
    assert json.loads(columns["value"])["payload"]["after"] == {"id": 1, "name": None}


def test_a_null_struct_is_a_tombstone_and_one_of_nulls_is_not(zoned: SparkSession) -> None:
    kind = "struct<after:struct<id:int>,op:string>"
    rows = zoned.sql(
        f"select 't' as topic, 0 as partition, 0L as offset, cast(null as {kind}) as value"
        f" union all select 't', 0, 1L, cast(named_struct('after', null, 'op', null) as {kind})"
    )
    tombstone, other = with_texts(rows).orderBy("offset").collect()
    assert tombstone["value"] is None
    assert json.loads(other["value"])["payload"] == {"after": None, "op": None}


def test_a_text_that_is_not_utf_8_is_told_with_its_column(zoned: SparkSession) -> None:
    bad = "cast(X'ff' as string)"
    for value in (bad, f"array('x', {bad})", f"map('k', {bad})", f"named_struct('in', {bad})"):
        row = with_texts(zoned.sql(envelope(f"named_struct('name', {value})"))).first()
        assert row[PROBLEM].startswith("bad_value: after.name") and "not UTF-8" in row[PROBLEM]


def test_names_are_data(zoned: SparkSession) -> None:
    names = ["$HOME", "a`b", "it's", "a.b", 'q"\\', "select 1 --"]
    row = T.StructType([T.StructField(name, T.IntegerType()) for name in names])
    schema = T.StructType([T.StructField("after", row), T.StructField("op", T.StringType())])
    rows = zoned.createDataFrame([((1, 2, 3, 4, 5, 6), "c")], schema)
    record = json.loads(with_texts(rows).first()["value"])
    assert record["payload"]["after"] == dict(zip(names, range(1, 7), strict=True))
    assert [one["field"] for one in record["schema"]["fields"][0]["fields"]] == names


def test_members_in_lower_case_are_debezium_s(zoned: SparkSession) -> None:
    source = "named_struct('name', 'p', 'txid', 5L, 'walltime', 7L)"
    rows = zoned.sql(
        f"select named_struct('txid', 1) as after, {source} as SOURCE, 'c' as OP,"
        " named_struct('removedfields', 'x') as updatedescription,"
        " timestamp'2021-03-14 02:30:00.123456 UTC' as TS_MS"
    )
    record = json.loads(with_texts(rows, NestedConfig(types="none")).first()["value"])
    assert list(record) == ["after", "updateDescription", "source", "op", "ts_ms"]
    assert record["source"] == {"name": "p", "txId": 5, "wallTime": 7}
    assert record["after"] == {"txid": 1}
    assert record["ts_ms"] == 1_615_689_000_123


# Files


def write(frame: DataFrame, lake: Lake, name: str) -> None:
    """Write one Parquet file with a name of its own."""
    folder = lake.project / f"parquet_{next(_serial)}"
    frame.coalesce(1).write.parquet(str(folder))
    (part,) = folder.glob("part-*.parquet")
    lake.write(name, part.read_bytes())


def afters(lake: Lake) -> list[Any]:
    return [
        None if row.value is None else json.loads(row.value)["payload"]["after"]
        for row in lake.rows("value")
    ]


@pytest.mark.covers("form Parquet with nested columns: files")
def test_parquet_files_of_two_ages_land_as_they_are(lake: Lake) -> None:
    session = lake.session
    write(session.sql(envelope("named_struct('id', 1, 'old', 'x')")), lake, "a.parquet")
    new = "named_struct('more', cast(null as decimal(5,2)), 'id', 2)"
    write(session.sql(envelope(new, offset=1, key="2")), lake, "b.parquet")
    lake.run()
    assert afters(lake) == [{"id": 1, "old": "x"}, {"id": 2, "more": None}]
    keys = [json.loads(row.key)["payload"] for row in lake.rows("key")]
    assert keys == [{"id": 1}, {"id": 2}]

    before = lake.versions()
    lake.run()
    assert lake.versions() == before


@pytest.mark.full
def test_rows_written_again_with_a_column_more_or_less_do_not_contradict_themselves(
    lake: Lake,
) -> None:
    session = lake.session
    write(session.sql(envelope("named_struct('id', 1, 'old', 'x')")), lake, "a.parquet")
    lake.run()
    write(
        session.sql(envelope("named_struct('new', cast(null as int), 'id', 1)")), lake, "b.parquet"
    )
    lake.run()
    assert afters(lake) == [{"id": 1, "old": "x"}]
    assert lake.rejected() == []

    write(session.sql(envelope("named_struct('id', 7)")), lake, "c.parquet")
    lake.run()
    assert [code for _, _, code in lake.rejected()] == ["conflicting_record"]
    lake.run(incarnations=[BETWEEN])
    assert afters(lake) == [{"id": 1, "old": "x"}]


def test_a_bad_row_or_file_stops_no_other(lake: Lake) -> None:
    session = lake.session
    bad = envelope("named_struct('id', 1, 'name', cast(X'ff' as string))")
    good = envelope("named_struct('id', 2, 'name', 'x')", offset=1)
    write(session.sql(f"{bad} union all {good}"), lake, "a.parquet")
    other = session.sql("select 't' as topic, 0 as partition, 1L as offset, 'c' as op")
    write(other, lake, "b.parquet")
    for _ in range(2):
        lake.run()
        assert afters(lake) == [{"id": 2, "name": "x"}]
        assert lake.rejected() == [
            ("a.parquet", 1, "bad_value"),
            ("b.parquet", None, "foreign_file"),
        ]
    reasons = lake.reasons()
    assert reasons[0] == "bad_value: after.name: not UTF-8"
    assert reasons[1].startswith("foreign_file: it has no column `value`")


def test_columns_of_parquet_files_may_have_other_names(lake: Lake) -> None:
    rows = lake.session.sql(envelope("named_struct('id', 1)")).selectExpr(
        "named_struct('t', topic, 'o', offset) as kafka", "partition as p", "key as k", "after",
        "source", "op", "ts_ms",
    )  # fmt: skip
    write(rows, lake, "a.parquet")
    lake.input["columns"] = {
        "topic": "kafka.t",
        "offset": "kafka.o",
        "partition": "p",
        "key": "k",
    }
    lake.run()
    (row,) = lake.rows()
    assert (row.topic, row.partition, row.offset) == ("p.shop.orders", 0, 0)
    assert json.loads(row.key)["payload"] == {"id": 1}
    assert afters(lake) == [{"id": 1}]


# Tables


class Nested:
    """A table whose columns are an envelope."""

    def __init__(self, lake: Lake, *, file_format: str = "iceberg") -> None:
        self.session = lake.session
        self.name = f"{SCHEMA}.nested_{next(_serial)}"
        self.session.sql(f"create schema if not exists {SCHEMA}")
        columns = (
            "topic string, partition int, offset bigint, key struct<id: int>,"
            " after struct<id: int, price: decimal(10,2)>, op string, ts_ms bigint"
        )
        self.session.sql(f"create table {self.name} ({columns}) using {file_format}")

    def add(self, offset: int, price: str) -> None:
        self.session.sql(
            f"insert into {self.name} by name select {_PLACE.format(offset=offset)},"
            f" named_struct('id', {offset}) as key,"
            f" named_struct('id', {offset}, 'price', cast({price} as decimal(10,2))) as after,"
            f" 'c' as op, {EARLY}L as ts_ms"
        )


@pytest.mark.full
@pytest.mark.covers("form tables with nested columns: table")
def test_a_table_that_gains_a_column_is_read_again_without_contradictions(lake: Lake) -> None:
    table = Nested(lake)
    lake.input = {"type": "table", "relation": table.name}
    table.add(0, "1.10")
    table.add(7, "null")
    lake.run()
    lake.session.sql(f"alter table {table.name} add column after.note string")
    lake.session.sql(
        f"insert into {table.name} by name select {_PLACE.format(offset=3)},"
        " named_struct('id', 3) as key,"
        " named_struct('id', 3, 'price', cast(null as decimal(10,2)), 'note', 'late') as after,"
        f" 'c' as op, {EARLY}L as ts_ms"
    )
    lake.run()

    assert lake.offsets() == [0, 3, 7]
    assert lake.rejected() == []
    rows = afters(lake)
    assert rows[0] == {"id": 0, "price": "AAAAAAAAAG4="}
    assert rows[1] == {"id": 3, "note": "late", "price": None}
    assert rows[2] == {"id": 7, "price": None}
    before = lake.versions()
    lake.run()
    assert lake.versions() == before


def test_a_column_of_a_type_that_no_record_has_is_told(lake: Lake) -> None:
    view = f"nested_view_{next(_serial)}"
    lake.session.sql(
        f"create or replace temporary view {view} as select {_PLACE.format(offset=0)},"
        " named_struct('length', interval '1' year) as after, 'c' as op"
    )
    lake.input = {"type": "table", "relation": view}
    with pytest.raises(ValueError, match=r"in nested_view_\d+ `after\.length` is of type interval"):
        lake.run()


def test_decimals_and_moments_of_python_are_those_that_land(lake: Lake) -> None:
    """A DataFrame that another tool made, in Parquet, decoded in a session of another zone."""
    row = T.StructType(
        [
            T.StructField("id", T.LongType()),
            T.StructField("price", T.DecimalType(38, 10)),
            T.StructField("at", T.TimestampType()),
            T.StructField("on", T.DateType()),
        ]
    )
    schema = T.StructType(
        [
            T.StructField("topic", T.StringType()),
            T.StructField("partition", T.IntegerType()),
            T.StructField("offset", T.LongType()),
            T.StructField(
                "value",
                T.StructType([T.StructField("after", row), T.StructField("op", T.StringType())]),
            ),
        ]
    )
    price = Decimal("1234567890123456789012345678.0123456789")
    at = datetime(2021, 3, 14, 7, 30, 0, 123456, tzinfo=UTC)
    values = ((2**63 - 1, price, at, date(1582, 10, 4)), "c")
    write(lake.session.createDataFrame([("t", 0, 0, values)], schema), lake, "a.parquet")
    lake.run()
    found = staged(lake.session.table(lake.raw)).first()
    assert (found["id"], found["price"], found["on"]) == (2**63 - 1, price, date(1582, 10, 4))
    assert found["at"].astimezone(UTC) == at


# Flattened rows


ROW = {"id": 4, "value": "v", "timestamp": "t", "op": "o", "price": "1.10", "__op": "u"}


def flattened_row(offset: int, *, price: str = "1.10") -> str:
    """A row as Iceberg's sink writes it, with columns that have the names of others."""
    place = f"'p.shop.orders' as topic, 0 as partition, {offset}L as offset, {EARLY}L as timestamp"
    return (
        f"select 4L as id, 'v' as value, 't' as timestamp, 'o' as op, {price}BD as price,"
        f" 'u' as __op, timestamp'2021-03-14 02:30:00.123 UTC' as __source_ts_ms, 7L as __lsn,"
        f" (select struct(*) from (select {place})) as _kafka_metadata"
    )


@pytest.mark.full
@pytest.mark.covers("form flattened records in columns: files, table")
def test_flattened_rows_in_columns_are_the_records_that_they_were(lake: Lake) -> None:
    session = lake.session
    name = f"{SCHEMA}.flattened_{next(_serial)}"
    session.sql(f"create schema if not exists {SCHEMA}")
    session.sql(f"create table {name} using iceberg as {flattened_row(0)}")
    lake.input = {"type": "table", "relation": name}
    lake.run()
    before = lake.versions()
    lake.run()
    assert lake.versions() == before

    session.sql(f"alter table {name} add column note string")
    session.sql(f"alter table {name} drop column value")
    added = flattened_row(2, price="2.20").replace("'v' as value", "'n' as note")
    session.sql(f"insert into {name} by name {added}")
    # written again, without the dropped column
    again = flattened_row(0).replace("'v' as value, ", "")
    session.sql(f"insert into {name} by name {again}")
    other = again.replace("1.10BD", "3.30BD")
    session.sql(f"insert into {name} by name {other}")
    lake.run()

    assert [code for _, _, code in lake.rejected()] == ["conflicting_record"]
    assert lake.offsets() == [0, 2]
    first, second = (json.loads(row.value) for row in lake.rows("value"))
    decimal = first["schema"]["fields"][4]
    assert (decimal["field"], decimal["parameters"]["scale"]) == ("price", "2")
    moment = "2021-03-14T02:30:00.123Z"
    assert first["payload"] == {
        **ROW, "price": "AAAAAAAAAG4=", "__source_ts_ms": moment, "__lsn": 7,
    }  # fmt: skip
    assert second["payload"]["note"] == "n" and "value" not in second["payload"]

    files = (
        f"select * except (_kafka_metadata, timestamp), _kafka_metadata.* from ({flattened_row(5)})"
    )
    lake.input = {"type": "files", "path": "data"}
    renamed = files.replace(
        "_kafka_metadata.*", "_kafka_metadata.offset, 't' as topic, 0 as partition"
    )
    write(session.sql(renamed), lake, "a.parquet")
    lake.run()
    (row,) = [json.loads(one.value) for one in lake.rows("value", "topic") if one.topic == "t"]
    assert row["payload"]["value"] == "v" and "timestamp" not in row["payload"]


@pytest.mark.full
def test_rows_of_debezium_s_own_iceberg_server_need_a_place(lake: Lake) -> None:
    """The view of docs/flattened.md: Iceberg numbers the rows of a table of format version 3."""
    session = lake.session
    name, view = (f"{SCHEMA}.server_{next(_serial)}" for _ in range(2))
    session.sql(f"create schema if not exists {SCHEMA}")
    session.sql(
        f"create table {name} (id bigint, __op string, __table string, __lsn bigint,"
        " __source_ts_ms timestamp, __db string, __deleted boolean) using iceberg"
        " tblproperties ('format-version' = '3')"
    )
    lake.input = {"type": "table", "relation": name}
    with pytest.raises(
        ValueError, match=r"has flattened rows and no column `topic`\. Give each row"
    ):
        lake.run()

    session.sql(
        f"create view {view} as select 'p.shop.orders' as topic, 0 as partition,"
        f" _row_id as offset, * from {name}"
    )
    lake.input["relation"] = view
    moment = "timestamp'2021-03-14 02:30:00 UTC'"
    for number in (1, 2):
        session.sql(
            f"insert into {name} values ({number}, 'c', 'orders', {number}, {moment}, 'd', false)"
        )
        lake.run()
        assert lake.offsets() == list(range(number))
    assert lake.rejected() == []
    payloads = [json.loads(row.value)["payload"] for row in lake.rows("value")]
    assert [one["id"] for one in payloads] == [1, 2]
    assert payloads[0]["__deleted"] is False
