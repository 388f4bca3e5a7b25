"""A person's way: init, generate, build, docs; again as records arrive and a table is altered."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from pyspark.sql import SparkSession

from dev.demo.truth import Comparison
from tests.support.part_of_recording import write_part
from tests.support.paths import REPOSITORY
from tests.support.prefix_truth import write_prefix_truth
from tests.support.shop import Shop, differences

pytestmark = pytest.mark.slow

DEMO = REPOSITORY / "dev" / "demo" / "data" / "postgresql"
# What stays: a table with a key that is altered, and one without a key.
WITHOUT = (
    "archive.orders",
    "public.Order",
    "public.documents",
    "public.order_lines",
    "public.orders",
    "public.recorder_marker",
)
# The parts of the first delivery: snapshot and traffic. Then a crash and its repeats, the ALTERs.
FIRST = 6
# Whoever relies on the tables: every table keeps what it promises while it is altered.
GROUP = "groups: [{name: sales, owner: {email: sales@example.com}}]\n"
EXPOSURE = """\
exposures:
  - name: report
    type: analysis
    owner: {name: Ann}
    depends_on: [ref('cur_shop__customers')]
"""
# What a team sets in its dbt_project.yml (docs/generate.md).
SETTINGS = """\
    +group: sales
    current: {+contract: {enforced: true}}

vars:
"""
EDITED = "models/staging/shop/stg_shop__customers.sql"


@dataclass
class Told:
    """What the person saw on the way."""

    shop: Shop
    models: list[str] = field(default_factory=list)
    compared: dict[str, list[Comparison]] = field(default_factory=dict)
    rows: int = 0
    builds: dict[str, str] = field(default_factory=dict)
    generates: dict[str, str] = field(default_factory=dict)
    columns: dict[str, dict[str, str]] = field(default_factory=dict)
    documented: list[str] = field(default_factory=list)
    versions: list[dict[str, str]] = field(default_factory=list)


@pytest.fixture(scope="module")
def told(
    tmp_path_factory: pytest.TempPathFactory, spark_by_target: dict[str, SparkSession]
) -> Told:
    """Walk the way once; tests/full/wheel walks it with console scripts, as installed."""
    home = tmp_path_factory.mktemp("person")
    recording = write_part(DEMO, home / "recording", without=WITHOUT)
    parts = sorted((recording / "records").iterdir())
    told = Told(shop := Shop(home))

    shop.land(parts[:FIRST])
    shop.init()
    shop.configure()
    settings = shop.path / "dbt_project.yml"
    settings.write_text(settings.read_text().replace("\nvars:\n", SETTINGS))
    (shop.path / "models" / "groups.yml").write_text(GROUP)
    told.generates["first"] = shop.command("generate")
    (shop.path / "models" / "exposures.yml").write_text(EXPOSURE)
    told.builds["first"] = shop.dbt("build").text
    told.models = shop.dbt("--quiet", "ls", "--resource-type", "model").raw.result
    told.rows = write_prefix_truth(home / "first", recording, parts[:FIRST])
    told.compared["first"] = shop.compare(home / "first")

    shop.land(parts[FIRST:])
    told.generates["altered"] = shop.command("generate")
    shop.dbt("run")
    told.compared["all"] = shop.compare(recording)
    told.documented = list(shop.dbt("docs", "generate").raw.result.nodes)

    told.versions.append(shop.versions())
    told.builds["nothing new"] = shop.dbt("run").text
    told.versions.append(shop.versions())
    return told


def test_only_models_of_the_project_are_there(told: Told) -> None:
    assert "shop.staging.shop.stg_shop__customers" in told.models
    assert {name.split(".")[0] for name in told.models} == {"shop"}
    assert not [name for name in told.models if "store" in name]


def test_tables_are_in_the_projects_own_folder(told: Told) -> None:
    assert (told.shop.path / ".lakehouse" / "catalog.db").is_file()
    assert "2 tables" in told.generates["first"]
    assert "Completed successfully" in told.builds["first"]
    assert "unit test" not in told.builds["first"]


def test_tables_are_right_so_far(told: Told) -> None:
    assert not differences(told.compared["first"])
    assert sum(one.rows for one in told.compared["first"]) == told.rows > 20


def test_altered_tables_are_right_after_generating_and_running(told: Told) -> None:
    assert "shop public.customers: +" in told.generates["altered"]
    assert not differences(told.compared["all"])
    assert len(told.compared["all"]) == 2


def test_altered_tables_have_contracts_owners_and_users(told: Told) -> None:
    manifest = json.loads((told.shop.path / "target" / "manifest.json").read_text())
    nodes = {node["name"]: node for node in manifest["nodes"].values()}

    enforced = {name for name, node in nodes.items() if node.get("contract", {}).get("enforced")}
    assert enforced == {"cur_shop__customers", "cur_shop__readings"}
    assert {nodes[f"{layer}_shop__customers"]["config"]["group"] for layer in ("stg", "cur")} == {
        "sales"
    }
    (exposure,) = manifest["exposures"].values()
    assert exposure["depends_on"]["nodes"] == ["model.shop.cur_shop__customers"]


def test_docs_know_every_table(told: Told) -> None:
    names = {name.rpartition(".")[2] for name in told.documented}
    assert {
        "raw_shop",
        "stg_shop__customers",
        "state_shop__customers",
        "cur_shop__readings",
    } <= names


def test_a_run_without_new_records_commits_to_no_table(told: Told) -> None:
    before, after = told.versions

    assert {"raw_shop", "stg_shop__customers", "state_shop__readings"} - set(before) == set()
    assert before == after
    assert "up to date" in told.builds["nothing new"]


def test_check_tells_whether_the_models_are_what_is_generated(told: Told) -> None:
    told.shop.command("generate", "--check")
    file = told.shop.path / EDITED
    generated = file.read_text()
    try:
        file.write_text(generated.replace("'id'", "'ID'"))
        output = told.shop.command("generate", "--check", "--no-build", code=1)
        assert "shop public.customers: " in output and "[stg.sql]" in output
        assert "would be 1 changed" in output
        assert file.read_text() != generated
    finally:
        file.write_text(generated)


# What is wrong, words of the message, and the exit code of `generate`: 2 before dbt is called.
MISTAKES = [
    pytest.param("connector: postgresql", "connector: postgres", "`postgresql`", 2, id="connector"),
    pytest.param(
        "topic_prefix: shop",
        "topic_prefx: shop",
        "`topic_prefix`",
        2,
        id="key",
        marks=pytest.mark.full,
    ),
    pytest.param("path: ../landing", "path: ../landin", "landin", 1, id="input"),
]


@pytest.mark.parametrize(("right", "wrong", "words", "code"), MISTAKES)
def test_a_wrong_configuration_fails_before_any_model(
    told: Told, right: str, wrong: str, words: str, code: int
) -> None:
    file = told.shop.path / "dbt_project.yml"
    project = file.read_text()
    assert right in project
    try:
        file.write_text(project.replace(right, wrong))
        result = told.shop.try_dbt("run")
        output = told.shop.command("generate", code=code)
    finally:
        file.write_text(project)

    assert not result.success
    for text in (result.text, output):
        assert words in text and "debezium_spark: " in text
    assert not [name for name, status in result.statuses.items() if status == "success"]
    assert not [line for line in result.messages if "START" in line and "model" in line]
