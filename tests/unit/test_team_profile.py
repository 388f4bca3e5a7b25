"""What `init` finds in the profile of a project that exists, and what it adds to it."""

from __future__ import annotations

import pytest
import yaml

from dbt_debezium_spark.generator.scaffold import ScaffoldError
from dbt_debezium_spark.generator.team_profile import add_target, team_profile

PROJECT = "name: team\nprofile: team\n"
PLAIN = """\
# ours
team:
    target: dev
    outputs:
        dev:   # one Spark for all
            type: spark
            method: session
            host: NA
            schema: "{{ env_var('TEAM_SCHEMA', 'analytics') }}"
        prod: {type: spark, method: thrift, host: spark.example, schema: analytics}
        lake:
            type: spark
            method: session
            host: NA
            schema: analytics
            server_side_parameters:
                spark.sql.catalog.web: org.apache.iceberg.spark.SparkCatalog
                spark.sql.extensions: org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions
        bronze:
            type: spark
            method: session
            host: NA
            schema: analytics
            server_side_parameters: {debezium_spark.format: delta}
"""  # noqa: E501


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name in ("DBT_PROFILES_DIR", "SPARK_REMOTE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "team"
    folder.mkdir()
    (folder / "dbt_project.yml").write_text(PROJECT)
    (folder / "profiles.yml").write_text(PLAIN)
    return folder


def test_a_plain_session_lacks_catalog_and_extension(project):
    found = team_profile(project, None, None)

    assert (found.name, found.target, found.file) == ("team", "dev", project / "profiles.yml")
    assert found.described == "adapter spark, method session"
    assert "`spark.sql.catalog.<name>`" in found.lacks and "`spark.sql.extensions`" in found.lacks


@pytest.mark.parametrize("target", ["lake", "bronze"])
def test_a_target_with_a_format_lacks_nothing(project, target):
    found = team_profile(project, None, target)

    assert (found.target, found.lacks, found.note) == (target, None, None)


def test_a_server_must_have_the_format_itself(project, monkeypatch):
    thrift = team_profile(project, None, "prod")
    assert thrift.lacks is None
    assert thrift.note.startswith("The Spark at spark.example must have the jar, the extension")

    monkeypatch.setenv("SPARK_REMOTE", "sc://connect.example")
    assert "The Spark at sc://connect.example must have" in team_profile(project, None, None).note


def test_a_profile_that_dbt_cannot_read_is_told_with_its_reason(project):
    unknown = team_profile(project, None, "nowhere")
    assert unknown.target is None and "does not have a target named 'nowhere'" in unknown.described
    assert unknown.lacks

    (project / "profiles.yml").unlink()
    missing = team_profile(project, None, None)
    assert "Could not find profile named 'team'" in missing.described


def test_a_target_is_added_beside_the_teams_and_the_other_lines_stay(project):
    (project / ".gitignore").write_text("target/")

    written = add_target(team_profile(project, None, None), project)

    assert [path.name for path in written] == ["profiles.yml", ".gitignore"]
    lines = (project / "profiles.yml").read_text().splitlines()
    before = PLAIN.splitlines()
    assert [line for line in lines if line in before] == before
    outputs = yaml.safe_load("\n".join(lines))["team"]["outputs"]
    assert outputs["debezium"]["schema"] == "{{ env_var('TEAM_SCHEMA', 'analytics') }}"
    assert (project / ".gitignore").read_text() == "target/\n.lakehouse/\n"
    added = team_profile(project, None, "debezium")
    assert (added.target, added.lacks) == ("debezium", None)
    with pytest.raises(ScaffoldError, match="already has a target `debezium`"):
        add_target(added, project)


@pytest.mark.parametrize("others", [None, "other:\n  outputs: {}\n"])
def test_a_profile_is_made_where_dbt_finds_none(project, tmp_path, others):
    (project / "profiles.yml").unlink()
    home = tmp_path / "home" / ".dbt"
    if others:
        home.mkdir(parents=True)
        (home / "profiles.yml").write_text(others)

    written = add_target(team_profile(project, None, None), project)

    assert written[0] == home / "profiles.yml"
    assert (home / "profiles.yml").read_text().startswith(others or "team:")
    assert team_profile(project, None, None).lacks is None
