"""The command line without Spark: scaffolding, refusals, reports and exit codes."""

from __future__ import annotations

import json
import re

import pytest
import yaml
from typer.testing import CliRunner

from dbt_debezium_spark import generator
from dbt_debezium_spark.cli import app, generate_command
from dbt_debezium_spark.config import load_sources
from dbt_debezium_spark.generator import Change, FileChange, Generation, Message
from dbt_debezium_spark.generator.project_files import Layout
from tests.support.examples import example_lines


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Run the command in a folder with records; dbt is not called."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DBT_PROFILES_DIR", raising=False)
    lines = example_lines("postgres_2.1.4_create_with_schema")
    (tmp_path / "records").mkdir()
    text = "".join(json.dumps(one) + "\n" for one in lines)
    (tmp_path / "records" / "a.jsonl").write_text(text)

    def call(*arguments, code=0):
        result = CliRunner().invoke(app, [str(one) for one in arguments])
        assert result.exit_code == code, result.output
        return result

    return call


@pytest.fixture
def mine(tmp_path):
    """The settings of a project made by hand."""
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "dbt_project.yml").write_text("name: mine  # ours\nprofile: lake\n")
    return tmp_path / "mine" / "dbt_project.yml"


def init(call, folder="shop", path="records", code=0, **options):
    options = {"source": "inventory", "connector": "postgresql", "input": path, **options}
    named = [(f"--{name.replace('_', '-')}", value) for name, value in options.items()]
    return call("init", folder, *(one for pair in named for one in pair), code=code)


def project_of(folder):
    return yaml.safe_load((folder / "dbt_project.yml").read_text())


def sources_of(folder):
    return project_of(folder)["vars"]["debezium_sources"]


def test_help_shows_the_way(call):
    text = call("--help").output

    assert "init" in text and "generate" in text and "Exit codes" in text


def test_init_makes_a_project_that_finds_records_and_profile(call, tmp_path):
    result = init(call)

    folder = tmp_path / "shop"
    options = load_sources(sources_of(folder))["inventory"]
    assert (options.connector, options.topic_prefix) == ("postgresql", "PostgreSQL_server")
    looked = "Looked into 1 file (JSON lines): 1 record, 1 table, topic prefix PostgreSQL_server"
    assert f"{looked}, connector postgresql\n" in result.output
    assert (folder / options.input.path).resolve() == tmp_path / "records"
    assert not (folder / "packages.yml").exists()
    for name, words in {
        "profiles.yml": "debezium_spark:",
        ".sqlfluff": "profiles_dir = .",
        ".gitignore": ".lakehouse/",
        "README.md": "debezium-spark generate",
    }.items():
        assert words in (folder / name).read_text()


def test_the_commented_options_of_a_new_project_are_the_known_ones(call, tmp_path):
    init(call)
    text = (tmp_path / "shop" / "dbt_project.yml").read_text()
    block = re.findall(r"^  #   ?(.*)$", text, re.MULTILINE)
    example = yaml.safe_load("\n".join(line for line in block if not line.startswith("debezium_")))

    # what it shows can be written
    options = dict(example["inventory"])
    assert load_sources({"inventory": options})["inventory"].topic_prefix == "dbserver1"


def test_an_absolute_input_stays_absolute(call, tmp_path):
    path = str(tmp_path / "records" / "*.jsonl")
    init(call, path=path)

    assert sources_of(tmp_path / "shop")["inventory"]["input"]["path"] == path


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("kafka://b1:9092,b2:9092", {"type": "kafka", "brokers": "b1:9092,b2:9092"}),
        ("table:bronze.records", {"type": "table", "relation": "bronze.records"}),
        ("table:bronze.dbserver1_*", {"type": "table", "relations": "bronze.dbserver1_*"}),
    ],
)
def test_brokers_and_tables_are_inputs_too(call, tmp_path, monkeypatch, written, read):
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "none"))
    refused = init(call, path=written, code=2)
    assert f"Spark was to look into `{written}`, and this failed: " in refused.stderr
    assert "Add --topic-prefix" in refused.stderr
    assert not (tmp_path / "shop").exists()

    result = init(call, path=written, topic_prefix="dbserver1")
    sources = sources_of(tmp_path / "shop")
    assert sources["inventory"]["input"] == read
    assert load_sources(sources)["inventory"].input.type == read["type"]
    assert "Looked into" not in result.output


