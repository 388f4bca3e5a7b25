"""Tables, tenants and databases that transforms route into one topic: tests/claims.yml, cases.

Each goes all the way: landed, catalogued, generated, staged and folded. The source block decides
whose a record is; what is nobody's yet goes to no model, and drift says what to do.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

from reference import KafkaRecord
from tests.support.lab_source import LabSource
from tests.traps.listed_cases import lines

COLUMNS = [{"name": "id", "type": "int32", "optional": False}, {"name": "v", "type": "string"}]
BUILD = "debezium-spark generate, then dbt build --select stg_"


def event(
    offset: int,
    op: str,
    number: int,
    value: str | None = None,
    topic: str = "pg.all.t",
    **source: Any,
) -> KafkaRecord:
    """Return an event of PostgreSQL without schemas; `source` are members of its source block."""
    place = {"lsn": 100 + offset, "sequence": f'["{90 + offset}","{100 + offset}"]'}
    block = {"name": "pg", "db": "shop", "schema": "tenant1", "table": "t", "ts_ms": 1} | place
    block = {name: one for name, one in (block | source).items() if one is not None}
    image = None if op == "d" else {"id": number, "v": value}
    before = {"id": number, "v": None} if op == "d" else None
    return KafkaRecord(
        topic,
        0,
        offset,
        1_700_000_000_000 + 10 * offset,
        json.dumps({"id": number}),
        json.dumps({"before": before, "after": image, "source": block, "op": op, "ts_ms": 1}),
    )


def tombstone(offset: int, number: int, topic: str = "pg.all.t") -> KafkaRecord:
    moment = 1_700_000_000_000 + 10 * offset
    return KafkaRecord(topic, 0, offset, moment, json.dumps({"id": number}), None)


def postgres(spark: SparkSession, **options: Any) -> LabSource:
    return LabSource(spark, "pg", {"connector": "postgresql", "topic_prefix": "pg", **options})


def declared(*tables: str) -> dict[str, Any]:
    """Return the configuration of tables whose records carry no schema."""
    return {table: {"columns": COLUMNS, "key": ["id"]} for table in tables}


def additions(source: LabSource) -> dict[str, Row]:
    return {one.table_name: one for one in source.drift() if one.change == "table_added"}


@pytest.fixture
def spark(lab_spark: SparkSession) -> SparkSession:
    """The lab's session."""
    return lab_spark


# -- the cases -------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.covers("case two-tables-one-topic-payload-only")
@pytest.mark.parametrize("cut", [False, True], ids=["at once", "in two batches"])
def test_two_shards_in_one_topic_without_schemas_are_two_tables(spark, cut):
    mysql = {"connector": "mysql", "topic_prefix": "my"}
    source = LabSource(spark, "my", mysql)
    records = lines("two-tables-one-topic-payload-only")
    rows, definitions = records[:3], records[3:]
    if cut:
        source.land([*definitions, rows[0]])
        source.build()
        source.land(rows[1:])
    else:
        source.land([*rows, *definitions])
    source.build()
    assert source.current() == {
        "shard1.m_po": [(1, "s1")],
        "shard2.m_po": [(1, "s2"), (5, "s2")],
    }
    assert not source.drift()


@pytest.mark.full
@pytest.mark.covers("case second-table-in-a-topic-unseen")
def test_a_tenant_seen_after_generate_goes_to_nobodys_model_and_drift_says_so(spark):
    first, *second = lines("second-table-in-a-topic-unseen")
    source = postgres(spark)
    source.land([first])
    source.build()
    source.land(second)
    source.run()

    assert source.current() == {"tenant1.t_cust": [(1, "tenant1-row1")]}
    assert [row["_cdc_offset"] for row in source.staged("tenant1.t_cust")] == [0]
    added = additions(source)["tenant2.t_cust"]
    assert (added.recorded, added.event_id) == (
        "2 columns, key id, in a topic of other tables",
        "pg.all.t_cust:0:1",
    )
    assert added.remedy.startswith(f"{BUILD}pg__tenant2_t_cust+; if it is part of a table")

    source.build()
    assert source.current() == {
        "tenant1.t_cust": [(1, "tenant1-row1")],
        "tenant2.t_cust": [(1, "tenant2-row1")],
    }
    assert not source.drift()


