"""Sessions of one process."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from dbt_debezium_spark.notebook import read_settings
from dbt_debezium_spark.session import session_for
from project_harness import PROFILES, REPOSITORY


def test_a_second_project_of_a_process_gets_a_lakehouse_of_its_own(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEBEZIUM_SPARK_STATE", str(tmp_path / "not there yet"))
    settings, _ = read_settings(REPOSITORY, PROFILES, "iceberg")

    assert session_for(settings).sql("show namespaces").collect() == []
    assert (tmp_path / "not there yet" / "catalog.db").is_file()
