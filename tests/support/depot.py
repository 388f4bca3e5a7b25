"""The large source of dev/simulator/warehouse.py as a project made by `init`."""

from __future__ import annotations

from pathlib import Path

from ruamel.yaml import YAML
from typer.testing import CliRunner

from dbt_debezium_spark.cli import app
from dev.simulator.landing import to_jsonl
from dev.simulator.warehouse import Warehouse

SOURCE = "depot"


def make_project(folder: Path, warehouse: Warehouse) -> Path:
    """Write the source's records and a project that reads them; return the project's folder."""
    records = folder / "records"
    records.mkdir()
    (records / "part-1.jsonl").write_text(to_jsonl(warehouse.records), encoding="utf-8")
    project = folder / "project"
    options = warehouse.options(str(records))
    arguments = ["init", str(project), "--source", SOURCE, "--connector", options["connector"]]
    arguments += ["--input", str(records), "--topic-prefix", options["topic_prefix"]]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    yaml, file = YAML(), project / "dbt_project.yml"
    settings = yaml.load(file.read_text(encoding="utf-8"))
    settings["vars"]["debezium_sources"][SOURCE]["tables"] = options["tables"]
    with file.open("w", encoding="utf-8") as stream:
        yaml.dump(settings, stream)
    return project
