"""Discovery and installation of the dbt plugin, without Spark."""

from __future__ import annotations

import subprocess
import sys

import dbt.adapters.spark as dbt_spark
import pytest
from dbt.cli.main import dbtRunner
from dbt.plugins.manager import PluginManager

import dbt_debezium_spark
from dbt_debezium_spark import package_path
from dbt_debezium_spark.plugin import DebeziumSparkPlugin
from tests.support.paths import PROFILES
from tests.support.project import create_project


def loaded(code: str, *names: str) -> str:
    """Return which of these modules a process has after some code."""
    code = f"import sys, dbt_debezium_spark\n{code}\nprint([*({{*{names}}} & {{*sys.modules}})])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


def test_importing_the_module_imports_neither_pyspark_nor_dbt():
    assert loaded("", "pyspark", "dbt", "typer", "rich") == "[]"


def test_projects_of_other_adapters_are_left_alone_and_pyspark_is_not_imported():
    code = "dbt_debezium_spark.plugins[0](project_name='duck')"
    assert loaded(code, "pyspark", "dbt.adapters.spark") == "[]"


def test_dbt_discovers_the_plugin():
    manager = PluginManager.from_modules("any")
    assert [plugin.name for plugin in manager._plugins].count("DebeziumSparkPlugin") == 1


def test_initializing_again_changes_nothing():
    DebeziumSparkPlugin(project_name="one")
    first = dbt_spark.Plugin.adapter
    DebeziumSparkPlugin(project_name="another")
    assert dbt_spark.Plugin.adapter is first
    assert (first.__name__, first.type()) == ("SparkAdapter", "spark")
    assert first.__module__ == "dbt_debezium_spark.adapter"


def test_the_package_path_holds_the_dbt_package():
    path = dbt_debezium_spark.package_path()
    assert (path / "dbt_project.yml").is_file()
    assert (path / "macros" / "materializations" / "debezium_merge.sql").is_file()


def test_an_unknown_attribute_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'plugin_s'"):
        dbt_debezium_spark.plugin_s  # noqa: B018


def test_a_target_that_the_environment_names_is_parsed_anew(tmp_path, monkeypatch):
    create_project(
        tmp_path, schema="any", target="", spark=None, variables={},
        files={"models/one.sql": "select 1 as id"},
    )  # fmt: skip
    settings = tmp_path / "dbt_project.yml"
    settings.write_text(settings.read_text() + "models: {+file_format: '{{ target.name }}'}\n")
    formats = []
    for target in ("iceberg", "delta", "iceberg"):
        monkeypatch.setenv("DEBEZIUM_SPARK_TARGET", target)
        places = ["--project-dir", str(tmp_path), "--profiles-dir", str(PROFILES)]
        parsed = dbtRunner().invoke(["parse", *places, "--log-path", str(tmp_path / "logs")])
        formats.append(parsed.result.nodes["model.shop.one"].config["file_format"])

    assert formats == ["iceberg", "delta", "iceberg"]


def packages_of(folder):
    places = ["--project-dir", str(folder), "--profiles-dir", str(PROFILES)]
    parsed = dbtRunner().invoke(["parse", *places, "--log-path", str(folder / "logs")])
    assert parsed.success, parsed.exception
    macros = {macro.package_name for macro in parsed.result.macros.values()}
    docs = {doc.package_name for doc in parsed.result.docs.values()}
    found = [node for node in parsed.result.nodes.values() if node.config.enabled]
    kinds = {node.resource_type for node in found if node.package_name != "shop"}
    return {"debezium_spark"} & macros, {"debezium_spark"} & docs, kinds - {"operation"}


def test_a_project_with_sources_gets_the_package_without_the_demo(tmp_path):
    create_project(tmp_path, schema="any", target="", spark=None, variables={}, files={})
    settings = (tmp_path / "dbt_project.yml").read_text()

    assert packages_of(tmp_path) == ({"debezium_spark"}, {"debezium_spark"}, set())

    # as `init` wrote it before
    (tmp_path / "packages.yml").write_text(f"packages: [{{local: '{package_path()}'}}]\n")
    (tmp_path / "dbt_packages").mkdir()
    (tmp_path / "dbt_packages" / "debezium_spark").symlink_to(package_path())
    assert packages_of(tmp_path) == ({"debezium_spark"}, {"debezium_spark"}, set())

    (tmp_path / "packages.yml").unlink()
    (tmp_path / "dbt_packages" / "debezium_spark").unlink()
    (tmp_path / "dbt_project.yml").write_text(settings.replace("debezium_sources", "other"))
    assert packages_of(tmp_path) == (set(), set(), set())
