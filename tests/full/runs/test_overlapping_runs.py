"""Landing that another run overtakes: what the table of raw records refuses."""

from __future__ import annotations

import pytest
from pyspark.sql import functions as F

from dbt_debezium_spark.landing import raw_append

pytestmark = pytest.mark.slow

RAW = """
    import os

    def frame_of(session, batch, *offsets):
        return session.createDataFrame(
            [(one, str(batch)) for one in offsets], "offset bigint, value string"
        ).selectExpr(
            "'t' as topic", "0 as partition", "offset",
            "timestamp'2026-01-01 00:00:00' as timestamp", "0 as timestampType",
            "cast(null as string) as key", "value",
            "cast(null as array<struct<key: string, value: string>>) as headers",
            f"cast({batch} as bigint) as _cdc_batch_id",
            "timestamp'2026-01-01 00:00:00' as _cdc_landed_at",
        )

    class Landed:
        def __init__(self, frame):
            self.frame = frame

        def commit(self):
            pass

    def model(dbt, session):
        dbt.config(materialized="debezium_raw")
        name = f"`{dbt.this.schema}`.`{dbt.this.identifier}`"
        held = session.table(name).selectExpr("max(_cdc_batch_id)").first()[0] or 0
        if os.path.exists(dbt.project_dir + "/overlaps"):
            frame_of(session, held + 1, 2, 3).writeTo(name).append()
        return Landed(frame_of(session, held + 1, held + 1))
"""
SOURCES = {
    "debezium_sources": {
        "shop": {
            "connector": "postgresql",
            "topic_prefix": "dbserver1",
            "input": {"type": "files", "path": "data/*.jsonl"},
        }
    }
}


def test_what_another_run_landed_meanwhile_is_not_landed_twice(dbt_project_factory, target):
    files = {"python_models/raw_shop.py": RAW, "data/one.jsonl": "{}\n"}
    project = dbt_project_factory(files, vars=SOURCES, target=target)
    project.run("run")
    project.write({"overlaps": ""})

    result = project.invoke("run")

    assert not result.success
    assert "another run wrote" in result.text
    assert "This run wrote nothing there" in result.text
    columns = ["offset", "_cdc_batch_id"]
    assert project.rows("raw_shop", columns) == [(1, 1), (2, 2), (3, 2)]

    (project.path / "overlaps").unlink()
    project.run("run")
    assert project.rows("raw_shop", columns) == [(1, 1), (2, 2), (3, 2), (3, 3)]


@pytest.fixture
def raw_table(spark_by_target, target):
    """An empty table with the columns of interest, and its session."""
    session = spark_by_target[target]
    session.sql("create schema if not exists overlaps")
    session.sql("drop table if exists overlaps.raw_shop")
    session.sql(
        f"create table overlaps.raw_shop (offset bigint, _cdc_batch_id bigint) using {target}"
    )
    return session, "`overlaps`.`raw_shop`", target


def records(session, batch, *offsets):
    return session.createDataFrame(
        [(one, batch) for one in offsets], "offset int, _cdc_batch_id int"
    )


@pytest.mark.parametrize("held", [0, 1])
def test_the_table_refuses_an_append_that_the_look_before_could_not_see(
    raw_table, held, monkeypatch
):
    session, table, file_format = raw_table
    for batch in range(1, held + 1):
        raw_append.append(
            session, records(session, batch, 1), raw_append.raw_state(session, table, file_format)
        )
    ours = raw_append.raw_state(session, table, file_format)
    theirs = raw_append.raw_state(session, table, file_format)
    assert ours.batch == held
    raw_append.append(session, records(session, held + 1, 7, 8), theirs)

    # as if the other run committed after the last look and before the append
    monkeypatch.setattr(raw_append, "raw_state", lambda *_: ours)
    with pytest.raises(raw_append.OverlappingRunError, match="another run wrote"):
        raw_append.append(session, records(session, held + 1, 8, 9), ours)

    landed = session.table(table).where(F.col("_cdc_batch_id") > held).select("offset").collect()
    assert sorted(row[0] for row in landed) == [7, 8]


def test_an_append_leaves_earlier_rows_and_survives_a_compaction(raw_table):
    session, table, file_format = raw_table
    for batch in (1, 2, 3):
        before = raw_append.raw_state(session, table, file_format)
        if batch == 3:
            compaction = {
                "iceberg": "call system.rewrite_data_files(table => 'overlaps.raw_shop',"
                " options => map('rewrite-all', 'true'))",
                "delta": f"optimize {table}",
            }
            session.sql(compaction[file_format]).collect()
        raw_append.append(session, records(session, batch, batch, batch + 10), before)
    rows = session.table(table).orderBy("offset").collect()
    assert [tuple(row) for row in rows] == [(1, 1), (2, 2), (3, 3), (11, 1), (12, 2), (13, 3)]
