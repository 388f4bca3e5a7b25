"""A table per topic: patterns of relations, topics from names, and the columns that land."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import types as T

from dbt_debezium_spark.config.table_input import parse_pattern
from dbt_debezium_spark.landing import repeats, row_rules
from dbt_debezium_spark.landing.kafka_columns import (
    ColumnProblem,
    KafkaColumns,
    kafka_columns,
    path_in,
)
from dbt_debezium_spark.landing.ledger import OffsetRange
from dbt_debezium_spark.landing.relation_topics import topic_of


def struct(names: str) -> T.StructType:
    return T.StructType([T.StructField(name, T.StringType()) for name in names.split()])


REDPANDA = T.StructType(
    [
        T.StructField("redpanda", struct("partition offset timestamp headers key timestamp_type")),
        T.StructField("value", T.BinaryType()),
    ]
)


@pytest.mark.parametrize(
    ("text", "schema", "name"),
    [
        ("bronze.dbserver1_*", ("bronze",), "dbserver1_*"),
        ("lake.bronze.*", ("lake", "bronze"), "*"),
        ("redpanda.`dbserver1.public.*`", ("redpanda",), "dbserver1.public.*"),
        ("`a``b`.c", ("a`b",), "c"),
        ("bronze.x'; drop table y --", ("bronze",), "x'; drop table y --"),
    ],
)
def test_a_pattern_has_a_schema_and_a_name(text: str, schema: Any, name: str) -> None:
    pattern = parse_pattern(text)
    assert (pattern.schema, pattern.name) == (schema, name)


@pytest.mark.parametrize(
    ("pattern", "name", "matched"),
    [
        ("b.dbserver1_*", "dbserver1_public_orders", ("public_orders",)),
        ("b.dbserver1_*", "DBSERVER1_x", ("x",)),
        ("b.dbserver1_*", "dbserver2_x", None),
        ("b.orders", "orders_old", None),
        ("b.*_*", "x_y_z", ("x_y", "z")),
        ("b.`a.*`", "axb", None),
        ("b.orders", "orders", ()),
    ],
)
def test_a_pattern_matches_whole_names(pattern: str, name: str, matched: Any) -> None:
    assert parse_pattern(pattern).matched(name) == matched


@pytest.mark.parametrize(
    ("name", "parts", "template", "prefix", "topic"),
    [
        # a name is a topic below the prefix
        ("p1.public.orders", (), None, "p1", "p1.public.orders"),
        ("p1_public_orders", (), None, "p1", "p1.public_orders"),
        ("P1_orders", (), None, "p1", "p1.orders"),
        ("p1", (), None, "p1", "p1"),
        ("orders", (), None, "p1", "p1.orders"),
        ("p10_orders", (), None, "p1", "p1.p10_orders"),
        # dots of the prefix are replaced in names too
        ("eu_shop_public_orders", (), None, "eu.shop", "eu.shop.public_orders"),
        ("eu_shop", (), None, "eu.shop", "eu.shop"),
        # a template names the topic
        ("x", ("orders",), "p.public.*", "p", "p.public.orders"),
        ("x", ("public", "orders"), "p.*.*", "p", "p.public.orders"),
        ("x", (), "p.orders", "p", "p.orders"),
        # Redpanda's dead letters are records of their topic
        ("p.orders~dlq", (), None, "p", "p.orders"),
        ("p_orders~dlq", ("orders~dlq",), "p.public.*", "p", "p.public.orders"),
    ],
)
def test_a_name_tells_its_topic(
    name: str, parts: tuple[str, ...], template: str | None, prefix: str, topic: str
) -> None:
    assert topic_of(name, parts, template, prefix) == topic


def test_members_of_structs_have_dotted_names() -> None:
    assert path_in(REDPANDA, "Redpanda.OFFSET") == ("redpanda", "offset")
    assert path_in(REDPANDA, "redpanda.lsn") is None
    assert path_in(REDPANDA, "value.x") is None
    dotted = T.StructType([T.StructField("redpanda.offset", T.LongType()), *REDPANDA.fields])
    assert path_in(dotted, "redpanda.offset") == ("redpanda.offset",)
    deep = T.StructType([T.StructField("a.b", T.StructType([T.StructField("c.d", REDPANDA)]))])
    assert path_in(deep, "a.b.c.d.redpanda.key") == ("a.b", "c.d", "redpanda", "key")


def test_tableflow_s_bytes_count_unless_the_value_has_columns() -> None:
    names = "$$topic $$partition $$offset $$timestamp $$headers key $$raw-key $$raw-value"
    found = kafka_columns(struct(names), {}, "p.x", is_default_topic=True)
    assert found.topic is None
    assert found.columns["value"] == ("$$raw-value",)
    assert found.columns["key"] == ("key",)
    found = kafka_columns(struct(f"{names} before after op"), {}, "p.x")
    assert "value" not in found.columns and found.topic == "p.x"
    assert found.schema(struct(f"{names} before after op")).names[-3:] == ["before", "after", "op"]


def test_a_layout_does_not_count_beside_an_offset_or_a_mapping() -> None:
    schema = T.StructType([*struct("topic partition offset").fields, *REDPANDA.fields])
    assert "key" not in kafka_columns(schema, {}).columns
    mapped = kafka_columns(REDPANDA, {"offset": "redpanda.key", "partition": "redpanda.key"}, "t")
    assert mapped.columns == {
        "offset": ("redpanda", "key"),
        "partition": ("redpanda", "key"),
        "value": ("value",),
    }


@pytest.mark.parametrize(
    ("schema", "mapping", "reason"),
    [
        ("partition offset value", {}, "bronze.x has no column `topic`. Map it: input.columns"),
        (
            "topic partition offset value",
            {"key": "id"},
            "`input.columns.key` is `id`, which bronze.x does not have. It has: topic,",
        ),
        ("topic partition offset op amount", {}, "bronze.x has no column `value`."),
        (
            "id __op __table __deleted",
            {},
            "bronze.x has flattened rows and no column `topic`. Give each row a topic, a partition,"
            " and an offset that is unique and grows, in a view (docs/flattened.md), or map it:",
        ),
    ],
)
def test_a_column_that_is_not_there_is_told(schema: str, mapping: Any, reason: str) -> None:
    with pytest.raises(ColumnProblem) as raised:
        kafka_columns(struct(schema), mapping)
    assert raised.value.of("bronze.x").startswith(reason)


def test_an_envelope_in_columns_needs_no_value() -> None:
    found = kafka_columns(struct("topic partition offset before after op"), {})
    assert found == KafkaColumns({name: (name,) for name in ("topic", "partition", "offset")})


FLAT = ("topic", "partition", "offset", "timestamp")
METADATA = T.StructField("_kafka_metadata", struct("topic partition offset timestamp"))


def test_a_flattened_row_is_the_value_without_what_sinks_add() -> None:
    row = struct("id key value topic timestamp op source after __deleted")
    schema = T.StructType([*row.fields, METADATA])
    found = kafka_columns(schema, {})
    assert found.columns == {
        name: ("_kafka_metadata", name) for name in ("topic", "partition", "offset", "timestamp")
    }
    assert found.row == tuple(row.names)
    assert found.schema(schema)["value"].dataType == row
    flat = kafka_columns(
        struct(" ".join(f"_kafka_metadata_{one}" for one in FLAT) + " id __op"), {}
    )
    assert flat.row == ("id", "__op")
    assert flat.columns == {one: (f"_kafka_metadata_{one}",) for one in FLAT}


def test_kafka_s_columns_beside_a_flattened_row_are_no_part_of_it() -> None:
    schema = struct("topic partition offset key headers timestamp id value __op")
    found = kafka_columns(schema, {})
    assert found.row == ("id", "value", "__op")
    assert set(found.columns) == {"topic", "partition", "offset", "key", "headers", "timestamp"}
    mapped = kafka_columns(
        struct("id place part __op"), {"offset": "place", "partition": "part"}, "t"
    )
    assert mapped.row == ("id", "__op")


def test_rows_of_iceberg_s_own_transform_are_refused_with_the_reason() -> None:
    schema = T.StructType(
        [*struct("id").fields, T.StructField("_cdc", struct("op ts offset source")), METADATA]
    )
    with pytest.raises(ColumnProblem) as raised:
        kafka_columns(schema, {})
    told = raised.value.of("bronze.x")
    assert told.startswith(
        "bronze.x has rows of Iceberg's DebeziumTransform (`_cdc`), which do not"
    )
    assert "Configure ExtractNewRecordState in its place (docs/flattened.md)." in told


# -- columns by their types -----------------------------------------------------------------------


HEADERS = "array<struct<key: string, value: string>>"


@pytest.mark.parametrize(
    ("kind", "is_read"),
    [
        ("map<string,string>", True),
        ("array<struct<key:string,value:binary>>", True),
        ("array<struct<k:struct<a:int,b:int>,v:map<string,int>>>", True),
        ("array<struct<k:string,v:decimal(10,2)>>", True),
        ("array<struct<key:string,value:binary,more:int>>", False),
        ("array<struct<key:string>>", False),
        ("array<string>", False),
        ("string", False),
    ],
)
def test_headers_are_read_from_pairs(kind: str, is_read: bool) -> None:
    sql = row_rules.typed_columns({"headers": kind})["headers"]
    assert ("`headers`" in sql) is is_read
    assert sql.endswith(f" as {HEADERS})")


@pytest.mark.parametrize(
    ("kind", "sql"),
    [
        ("timestamp", "cast(`ts` as timestamp)"),
        ("timestamp_ntz", "try_cast(concat(cast(`ts` as string), 'Z') as timestamp)"),
        ("string", "try_cast(cast(`ts` as string) as timestamp)"),
    ],
)
def test_a_timestamp_is_read_by_its_type(kind: str, sql: str) -> None:
    assert row_rules.typed_columns({"ts": kind})["timestamp"] == sql


def test_milliseconds_are_a_timestamp_unless_there_is_none() -> None:
    columns = row_rules.typed_columns({"timestamp": "bigint"})
    assert "timestamp_millis(cast(nullif(`timestamp`, -1) as bigint))" in columns["timestamp"]
    assert columns["given_timestamp"] == "nullif(`timestamp`, -1)"


def test_a_column_that_is_not_there_is_null() -> None:
    columns = row_rules.typed_columns({"topic": "string"})
    assert columns["key"] == "cast(null as string)"
    assert columns["timestamp"] == "cast(null as timestamp)"


def test_names_of_a_relation_are_quoted() -> None:
    assert row_rules.original(["A`B", "partition"]) == "struct(`A``B`, `partition`)"


def test_ranges_are_a_condition_that_skips_files() -> None:
    one = OffsetRange("it's", 2, 5, 9)
    assert repeats.in_ranges([one]) == (
        r"(topic = 'it\'s' and `partition` = 2 and `offset` between 5 and 9)"
    )
    many = [OffsetRange(f"t{at}", 0, at, at + 1) for at in range(300)]
    condition = repeats.in_ranges(many)
    assert condition.startswith("topic in ('t0', 't1', 't10'")
    assert condition.endswith("`offset` between 0 and 300")