def test_a_second_source_is_added_and_comments_stay(call, tmp_path):
    init(call)
    init(call, source="crm", topic_prefix="other")

    assert list(load_sources(sources_of(tmp_path / "shop"))) == ["inventory", "crm"]
    text = (tmp_path / "shop" / "dbt_project.yml").read_text()
    assert "# One block per connector." in text


def test_a_source_is_added_where_the_project_keeps_its_vars(call, mine):
    own = mine.with_name("vars.yml")
    own.write_text("vars:\n  # ours\n  start: 2026-01-01\n")
    result = init(call, folder="mine")

    # dbt 1.12 refuses vars in both files
    assert "vars" not in project_of(mine.parent)
    assert "# ours" in own.read_text() and "vars.yml" in result.output
    assert list(generator.DbtProject(mine.parent).sources()) == ["inventory"]


def test_a_source_is_added_to_a_project_made_by_hand(call, mine):
    init(call, folder="mine")

    project = project_of(mine.parent)
    assert "model-paths" not in project
    assert project["vars"]["debezium_folder"] == "models/debezium"
    assert "# ours" in mine.read_text()
    assert [path.name for path in mine.parent.iterdir()] == ["dbt_project.yml"]


@pytest.mark.parametrize(
    ("settings", "told", "folder"),
    [
        ('model-paths: ["dbt/models"]', None, "dbt/models/debezium"),
        ('model-paths: ["models", "more"]', "more/cdc", "more/cdc"),
        # a project may name it before its first source
        ("vars: {debezium_folder: models/cdc}", None, "models/cdc"),
        ('model-paths: ["models"]', "models", None),
        ('model-paths: ["models"]', "elsewhere/cdc", None),
        ('model-paths: ["models"]', "models/../cdc", None),
        ('model-paths: ["models"]', "/models/cdc", None),
    ],
)
def test_generated_models_have_a_folder_in_which_dbt_reads_models(
    call, mine, settings, told, folder
):
    mine.write_text(text := f"{mine.read_text()}{settings}\n")

    options = {"models": told} if told else {}
    result = init(call, folder="mine", code=2 if folder is None else 0, **options)

    if folder is None:
        assert f"the folder of generated models, '{told}', is" in result.stderr
        assert "`models/debezium`" in result.stderr
        assert mine.read_text() == text
    else:
        assert generator.DbtProject(mine.parent).layout == Layout(folder)


def test_all_sources_of_a_project_have_one_folder(call, tmp_path):
    init(call, models="models/cdc")
    other = {"source": "crm", "topic_prefix": "other"}

    assert "`models/cdc`" in init(call, models="models/crm", code=2, **other).stderr
    init(call, **other)
    assert project_of(tmp_path / "shop")["vars"]["debezium_folder"] == "models/cdc"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"folder": "records"}, "contains no dbt project"),
        ({"source": "Bad Name"}, "Bad Name"),
        ({"source": "a__b"}, "a__b"),
        ({"path": "nowhere"}, "does not exist"),
        ({"path": "empty"}, "--topic-prefix"),
        ({"connector": "postgres"}, "postgresql"),
    ],
)
def test_wrong_values_are_refused_before_anything_is_written(call, tmp_path, options, words):
    (tmp_path / "empty").mkdir()

    assert words in init(call, code=2, **options).stderr
    assert not (tmp_path / "shop").exists()
    assert [one.name for one in (tmp_path / "records").iterdir()] == ["a.jsonl"]


