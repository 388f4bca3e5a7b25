"""Which columns landing makes of a relation's, by their types."""

from __future__ import annotations

import pytest

from dbt_debezium_spark.landing import repeats, row_rules
from dbt_debezium_spark.landing.ledger import OffsetRange

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
