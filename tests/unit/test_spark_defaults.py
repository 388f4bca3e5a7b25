"""Which settings and packages Spark starts with, for what a profile names itself."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

import pytest
from dbt.adapters.spark import SparkAdapter
from dbt.adapters.spark.connections import SparkConnectionMethod
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.adapter import extended
from dbt_debezium_spark.door import run
from dbt_debezium_spark.notebook import read_settings
from dbt_debezium_spark.spark import versions as spark_versions
from dbt_debezium_spark.spark.connection import OwnSession, unwritable
from dbt_debezium_spark.spark.defaults import (
    ALWAYS,
    EMBEDDED_CATALOG,
    OF_FORMAT,
    Default,
    for_a_server,
    with_defaults,
)
from dbt_debezium_spark.spark.settings import (
    missing_for_format,
    resolve_settings,
    spark_options,
    state_dir,
)
from dbt_debezium_spark.spark.versions import FORMATS, LINES, SQLITE, check_runtimes
from dbt_debezium_spark.staging.type_change import type_change
from tests.support.paths import PROFILES, REPOSITORY

LONG = REPOSITORY / "tests" / "fixtures" / "profiles"
ICEBERG = {"debezium_spark.format": "iceberg"}
DELTA = {"debezium_spark.format": "delta"}


@pytest.fixture(autouse=True)
def installed(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Replace the installed PySpark: `installed("4.2.1")`."""
    for name in [one for one in os.environ if one.startswith(("DEBEZIUM_", "SPARK_"))]:
        monkeypatch.delenv(name)

    def install(version: str) -> None:
        monkeypatch.setattr(spark_versions, "installed_version", lambda: version)

    install("4.1.4")
    return install


def test_the_profile_is_short():
    assert len((PROFILES / "profiles.yml").read_text(encoding="utf-8").splitlines()) <= 25


@pytest.mark.parametrize("target", FORMATS)
def test_the_short_profile_means_what_the_long_one_said(target, tmp_path):
    (tmp_path / "profiles.yml").write_text((LONG / "long.yml").read_text(encoding="utf-8"))

    long, schema = read_settings(REPOSITORY, tmp_path, target)
    short, same_schema = read_settings(REPOSITORY, PROFILES, target)

    assert short == {**long, "debezium_spark.format": target}
    assert same_schema == schema


@pytest.mark.parametrize("profile", [ICEBERG, DELTA])
def test_resolving_again_changes_nothing(profile, tmp_path):
    settings = resolve_settings(profile, tmp_path)

    assert resolve_settings(settings, "/elsewhere") == settings


def test_a_profile_without_a_format_stays_as_it_is():
    profile = {"spark.master": "yarn", "spark.sql.catalog.web.type": "rest"}

    assert with_defaults(profile) == profile


def test_a_format_that_does_not_exist_is_told():
    with pytest.raises(DbtRuntimeError, match="must be iceberg or delta, got: 'hudi'. Write one"):
        with_defaults({"debezium_spark.format": "hudi"})


@pytest.mark.parametrize("default", ALWAYS, ids=lambda default: default.name)
def test_a_setting_of_the_profile_wins_over_the_environment_and_the_default(default, monkeypatch):
    assert with_defaults(ICEBERG)[default.name] == default.value
    if default.variable:
        monkeypatch.setenv(default.variable, "7")
        assert with_defaults(ICEBERG)[default.name] == "7"

    assert with_defaults({**ICEBERG, default.name: "9"})[default.name] == "9"


def test_lists_of_the_profile_are_joined_with_ours():
    settings = with_defaults(
        {
            **DELTA,
            "spark.jars.packages": "org.example:one:1.0, org.example:two:2.0",
            "spark.sql.extensions": "org.example.Extension",
            "spark.jars.excludes": "org.example:three",
        }
    )

    packages = ["org.example:one:1.0", "org.example:two:2.0", LINES["4.1"].delta]
    assert settings["spark.jars.packages"].split(",") == packages
    extensions = ["org.example.Extension", "io.delta.sql.DeltaSparkSessionExtension"]
    assert settings["spark.sql.extensions"].split(",") == extensions
    assert settings["spark.jars.excludes"].startswith("org.example:three,org.apache.hadoop:")
    assert with_defaults(settings) == settings


