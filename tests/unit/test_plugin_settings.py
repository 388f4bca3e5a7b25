"""Settings of a profile, made absolute."""

from __future__ import annotations

import pytest

from dbt_debezium_spark.settings import resolve_settings, spark_options, state_dir
from dbt_debezium_spark.type_change import type_change


def test_a_relative_state_lies_in_the_project_wherever_dbt_was_called(tmp_path, monkeypatch):
    project = tmp_path / "project"
    monkeypatch.chdir(tmp_path)
    parameters = {"debezium_spark.state": "tables", "spark.sql.warehouse.dir": "<state>/files"}

    settings = resolve_settings(parameters, project)

    assert state_dir(settings) == project / "tables"
    assert settings["spark.sql.warehouse.dir"] == f"{project}/tables/files"


def test_the_environment_names_the_state_when_the_profile_does_not(tmp_path, monkeypatch):
    monkeypatch.setenv("DEBEZIUM_SPARK_STATE", str(tmp_path / "from_environment"))
    assert state_dir(resolve_settings({}, "/project")) == tmp_path / "from_environment"


def test_a_path_is_escaped_in_a_sqlite_uri_and_nowhere_else(tmp_path):
    parameters = {
        "debezium_spark.state": "100% state",
        "uri": "jdbc:sqlite:file:<state>/catalog.db?busy_timeout=1",
        "warehouse": "<state>/w",
    }
    settings = resolve_settings(parameters, tmp_path)
    assert settings["uri"].endswith("/100%25%20state/catalog.db?busy_timeout=1")
    assert settings["warehouse"] == f"{tmp_path}/100% state/w"


def test_the_jar_cache_is_absolute_and_the_log_is_quiet(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    settings = resolve_settings({"spark.jars.ivy": "~/.ivy2"}, tmp_path)
    assert settings["spark.jars.ivy"] == f"{tmp_path}/.ivy2"
    assert "log4j2.configurationFile=file:///" in settings["spark.driver.extraJavaOptions"]


def test_spark_is_told_only_its_own_settings(tmp_path):
    settings = resolve_settings({"spark.ui.enabled": "false"}, tmp_path)
    assert set(spark_options(settings)) == {"spark.ui.enabled", "spark.driver.extraJavaOptions"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("int", "int", "same"),
        ("int", "bigint", "widens"),
        ("bigint", "int", "fits"),
        ("bigint", "smallint", "fits"),
        ("float", "double", "widens"),
        ("double", "float", "fits"),
        ("decimal(10,2)", "decimal(12,2)", "widens"),
        ("decimal(12,2)", "decimal(10,2)", "fits"),
        ("decimal(10,2)", "decimal(12,4)", "differs"),
        ("int", "string", "differs"),
        ("string", "int", "differs"),
        ("timestamp", "timestamp_ntz", "differs"),
    ],
)
def test_what_a_change_of_type_means_for_values_held(old, new, expected):
    assert type_change(old, new) == expected
