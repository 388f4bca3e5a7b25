"""A table or view of the team's own as input: every row lands once, whenever it came."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from pyspark.sql import SparkSession

from dbt_debezium_spark.landing import table_origin
from tests.support.landing_lake import BETWEEN, EARLY, LATE, SCHEMA, Lake

_serial = itertools.count(1)
_DDL = (
    "kafka_topic string, kafka_partition int, kafka_offset bigint, ingested timestamp,"
    " kafka_key binary, kafka_value binary, ts bigint"
)
_COLUMNS = {
    "topic": "kafka_topic",
    "partition": "kafka_partition",
    "offset": "KAFKA_OFFSET",
    "key": "kafka_key",
    "value": "kafka_value",
    "timestamp": "ts",
}


class Bronze:
    """A table somebody else fills."""

    def __init__(self, session: SparkSession, file_format: str) -> None:
        self.session = session
        self.name = f"{SCHEMA}.bronze_{next(_serial)}"
        session.sql(f"create schema if not exists {SCHEMA}")
        session.sql(f"create table {self.name} ({_DDL}) using {file_format}")

    def add(self, *rows: tuple[Any, ...]) -> None:
        """Add (topic, partition, offset, value, timestamp in ms) in one commit."""
        full = [
            (topic, partition, offset, None, f"k{offset}".encode(), value, at)
            for topic, partition, offset, value, at in rows
        ]
        self.session.createDataFrame(full, _DDL).writeTo(self.name).append()


def row(offset: int | None, value: bytes | None = b"{}", at: int = EARLY, **place: Any) -> Any:
    """A row of the table; values and places given replace the usual ones."""
    return (place.get("topic", "p.shop.orders"), place.get("partition", 0), offset, value, at)


@pytest.fixture
def bronze(lake: Lake) -> Bronze:
    table = Bronze(lake.session, lake.file_format)
    lake.input = {"type": "table", "relation": table.name, "columns": _COLUMNS}
    return table


@pytest.mark.covers("form JSON, keys, headers, tombstones: table")
def test_bytes_and_mapped_columns_land_as_kafka_s(lake: Lake, bronze: Bronze) -> None:
    bronze.add(row(0, '{"ä":1}'.encode()), row(1, None))
    lake.run()

    rows = lake.rows("topic", "partition", "offset", "key", "value", "headers")
    assert [tuple(one) for one in rows] == [
        ("p.shop.orders", 0, 0, "k0", '{"ä":1}', None),
        ("p.shop.orders", 0, 1, "k1", None, None),
    ]
    (stamp,) = {one.timestamp for one in lake.rows("timestamp")}
    assert int(stamp.timestamp() * 1000) == EARLY


def test_a_run_without_new_rows_writes_nothing(lake: Lake, bronze: Bronze) -> None:
    bronze.add(row(0), row(1), row(5, partition=1))
    lake.run()
    before = lake.versions()
    lake.run()
    assert lake.versions() == before


def test_rows_that_come_late_land(lake: Lake, bronze: Bronze) -> None:
    bronze.add(row(0), row(7))
    lake.run()
    bronze.add(row(3), row(8), row(0, topic="p.shop.lines"))
    lake.run()
    bronze.add(row(4))
    lake.run()

    assert [(one.topic[7:], one.offset) for one in lake.rows("topic", "offset")] == [
        ("lines", 0),
        *[("orders", offset) for offset in (0, 3, 4, 7, 8)],
    ]
    assert {one.offset: one._cdc_batch_id for one in lake.rows("offset", "_cdc_batch_id")}[4] == 3


@pytest.mark.full
def test_rows_that_were_deleted_stay_landed_and_late_ones_among_them_land(
    lake: Lake, bronze: Bronze
) -> None:
    bronze.add(*[row(offset) for offset in (0, 1, 2, 9)])
    lake.run()
    lake.session.sql(f"delete from {bronze.name} where kafka_offset < 2")
    lake.run()
    # As many as were deleted: a count alone would not tell.
    bronze.add(row(5), row(6))
    lake.run()

    assert lake.offsets() == [0, 1, 2, 5, 6, 9]
    before = lake.versions()
    lake.run()
    assert lake.versions() == before


@pytest.mark.full
def test_a_row_that_is_there_twice_lands_once_and_a_contradiction_is_kept_aside(
    lake: Lake, bronze: Bronze
) -> None:
    bronze.add(row(0), row(0), row(1))
    lake.run()
    bronze.add(row(1), row(2), row(1, b"other", LATE))
    lake.run()

    assert lake.offsets() == [0, 1, 2]
    found = lake.rejections()
    assert [(one.reason.split(":")[0], one.offset, one.value) for one in found] == [
        ("conflicting_record", 1, "other")
    ]
    lake.run(incarnations=[BETWEEN])
    assert lake.offsets() == [0, 1, 1, 2]
    assert lake.rejected() == []


def test_what_is_no_record_is_told_once_and_the_rest_lands(lake: Lake, bronze: Bronze) -> None:
    bronze.add(row(0), row(None), row(1, b"\xff\xfe"), row(2, topic=None))
    for _ in range(2):
        lake.run()
        assert lake.offsets() == [0]
        assert sorted(lake.reasons()) == [
            "bad_value: value: not UTF-8",
            "missing_column: offset",
            "missing_column: topic",
        ]


@pytest.mark.full
def test_what_is_no_record_is_read_once(
    lake: Lake, bronze: Bronze, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []
    real = table_origin.read_rows

    def counted(*arguments: Any, **options: Any) -> Any:
        result = real(*arguments, **options)
        read.append(sum(frame.count() for frame in arguments[1].values()))
        return result

    monkeypatch.setattr(table_origin, "read_rows", counted)
    # No record above all records, none in its partition, and rows without a place.
    bronze.add(row(0), row(9, b"\xff"), row(4, b"\xff", partition=1), row(-1, partition=2))
    bronze.add(row(None), row(2, topic=None), row(2, partition=None))
    lake.run()
    assert read == [7]
    for _ in range(2):
        before = lake.versions()
        lake.run()
        assert (read, lake.versions()) == ([7], before)

    bronze.add(row(10), row(None))
    lake.run()
    # the new record, and both rows without an offset
    assert read == [7, 3]
    assert lake.offsets() == [0, 10]
    bronze.add(row(5))
    lake.run()
    assert lake.offsets() == [0, 5, 10]
    before = lake.versions()
    lake.run()
    assert lake.versions() == before


@pytest.mark.full
def test_a_bad_row_that_is_mended_lands_and_is_told_no_more(lake: Lake, bronze: Bronze) -> None:
    bronze.add(row(0), row(1, b"\xff"))
    lake.run()
    assert len(lake.rejected()) == 1
    lake.session.sql(f"delete from {bronze.name} where kafka_offset = 1")
    lake.run()
    bronze.add(row(1))
    lake.run()
    assert (lake.offsets(), lake.rejected()) == ([0, 1], [])


def test_an_interrupted_run_neither_loses_nor_doubles(lake: Lake, bronze: Bronze) -> None:
    bronze.add(row(0), row(1))
    lake.append(lake.start())  # killed before the ledger was written
    bronze.add(row(2))
    lake.start()  # killed before the append
    lake.run()
    assert lake.offsets() == [0, 1, 2]


def test_a_view_will_do(lake: Lake, bronze: Bronze) -> None:
    bronze.add(row(0), row(1))
    view = f"view_{bronze.name.split('_')[-1]}"
    columns = ", ".join(f"{theirs} as {ours}" for ours, theirs in _COLUMNS.items())
    lake.session.sql(
        f"create or replace temporary view {view} as"
        f" select {columns} from {bronze.name} where kafka_offset > 0"
    )
    lake.input = {"type": "table", "relation": view}
    lake.run()
    assert lake.offsets() == [1]


def test_a_relation_or_column_that_is_not_there_is_told(lake: Lake, bronze: Bronze) -> None:
    lake.input = {"type": "table", "relation": "nowhere.records"}
    with pytest.raises(
        ValueError, match=r"reads `nowhere\.records`, which Spark cannot: .* Correct"
    ):
        lake.run()
    lake.input = {"type": "table", "relation": bronze.name}
    with pytest.raises(ValueError, match=r"has no column `topic`. Map it"):
        lake.run()
    lake.input = {"type": "table", "relation": bronze.name, "columns": {"topic": "tpc"}}
    with pytest.raises(ValueError, match=r"`input.columns.topic` is `tpc`, which .* does not have"):
        lake.run()