def test_a_runtime_of_the_profile_replaces_ours():
    own = "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.11.0"

    assert with_defaults({**ICEBERG, "spark.jars.packages": own})["spark.jars.packages"] == (
        f"{own},{SQLITE}"
    )


@pytest.mark.parametrize(
    "profile",
    [
        {**ICEBERG, "spark.sql.defaultCatalog": "web"},
        {**ICEBERG, "spark.sql.catalog.lake.type": "rest"},
        {**ICEBERG, "spark.sql.catalog.lake.catalog-impl": "org.apache.iceberg.aws.glue.Glue"},
        {**ICEBERG, "spark.sql.catalog.spark_catalog": "org.apache.iceberg.spark.SessionCatalog"},
        {**ICEBERG, "spark.sql.catalogImplementation": "hive"},
        {**ICEBERG, "spark.hadoop.hive.metastore.uris": "thrift://metastore:9083"},
        {**DELTA, "spark.hadoop.hive.metastore.uris": "thrift://metastore:9083"},
        {**DELTA, "spark.sql.catalog.spark_catalog": "io.unitycatalog.spark.UCSingleCatalog"},
        {**DELTA, "spark.hadoop.javax.jdo.option.ConnectionURL": "jdbc:postgresql://db/meta"},
    ],
)
def test_a_catalog_of_the_profile_is_not_replaced_by_the_embedded_one(profile):
    settings = with_defaults(profile)

    assert profile.items() <= settings.items()
    embedded = {one.name for one in EMBEDDED_CATALOG[profile["debezium_spark.format"]]}
    assert embedded & set(settings) <= set(profile)
    packages = settings["spark.jars.packages"].split(",")
    assert packages == [LINES["4.1"].runtime(profile["debezium_spark.format"])]
    assert settings["spark.sql.extensions"]


def test_a_further_catalog_does_not_replace_the_embedded_one():
    profile = {**ICEBERG, "spark.sql.catalog.web.type": "rest"}

    settings = with_defaults({**profile, "spark.sql.catalog.lake.warehouse": "s3a://bucket"})

    assert settings["spark.sql.defaultCatalog"] == "lake"
    assert settings["spark.sql.catalog.lake.warehouse"] == "s3a://bucket"
    assert SQLITE in settings["spark.jars.packages"]


@pytest.mark.parametrize(
    ("version", "profile", "supported", "remedy"),
    [
        ("4.2.1", ICEBERG, "iceberg on Spark 4.0, 4.1", "4.1"),
        ("4.3.0", DELTA, "delta on Spark 4.0, 4.1, 4.2", "4.2"),
    ],
)
def test_a_pair_without_a_runtime_is_told(
    installed, monkeypatch, version, profile, supported, remedy
):
    installed(version)
    with pytest.raises(DbtRuntimeError) as failed:
        resolve_settings(profile, "/project")
    assert str(failed.value.msg) == (
        f"debezium_spark: PySpark {version} is installed, supported are {supported}: run"
        f" `pip install 'pyspark=={remedy}.*'`."
    )

    # the jars are the server's
    monkeypatch.setenv("SPARK_REMOTE", "sc://host:15002")
    assert "spark.jars.packages" not in resolve_settings(profile, "/project")


def test_a_runtime_for_another_spark_is_told(installed):
    packages = ["org.example:one:1.0", str(LINES["4.1"].iceberg), str(LINES["4.1"].delta)]
    check_runtimes(packages)

    installed("4.2.1")
    with pytest.raises(DbtRuntimeError, match=r"PySpark 4\.2\.1 is installed, but .* 'pyspark==4"):
        check_runtimes(packages)