@pytest.mark.covers("case two-databases-one-topic")
def test_two_databases_in_one_topic_are_kept_apart(spark):
    source = postgres(spark)
    source.land(lines("two-databases-one-topic"))
    source.build()
    assert source.current() == {
        "a.public.t_orders": [(1, "a1"), (2, "a2")],
        "b.public.t_orders": [(1, "b1")],
    }
    assert not source.drift()


@pytest.mark.full
@pytest.mark.covers("case two-databases-one-topic")
def test_a_second_database_seen_after_generate_changes_no_row_of_the_first(spark):
    records = lines("two-databases-one-topic")
    source = postgres(spark)
    source.land(records[:2])
    source.build()
    assert source.current() == {"public.t_orders": [(1, "a1"), (2, "a2")]}
    source.land(records[2:])
    source.run()
    assert source.current() == {"public.t_orders": [(1, "a1"), (2, "a2")]}
    assert set(additions(source)) == {"a.public.t_orders", "b.public.t_orders"}


# -- what lies around them -------------------------------------------------------------------------

T1, T2 = {"schema": "tenant1"}, {"schema": "tenant2"}


@pytest.mark.full
@pytest.mark.covers("case two-tables-one-topic-payload-only-postgres")
def test_a_tenant_without_known_types_is_told_by_generate_and_drift(spark):
    source = postgres(spark, tables=declared("tenant1.t"))
    source.land([event(0, "c", 1, "t1")])
    source.build()
    assert not source.drift()
    source.land([event(1, "c", 1, "t2", **T2), event(2, "u", 1, "again")])
    source.run()

    assert source.current() == {"tenant1.t": [(1, "again")]}
    (told,) = source.drift()
    assert (told.table_name, told.change, told.event_id) == (
        "tenant2.t",
        "table_added",
        "pg.all.t:0:1",
    )
    assert told.recorded == "of unknown types, fields id, v, in a topic of other tables"
    assert "debezium_sources.pg.tables.tenant2.t.columns; debezium-spark generate" in told.remedy
    source.generate()
    (message,) = source.messages
    assert "also contains records of table 'tenant2.t' (the first: pg.all.t:0:1)" in message

    source.configure(tables=declared("tenant1.t", "tenant2.t"))
    source.catalogue()
    source.build()
    assert source.current() == {"tenant1.t": [(1, "again")], "tenant2.t": [(1, "t2")]}
    assert not source.drift() and not source.messages


@pytest.mark.covers("case second-table-in-a-topic-unseen")
def test_a_tombstone_is_the_tables_own_until_another_table_is_in_its_topic(spark):
    """Its `d` was compacted away: only it says that row 1 is gone; that of row 2 is nobody's."""
    source = postgres(spark, tables=declared("tenant1.t", "tenant2.t"))
    before = [*(event(number, "c", number, "own") for number in (1, 2)), tombstone(5, 1)]
    source.land(before)
    source.build()
    assert source.current()["tenant1.t"] == [(2, "own")]
    later = [event(6, "c", 2, "t2", **T2), event(7, "d", 2, **T2), tombstone(8, 2)]
    source.land(later)
    decisions = source.run()["tenant1.t"]

    assert not decisions["replaces_table"]
    assert source.current() == {"tenant1.t": [(2, "own")], "tenant2.t": []}
    source.build()
    assert source.current() == {"tenant1.t": [(2, "own")], "tenant2.t": []}

    at_once = postgres(spark, tables=declared("tenant1.t", "tenant2.t"))
    at_once.land(before + later)
    at_once.build()
    assert at_once.current() == source.current()


@pytest.mark.full
@pytest.mark.covers("case second-table-in-a-topic-unseen")
def test_a_tombstone_staged_before_a_late_record_of_another_table_is_taken_back(spark):
    source = postgres(spark, tables=declared("tenant1.t", "tenant2.t"))
    source.land([event(1, "c", 1, "own"), tombstone(5, 1)])
    source.build()
    assert source.current()["tenant1.t"] == []
    source.land([event(3, "c", 1, "t2", **T2), event(4, "d", 1, **T2)])
    decisions = source.run()["tenant1.t"]
    assert decisions["replaces_table"]
    assert source.current() == {"tenant1.t": [(1, "own")], "tenant2.t": []}


