"""Sessions of one process."""

from __future__ import annotations

from pathlib import Path

import pytest
from dbt_common.exceptions import DbtDatabaseError
from pyspark.sql import SparkSession

from dbt_debezium_spark.notebook import read_settings
from dbt_debezium_spark.spark.connection import texts_of_few_rows
from dbt_debezium_spark.spark.session import session_for, session_for_few_rows
from tests.support.paths import PROFILES, REPOSITORY


def test_a_second_project_of_a_process_gets_a_lakehouse_of_its_own(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEBEZIUM_SPARK_STATE", str(tmp_path / "not there yet"))
    settings, _ = read_settings(REPOSITORY, PROFILES, "iceberg")

    assert session_for(settings).sql("show namespaces").collect() == []
    assert (tmp_path / "not there yet" / "catalog.db").is_file()


def test_a_session_for_few_rows_sees_the_tables_and_leaves_other_sessions_alone(
    state: Path, spark_by_target: dict[str, SparkSession], target: str
) -> None:
    settings, _ = read_settings(REPOSITORY, PROFILES, target)
    session = spark_by_target[target]
    session.sql("create schema if not exists few_rows")
    session.sql("drop table if exists few_rows.names")
    session.sql(f"create table few_rows.names using {target} as select 'a' as name")
    few_rows = session_for_few_rows(settings)
    grouped = "select name from few_rows.names group by name order by name"

    assert texts_of_few_rows(few_rows, grouped) == ["a"]
    session.sql("insert into few_rows.names values ('b')")
    assert texts_of_few_rows(few_rows, grouped) == ["a", "b"]

    plans = {one: one.sql(grouped)._jdf.queryExecution() for one in (few_rows, session)}
    texts = {one: plan.executedPlan().toString() for one, plan in plans.items()}
    assert "AdaptiveSparkPlan" not in texts[few_rows]
    assert "AdaptiveSparkPlan" in texts[session]
    with pytest.raises(DbtDatabaseError, match="no_such_table"):
        texts_of_few_rows(few_rows, "select name from few_rows.no_such_table")