def test_a_server_gets_the_defaults_that_a_session_may_set():
    profile = {**ICEBERG, "debezium_spark.state": "x", "spark.sql.session.timeZone": "Asia/Tokyo"}

    assert for_a_server(profile) == {
        "debezium_spark.state": "x",
        "spark.sql.session.timeZone": "Asia/Tokyo",
        "spark.sql.debug.maxToStringFields": "1000",
    }


@pytest.mark.parametrize(
    ("method", "settings", "name", "file_format"),
    [
        ("thrift", DELTA, "cluster", "delta"),
        ("thrift", {}, "cluster", "iceberg"),
        ("session", DELTA, "production", "delta"),
        ("session", {}, "my_delta", "delta"),
    ],
)
def test_a_target_decides_the_format_and_a_server_gets_no_jars(
    method, settings, name, file_format, tmp_path
):
    credentials = SimpleNamespace(method=method, server_side_parameters=settings)
    config = SimpleNamespace(
        credentials=credentials,
        project_root=str(tmp_path),
        target_name=name,
        project_env_vars={},
        vars=SimpleNamespace(to_dict=dict),
        log_cache_events=False,
    )

    adapter = extended(SparkAdapter)(config, multiprocessing.get_context("spawn"))

    assert adapter.debezium().run.format_of_target() == file_format
    sent = credentials.server_side_parameters
    assert ("spark.jars.packages" in sent) == (method == "session" and bool(settings))
    if method == "thrift":
        assert sent == (for_a_server(settings) if settings else {})


LAKE = {"spark.sql.catalog.lake": "org.apache.iceberg.spark.SparkCatalog"}
DELTA_CATALOG = {
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog"
}
DELTA_EXTENSION = {"spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension"}


@pytest.mark.parametrize(
    ("settings", "file_format", "missing"),
    [
        (ICEBERG, "iceberg", ""),
        (DELTA, "delta", ""),
        (DELTA, "iceberg", "no catalog of Iceberg"),
        (ICEBERG, "delta", "no catalog of Delta"),
        (LAKE, "iceberg", ""),
        ({**DELTA_CATALOG, **DELTA_EXTENSION}, "delta", ""),
        (DELTA_CATALOG, "delta", "no extension of Delta"),
        ({}, "iceberg", "no catalog of Iceberg (`spark.sql.catalog.<name>`) and no extension of"),
        ({}, "delta", "no catalog of Delta (`spark.sql.catalog.<name>`) and no extension of Delta"),
        ({"spark.sql.catalog.x.type": "rest"}, "iceberg", "no catalog of Iceberg"),
    ],
)
def test_what_a_profile_lacks_for_a_format(settings, file_format, missing):
    found = missing_for_format(settings, file_format)

    assert (found or "").startswith(missing) and (found is None) == (missing == "")


def profile_of(method: SparkConnectionMethod) -> Any:
    return SimpleNamespace(target_name="dev", credentials=SimpleNamespace(method=method))


NOT_FOUND = (
    "An error occurred while calling o31.sql.\n: org.apache.spark.SparkClassNotFoundException:"
    " [DATA_SOURCE_NOT_FOUND] Failed to find the data source: {}. Make sure the provider name is"
    " correct.\n\tat org.apache.spark.sql.errors.One\n\tat java.base/java.lang.Thread.run"
)
NO_CLASS = "SparkException: Cannot find catalog plugin class for catalog '{}': {}.\n\tat org.apache"


@pytest.mark.parametrize(
    ("message", "file_format"),
    [
        (NOT_FOUND.format("iceberg"), "iceberg"),
        (NOT_FOUND.format("delta"), "delta"),
        (NO_CLASS.format("lake", "org.apache.iceberg.spark.SparkCatalog"), "iceberg"),
        (NO_CLASS.format("spark_catalog", *DELTA_CATALOG.values()), "delta"),
        ("[DELTA_CONFIGURE_SPARK_SESSION_WITH_EXTENSION_AND_CATALOG] This", "delta"),
        ("Failed to create: provider 'delta' does not support external metadata but", "delta"),
        ("Cannot open table: path is not set", "iceberg"),
    ],
)
def test_sparks_error_becomes_one_sentence_with_the_remedy(message, file_format):
    told = told_by_a_session(message)
    assert told.startswith(
        f"debezium_spark: target `dev` of profiles.yml cannot write {file_format}"
    )
    assert f"add `debezium_spark.format: {file_format}`" in told
    assert "\n" not in told

    told = unwritable(profile_of(SparkConnectionMethod.THRIFT), message) or ""
    assert "its Spark server must have the jar of " in told and "\n" not in told


