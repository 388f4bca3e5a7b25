"""Which refused writes another run caused, and which table they name."""

from __future__ import annotations

import pytest

from dbt_debezium_spark.spark.overlap import written_table

# what Delta says to two runs that create a table at a time
DELTA_CREATES = "[DELTA_PROTOCOL_CHANGED] ProtocolChangedException: The protocol version of ..."


@pytest.mark.parametrize(
    ("sql", "error", "table"),
    [
        ("create table if not exists `lake`.`raw_shop` (topic string)", DELTA_CREATES, 1),
        ("create or replace table `lake`.`raw_shop` as select 1", "[DELTA_CONCURRENT_APPEND]", 1),
        ("\n  create table `lake`.`raw_shop` as select 1", "[TABLE_OR_VIEW_ALREADY_EXISTS]", 1),
        ("merge into `lake`.`raw_shop` as t using s", "[MERGE_CARDINALITY_VIOLATION]", 1),
        ("insert into `lake`.`raw_shop` select 1", "[DIVIDE_BY_ZERO]", None),
        ("select * from `lake`.`raw_shop`", DELTA_CREATES, None),
    ],
)
def test_the_table_of_a_write_that_another_run_overtook(
    sql: str, error: str, table: int | None
) -> None:
    expected = "`lake`.`raw_shop`" if table else None
    assert written_table(sql, RuntimeError(error)) == expected
