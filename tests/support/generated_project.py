"""A project made by `init`, with the files that `generate` writes, driven in this process."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from typer.testing import CliRunner

from dbt_debezium_spark.cli import app
from tests.support.examples import example_lines
from tests.support.project import DbtProject, DbtResult


def write_records(path: Path, *examples: str) -> None:
    """Write example records as JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(one) + "\n" for one in example_lines(*examples)]
    path.write_text("".join(lines), encoding="utf-8")


class GeneratedProject:
    """A project made by `init`, driven by the command line in this process."""

    def __init__(self, folder: Path, project: DbtProject, monkeypatch: pytest.MonkeyPatch):
        self.folder = folder
        self.project = project
        monkeypatch.setenv("DEBEZIUM_SPARK_SCHEMA", project.schema)
        monkeypatch.setenv("DEBEZIUM_SPARK_TARGET", project.target)

    def call(self, *arguments: object) -> Result:
        """Run a command of `debezium-spark`."""
        return CliRunner().invoke(app, [str(one) for one in arguments])

    def init(self, source: str, topic_prefix: str) -> None:
        """Make the project, with a source of PostgreSQL whose files are in `records` beside it."""
        result = self.call(
            *("init", self.folder.name, "--source", source, "--connector", "postgresql"),
            *("--input", "records", "--topic-prefix", topic_prefix),
        )
        assert result.exit_code == 0, result.output

    def generate(self, *arguments: object) -> Result:
        """Run `debezium-spark generate` on the project."""
        return self.call("generate", "--project-dir", self.folder, *arguments)

    def files(self) -> dict[str, bytes]:
        """Return the project's models, by path."""
        return {
            path.relative_to(self.folder).as_posix(): path.read_bytes()
            for root in ("models", "python_models")
            for path in sorted((self.folder / root).rglob("*"))
            if path.is_file()
        }

    def versions(self) -> list[Any]:
        """Return what changes whenever a table is written to."""
        return [
            self.project.version(name) for name in ("raw_inventory", "catalog_inventory__schemas")
        ]

    def dbt(self, *arguments: str) -> DbtResult:
        """Run a dbt command in the project, with the profile that `generate` uses.

        With another one dbt would read all files anew after each `generate`.
        """
        return replace(self.project, path=self.folder, profiles=self.folder).invoke(*arguments)