@pytest.mark.parametrize("message", [NOT_FOUND.format("kafka"), "no iceberg here", "delta"])
def test_other_errors_stay(message):
    assert unwritable(profile_of(SparkConnectionMethod.SESSION), message) is None
    assert told_by_a_session(message) == message


def told_by_a_session(message: str) -> str:
    """Return what dbt says when Spark says this in its own session."""

    class Manager:
        profile = profile_of(SparkConnectionMethod.SESSION)

        @contextmanager
        def exception_handler(self, sql: str) -> Iterator[None]:
            yield

    manager: Any = type("Own", (OwnSession, Manager), {})()
    with pytest.raises(DbtRuntimeError) as failed, manager.exception_handler("select 1"):
        raise DbtRuntimeError(message)
    return str(failed.value.msg)


def test_a_running_spark_is_asked_before_the_first_model(monkeypatch):
    def checked(settings: Mapping[str, str]) -> None:
        session = SimpleNamespace(conf=SimpleNamespace(getAll=settings))
        monkeypatch.setattr(run, "session_for", lambda _: session)
        adapter = mock.Mock(
            _debezium_in_own_session=True, config=SimpleNamespace(target_name="dev")
        )
        run.Run(adapter).check_formats(["iceberg"])

    checked(LAKE)
    with pytest.raises(DbtRuntimeError, match="target `dev` of profiles.yml cannot write iceberg"):
        checked({"spark.master": "local[2]"})
    monkeypatch.setenv("SPARK_REMOTE", "sc://host:15002")
    checked({"spark.master": "local[2]"})


def shown(default: Default) -> str:
    """Return a line of docs/configuration.md."""
    variable = f" (`{default.variable}`)" if default.variable else ""
    value = default.value.replace(",", ", ")
    return f"| `{default.name}` | `{value}`{variable} | {default.reason} |\n"


@pytest.mark.parametrize(
    "defaults",
    [ALWAYS, *OF_FORMAT.values(), *EMBEDDED_CATALOG.values()],
    ids=["always", "iceberg", "delta", "catalog of iceberg", "catalog of delta"],
)
def test_the_page_shows_the_defaults(defaults):
    page = (REPOSITORY / "docs" / "configuration.md").read_text(encoding="utf-8")

    table = "| setting | default | why |\n|---|---|---|\n" + "".join(map(shown, defaults))
    assert table in page


def test_the_page_shows_the_packages():
    head = "| Spark | Iceberg | Delta | Kafka | Kafka's tokens | Avro |"
    lines = [head, "|---" * 6 + "|"]
    for line, of in LINES.items():
        names = [of.iceberg, of.delta, of.kafka, of.token_provider, of.avro]
        cells = [f"`{name}`" if name else "–" for name in names]
        lines.append("| " + " | ".join([line, *cells]) + " |")

    assert "\n".join(lines) in (REPOSITORY / "docs" / "support.md").read_text(encoding="utf-8")


def test_no_other_page_names_a_package():
    coordinates = [str(one.runtime(name)) for one in LINES.values() for name in FORMATS]
    modules = {name.split(":")[1] for name in coordinates if ":" in name}
    for page in [*sorted(Path(REPOSITORY / "docs").glob("*.md")), PROFILES / "profiles.yml"]:
        if page.name != "support.md":
            text = page.read_text(encoding="utf-8")
            assert [name for name in modules if name in text] == [], page.name


# -- places, and types that change ----------------------------------------------------------------


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