@pytest.mark.covers("case second-table-in-a-topic-unseen")
def test_a_record_staged_before_the_catalog_has_met_it_is_quarantined_until_then(spark):
    source = postgres(spark, tables=declared("tenant1.t"))
    source.land([event(0, "c", 1, "t1")])
    source.build()
    source.land([event(1, "c", 1, "t2", **T2)], catalogues=False)
    source.run()
    assert source.current() == {"tenant1.t": [(1, "t1")]}
    assert [row["_cdc_errors"] for row in source.staged("tenant1.t")] == [
        None, ["record: of another table: pg.shop.tenant2.t"],
    ]  # fmt: skip
    source.catalogue()
    source.land([event(2, "c", 2, "t1")])
    source.run()
    assert [row["_cdc_offset"] for row in source.staged("tenant1.t")] == [0, 2]


@pytest.mark.covers("case two-tables-one-topic-payload-only-postgres")
def test_a_record_that_leaves_open_which_table_it_is_of_is_quarantined(spark):
    source = postgres(spark, tables=declared("tenant1.t", "tenant2.t"))
    open_ones = [event(2, "c", 7, schema=None), event(3, "c", 8, "no database", db=None)]
    source.land([event(0, "c", 1, "t1"), event(1, "c", 1, "t2", **T2), *open_ones])
    source.build()
    # which database it is of does not matter where no other has such a table
    assert source.current() == {
        "tenant1.t": [(1, "t1"), (8, "no database")],
        "tenant2.t": [(1, "t2")],
    }
    for table in source.current():
        (told,) = [row for row in source.staged(table) if row["_cdc_errors"]]
        assert told["_cdc_offset"] == 2
        assert told["_cdc_errors"] == [
            "record: its source block does not say which of the tables in its topic it is of"
        ]


@pytest.mark.covers("case two-databases-one-topic")
def test_partitions_that_configuration_includes_are_one_table(spark):
    table = {"columns": COLUMNS, "includes": [{"table": "t_p*"}]}
    source = postgres(spark, tables={"tenant1.t": table})
    source.land([event(0, "c", 1, "root"), event(1, "c", 2, "first", table="t_p1")])
    source.build()
    assert source.current() == {"tenant1.t": [(1, "root"), (2, "first")]}
    source.land(
        [event(2, "c", 3, "new", table="t_p2"), event(3, "d", 2, table="t_p1"), tombstone(4, 2)]
    )
    source.land([event(5, "c", 4, "other", table="txp1")])
    source.run()
    assert source.current() == {"tenant1.t": [(1, "root"), (3, "new")]}
    assert [one.table_name for one in source.drift()] == ["tenant1.txp1"]


@pytest.mark.covers("case two-databases-one-topic")
def test_a_renamed_database_and_connector_are_one_table_where_configuration_says_so(spark):
    records = [
        event(0, "c", 1, "before", name="old", db="shop_1"),
        event(1, "c", 2, "before", name="old", db="shop_1"),
        event(2, "u", 1, "after", db="shop_2"),
    ]
    source = postgres(spark, tables=declared("tenant1.t"))
    source.land(records[:2])
    source.build()
    source.land(records[2:])
    source.run()
    assert source.current() == {"tenant1.t": [(1, "before"), (2, "before")]}
    assert set(additions(source)) == {"shop_1.tenant1.t", "shop_2.tenant1.t"}

    included = [{"name": "old", "db": "shop_1"}]
    tables = {"shop_2.tenant1.t": {"columns": COLUMNS, "includes": included}}
    source.configure(tables=tables)
    source.catalogue()
    source.build()
    assert source.current() == {"shop_2.tenant1.t": [(1, "after"), (2, "before")]}
    assert not source.drift()


def test_a_signal_table_routed_into_a_topic_shares_it_with_nobody(spark):
    tables = declared("tenant1.t")
    source = postgres(spark, tables=tables, signal_data_collection="public.signals")
    signal = event(1, "c", 9, schema="public", table="signals")
    source.land([event(0, "c", 1, "t1"), signal, tombstone(2, 1)])
    source.build()
    assert source.current() == {"tenant1.t": []}
    assert [row["_cdc_errors"] for row in source.staged("tenant1.t")] == [
        None, ["record: row of the signal table"], None,
    ]  # fmt: skip
    assert not source.drift()