def test_a_name_taken_is_refused(call):
    init(call)
    assert "already has a source `inventory`" in init(call, code=2).stderr


def test_an_input_without_records_is_taken_with_its_prefix(call, tmp_path):
    (tmp_path / "empty").mkdir()
    init(call, path="empty", topic_prefix="dbserver1")


# -- generate -------------------------------------------------------------------------------------


def test_generate_outside_a_project_says_where_to_go(call):
    assert "no dbt_project.yml" in call("generate", code=2).stderr


@pytest.fixture
def generated(call, monkeypatch):
    """Run `generate` with a prepared outcome; returns (result, arguments of the generator)."""
    init(call)

    def generated(outcome, *arguments, code=0):
        seen = {}

        def fake(project, **options):
            seen.update(options, project=project.path)
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        monkeypatch.setattr(generate_command, "generate", fake)
        return call("generate", "--project-dir", "shop", *arguments, code=code), seen

    return generated


MARK = "-- generated by debezium-spark generate\n"
CREATED = FileChange("models/staging/inventory/stg_inventory__a.sql", Change.CREATED, MARK)
SAME = FileChange("models/staging/inventory/stg_inventory__b.sql", Change.UNCHANGED, MARK)
NEW = "new tables: inventory a (1 file)"
FAILED = generator.DbtError("debezium_spark: `dbt run` failed")
PROBLEM = Message("problem", "table 'public.[x]' would get the model name 'x'.")


@pytest.mark.parametrize(
    ("outcome", "arguments", "code", "printed", "told"),
    [
        # what changed is listed and what did not is counted
        (Generation([CREATED, SAME], tables=2), (), 0,
         [NEW, "2 tables; files 1 created, 1 unchanged"], ""),
        # `--check` fails on drift only
        (Generation([CREATED, SAME], tables=2), ("--check",), 1,
         [NEW, "2 tables; files would be 1 created, 1 unchanged"], ""),
        (Generation([SAME], tables=1), ("--check",), 0,
         ["1 table; files 1 unchanged"], ""),
        # a refused table fails and the others are reported
        (Generation([CREATED], [PROBLEM], 1), (), 1, [NEW, "1 table; files 1 created"],
         "problem: table 'public.[x]' would get the model name 'x'."),
        # a warning does not fail
        (Generation([], [Message("warning", "no schema")], 0), (), 0, ["0 tables; files none"],
         "warning: no schema"),
        (FAILED, (), 1, [], "`dbt run` failed"),
        (Generation(), ("--source", "nope"), 2, [], "no source `nope`. Known: `inventory`"),
    ],
)  # fmt: skip
def test_generate_reports_and_ends_with_a_code(generated, outcome, arguments, code, printed, told):
    result, seen = generated(outcome, *arguments, code=code)

    assert result.stdout.splitlines() == printed
    assert told in result.stderr
    assert seen.get("check", "--check" in arguments) is ("--check" in arguments)


def test_options_reach_the_generator(generated, tmp_path):
    chosen = ("--source", "inventory", "--select", "public.*", "--select", "a.b", "--no-build")
    _, seen = generated(Generation(), *chosen)

    assert seen == {
        "project": tmp_path / "shop",
        "sources": ["inventory"],
        "source": "inventory",
        "select": ["public.*", "a.b"],
        "check": False,
        "build": False,
    }


def test_a_wrong_configuration_is_a_usage_error(generated, tmp_path):
    path = tmp_path / "shop" / "dbt_project.yml"
    path.write_text(
        path.read_text().replace("connector: postgresql\n      topic", "konnektor: x\n      topic")
    )

    assert "konnektor" in generated(Generation(), code=2)[0].stderr


def test_maintain_refuses_a_source_that_is_not_configured(call):
    init(call)

    result = call("maintain", "--source", "inventry", "--project-dir", "shop", code=2)

    assert "has no source 'inventry'" in result.output
    assert "Did you mean `inventory`?" in result.output
