"""The wheel alone, as a new user has it: every connector and form of records, from init to build.

Nothing here runs in this process's environment, which has the extras and what tests need.
"""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml

from dbt_debezium_spark.landing.exact_lines import MAX_DRIVER_LINES
from dev.demo.__main__ import SOURCES
from dev.live.project import Project
from tests.full.wheel.demo_inputs import LINES_FOR_WORKERS, TABLES, write_demo_inputs
from tests.full.wheel.environment import EmptyEnvironment
from tests.support.paths import REPOSITORY

pytestmark = pytest.mark.slow

# What a run leaves on the machine, and git ignores.
NOT_THE_PROJECTS = (".lakehouse", "dbt_packages", "logs", "target")
THRIFT = """
debezium_spark:
  target: cluster
  outputs:
    cluster: {type: spark, method: thrift, host: 127.0.0.1, port: 10000, schema: debezium}
"""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> EmptyEnvironment:
    return EmptyEnvironment(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the project `lake`, and of the records in `in`."""
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def landing(home: Path) -> dict[str, int]:
    """Records that the project should land, by connector."""
    return write_demo_inputs(home / "in")


@pytest.fixture(scope="module")
def lake(environment: EmptyEnvironment, home: Path, landing: dict[str, int]) -> Path:
    """A project with a source of each connector, built."""
    project = home / "lake"
    for source in SOURCES:
        folder, new = (home, "lake") if not project.exists() else (project, ".")
        records = f"{'' if new == 'lake' else '../'}in/{source.folder}"
        environment.run(
            *("debezium-spark", "init", new, "--source", source.name),
            *("--connector", source.folder, "--input", records),
            folder=folder,
        )
    for name, options in demo_options().items():
        Project(project).set_options(name, options)
    environment.run("debezium-spark", "generate", folder=project)
    environment.run("dbt", "--no-use-colors", "build", folder=project)
    return project


@pytest.fixture(scope="module")
def found(environment: EmptyEnvironment, lake: Path) -> dict[str, Any]:
    """What `compare` tells of the tables, by connector."""
    told = environment.run("python", "-m", "tests.full.wheel.compare", lake, folder=REPOSITORY)
    return json.loads(told.splitlines()[-1])


def demo_options() -> dict[str, dict[str, Any]]:
    """Return what the demo configures beside the input, for the tables that are here."""
    text = (REPOSITORY / "dbt_project.yml").read_text(encoding="utf-8")
    blocks = yaml.safe_load(text)["vars"]["debezium_sources"]
    blocks["content"]["tables"]["cms.articles"]["history"] = True
    kept = {}
    for source in SOURCES:
        options = blocks[source.name]
        known = tuple(f".{table}" for table in TABLES[source.folder])
        tables = options.get("tables", {}).items()
        kept[source.name] = {
            **{name: options[name] for name in ("signal_data_collection",) if name in options},
            "tables": {name: told for name, told in tables if f".{name}".endswith(known)},
        }
    return kept


def test_the_wheel_holds_the_dbt_package_without_the_demo(environment: EmptyEnvironment) -> None:
    with ZipFile(environment.wheel) as wheel:
        names = [Path(name) for name in wheel.namelist()]
        inside = Path("dbt_debezium_spark", "dbt_package")
        project = yaml.safe_load(wheel.read((inside / "dbt_project.yml").as_posix()))

    assert {name.parts[0].split("-")[0] for name in names} == {"dbt_debezium_spark"}
    package = [name.relative_to(inside) for name in names if name.is_relative_to(inside)]
    assert {name.parts[0] for name in package} == {
        *("dbt_project.yml", ".sqlfluff", "macros", "models", "profiles", "seeds")
    }
    assert {name.as_posix() for name in package if name.parts[0] != "macros"} == {
        *("dbt_project.yml", ".sqlfluff", "profiles/profiles.yml"),
        *("models/_columns__docs.md", "models/overview.md"),
        *("seeds/debezium_operations.csv", "seeds/debezium_operations.yml"),
    }
    assert {name.suffix for name in package if name.parts[0] == "macros"} == {".sql", ".yml"}
    assert "vars" not in project
    assert project["on-run-start"] and project["on-run-end"]
    module = {name.as_posix() for name in names if not name.is_relative_to(inside)}
    assert {Path(name).suffix for name in module if "dist-info" not in name} == {
        *(".py", ".typed", ".properties")
    }
    info = {name.partition(".dist-info/")[2] for name in module if "dist-info" in name}
    assert info == {
        *("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "top_level.txt")
    }


def test_the_source_distribution_holds_what_makes_the_wheel(environment: EmptyEnvironment) -> None:
    """`build` made the wheel from it."""
    with tarfile.open(environment.sources) as sources:
        names = [Path(*Path(one.name).parts[1:]) for one in sources if one.isfile()]

    assert {name.parts[0] for name in names} == {
        *("macros", "models", "profiles", "seeds", "src", ".sqlfluff", "dbt_project.yml"),
        *("CHANGELOG.md", "LICENSE", "README.md"),
        *("PKG-INFO", "pyproject.toml", "setup.cfg", "setup.py"),
    }
    assert {name.name for name in names if name.parts[0] == "models"} == {
        *("_columns__docs.md", "overview.md")
    }


def test_the_environment_is_complete_and_has_nothing_else(environment: EmptyEnvironment) -> None:
    assert "No broken requirements found" in environment.run("pip", "check")
    installed = {
        one["name"].lower()
        for one in json.loads(
            environment.run("pip", "--disable-pip-version-check", "list", "--format", "json")
        )
    }
    assert "dbt-debezium-spark" in installed
    assert not installed & {"pytest", "grpcio", "pyhive", "confluent-kafka", "pg8000", "sqlfluff"}


def test_dbt_finds_nothing_deprecated(environment: EmptyEnvironment, lake: Path) -> None:
    command = ("dbt", "--no-use-colors", "parse", "--no-partial-parse", "--show-all-deprecations")
    told = environment.run(*command, folder=lake)
    assert "Performance info" in told
    assert "deprecat" not in told.lower() and "[WARNING]" not in told


@pytest.mark.parametrize("connector", TABLES)
def test_every_record_lands_whatever_its_form(
    found: dict[str, Any], landing: dict[str, int], connector: str
) -> None:
    assert LINES_FOR_WORKERS > MAX_DRIVER_LINES
    assert found[connector]["rejected"] == []
    assert found[connector]["landed"] == landing[connector]


@pytest.mark.parametrize("connector", TABLES)
def test_tables_equal_their_truths(found: dict[str, Any], connector: str) -> None:
    for one in found[connector]["tables"]:
        assert one["missing"] == one["unexpected"] == [], one["table"]
        assert one["rows"] > 0


@pytest.mark.parametrize("connector", ["postgresql", "mongodb"])
def test_histories_have_more_than_the_current_versions(
    found: dict[str, Any], connector: str
) -> None:
    *_, history = found[connector]["tables"]
    assert found[connector]["versions"] > history["rows"]


def test_no_file_of_the_project_names_a_folder_of_this_machine(
    environment: EmptyEnvironment, home: Path, lake: Path
) -> None:
    """Others check the project out elsewhere."""
    places = [str(environment.path), str(environment.packages), str(home)]
    files = {path.relative_to(lake): path for path in lake.rglob("*") if path.is_file()}
    ours = {name: path for name, path in files.items() if name.parts[0] not in NOT_THE_PROJECTS}
    assert len(ours) > 50
    naming = [
        name.as_posix()
        for name, path in ours.items()
        if any(place in path.read_text(encoding="utf-8") for place in places)
    ]
    assert naming == []


def test_a_missing_extra_is_named_in_one_sentence(
    environment: EmptyEnvironment, lake: Path, tmp_path: Path
) -> None:
    told = environment.run(
        *("dbt", "--no-use-colors", "show", "--inline", "select 1"),
        folder=lake,
        code=2,
        SPARK_REMOTE="sc://127.0.0.1:1",
    )
    assert 'Run `pip install "dbt-debezium-spark[connect]"`, or unset SPARK_REMOTE.' in told
    assert "grpcio" in told

    # dbt-spark's own extra, and its message
    (tmp_path / "profiles.yml").write_text(THRIFT, encoding="utf-8")
    told = environment.run("dbt", "parse", "--profiles-dir", tmp_path, folder=lake, code=2)
    assert "pip install dbt-spark[PyHive]" in told
