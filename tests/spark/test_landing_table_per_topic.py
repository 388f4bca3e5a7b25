"""A table per topic: relations by a pattern, each read once, none in the way of another."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.landing_lake import EARLY, SCHEMA, Lake

_serial = itertools.count(1)
# As Redpanda creates tables of its Iceberg topics.
_REDPANDA = (
    "redpanda struct<partition: int, offset: bigint, timestamp: timestamp,"
    " headers: array<struct<key: string, value: binary>>, key: binary, timestamp_type: int>"
)


class Bronze:
    """A schema with a table for each topic."""

    def __init__(self, lake: Lake) -> None:
        self.session = lake.session
        self.file_format = lake.file_format
        # The schema of the other tests has tables of other layouts.
        self.prefix = f"p{next(_serial)}"
        self.schema = f"{SCHEMA}_topics"
        self.session.sql(f"create schema if not exists {self.schema}")
        lake.topic_prefix = self.prefix
        lake.input = {"type": "table", "relations": f"{self.schema}.{self.prefix}_*"}

    def name(self, table: str) -> str:
        return f"{self.schema}.`{self.prefix}_{table}`"

    def create(self, table: str, columns: str = f"{_REDPANDA}, value binary") -> None:
        self.session.sql(f"create table {self.name(table)} ({columns}) using {self.file_format}")

    def add(self, table: str, *offsets: int, value: str = "{}") -> None:
        rows = " union all ".join(
            f"select named_struct('partition', 0, 'offset', {offset}L,"
            f" 'timestamp', timestamp_millis({EARLY}),"
            " 'headers', array(named_struct('key', 'h', 'value', X'76')),"
            f" 'key', cast('k{offset}' as binary), 'timestamp_type', 0) as redpanda,"
            f" cast('{value}' as binary) as value"
            for offset in offsets
        )
        self.session.sql(f"insert into {self.name(table)} {rows}")


@pytest.fixture
def bronze(lake: Lake) -> Bronze:
    return Bronze(lake)


def landed(lake: Lake) -> list[tuple[str, int]]:
    """Landed records: the topic without its prefix, and the offset."""
    rows = lake.rows("topic", "offset")
    return [(row.topic.removeprefix(f"{lake.topic_prefix}."), row.offset) for row in rows]


def reasons(lake: Lake) -> list[tuple[str, Any, str]]:
    return [(row.file, row.line, row.reason) for row in lake.rejections()]


@pytest.mark.covers("form a table per topic: table")
def test_redpanda_s_tables_land_as_their_topics(lake: Lake, bronze: Bronze) -> None:
    bronze.create("orders")
    bronze.create("order_lines")
    bronze.add("orders", 0, 1, value='{"op":"c"}')
    bronze.add("order_lines", 5)
    lake.run()

    assert landed(lake) == [("order_lines", 5), ("orders", 0), ("orders", 1)]
    row = lake.rows()[1]
    assert (row.partition, row.timestampType, row.key, row.value) == (0, 0, "k0", '{"op":"c"}')
    assert int(row.timestamp.timestamp() * 1000) == EARLY
    assert [(one.key, one.value) for one in row.headers] == [("h", "v")]

    before = lake.versions()
    lake.run()
    assert lake.versions() == before


def test_tables_come_later_grow_and_vanish(lake: Lake, bronze: Bronze) -> None:
    lake.run()
    assert landed(lake) == []
    bronze.create("orders")
    bronze.add("orders", 0)
    lake.run()
    bronze.create("lines")
    bronze.add("lines", 7)
    bronze.add("orders", 1)
    lake.run()
    bronze.session.sql(f"drop table {bronze.name('orders')}")
    bronze.add("lines", 3)
    lake.run()

    assert landed(lake) == [("lines", 3), ("lines", 7), ("orders", 0), ("orders", 1)]
    assert reasons(lake) == []


@pytest.mark.full
def test_one_bad_table_stops_no_other_and_is_told_until_it_is_good(
    lake: Lake, bronze: Bronze
) -> None:
    bronze.create("orders")
    bronze.create("notes", "id int, text string")
    bronze.add("orders", 0)
    for _ in range(2):
        lake.run()
        assert landed(lake) == [("orders", 0)]
        ((file, line, reason),) = reasons(lake)
        assert file == f"table:`{bronze.schema}`.`{bronze.prefix}_notes`" and line is None
        assert reason.startswith("foreign_relation: it has no column `partition`. Map it")
    before = lake.versions()
    lake.run()
    assert lake.versions() == before

    bronze.session.sql(f"drop table {bronze.name('notes')}")
    lake.run()
    assert reasons(lake) == []


def test_a_bad_row_is_told_with_its_table_and_offset_and_read_once(
    lake: Lake, bronze: Bronze
) -> None:
    bronze.create("orders")
    bronze.add("orders", 0, 1)
    bronze.session.sql(
        f"insert into {bronze.name('orders')} select named_struct('partition', 0, 'offset', 2L,"
        " 'timestamp', null, 'headers', null, 'key', null, 'timestamp_type', null), X'ff'"
    )
    lake.run()
    assert landed(lake) == [("orders", 0), ("orders", 1)]
    ((file, line, reason),) = reasons(lake)
    assert (file, line) == (f"table:{bronze.prefix}.orders/0", 2)
    assert reason == (f"bad_value: value: not UTF-8 in `{bronze.schema}`.`{bronze.prefix}_orders`")
    before = lake.versions()
    lake.run()
    assert lake.versions() == before


def test_a_table_whose_file_is_gone_stops_no_other(lake: Lake, bronze: Bronze) -> None:
    bronze.create("orders")
    bronze.add("orders", 0)
    name = f"{bronze.prefix}_lost"
    bronze.create("lost")
    bronze.add("lost", 0)
    files = bronze.session.sql(f"select file_path from {bronze.name('lost')}.files").collect()
    for row in files:
        Path(row.file_path.removeprefix("file:")).unlink()
    lake.run()

    assert landed(lake) == [("orders", 0)]
    ((file, _, reason),) = reasons(lake)
    assert file.endswith(f"`{name}`") and reason.startswith("foreign_relation: cannot be read: ")


@pytest.mark.full
def test_a_template_names_topics_and_a_column_comes_before_a_name(
    lake: Lake, bronze: Bronze
) -> None:
    bronze.create("shop_orders", "topic string, partition int, offset bigint, value string")
    bronze.session.sql(f"insert into {bronze.name('shop_orders')} values ('q.x', 0, 0L, '{{}}')")
    lake.run()
    assert landed(lake) == [("q.x", 0)]

    lake.input |= {
        "relations": f"{bronze.schema}.{bronze.prefix}_*_*",
        "topic": f"{bronze.prefix}.*.*",
    }
    lake.run()
    assert landed(lake) == [("shop.orders", 0), ("q.x", 0)]


def test_names_and_patterns_never_become_sql(lake: Lake, bronze: Bronze) -> None:
    bronze.create("orders")
    bronze.add("orders", 0)
    evil = f"{bronze.prefix}_x' union all select"
    lake.input["relations"] = f"{bronze.schema}.`{evil}*`"
    lake.run()
    assert landed(lake) == []
    lake.input["relations"] = f"`{bronze.schema}; drop table x`.*"
    with pytest.raises(ValueError, match="whose schema Spark cannot list: .* Correct `input.rel"):
        lake.run()


def test_nested_values_of_a_topic_s_table_land(lake: Lake, bronze: Bronze) -> None:
    bronze.create("orders", f"{_REDPANDA}, after struct<id: int, price: decimal(5,2)>, op string")
    bronze.session.sql(
        f"insert into {bronze.name('orders')} select named_struct('partition', 0, 'offset', 4L,"
        " 'timestamp', null, 'headers', null, 'key', cast('{\"id\":1}' as binary),"
        " 'timestamp_type', null), named_struct('id', 1, 'price', 1.50BD), 'c'"
    )
    lake.run()
    (row,) = lake.rows()
    assert (row.key, row.offset) == ('{"id":1}', 4)
    assert json.loads(row.value)["payload"]["after"] == {"id": 1, "price": "AAAAAAAAAJY="}
