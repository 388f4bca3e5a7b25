"""A dbt project that `debezium-spark init` made, worked on as its owner would: in it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import typer
from dbt.cli.main import dbtRunner
from pyspark.sql import SparkSession
from ruamel.yaml import YAML

from dbt_debezium_spark import spark_session
from dbt_debezium_spark.cli import app
from dev.demo.__main__ import Source, compare_source
from dev.demo.truth import Comparison

# The project has a state of its own; dbt must find profile and project without being told.
UNSET = ("DEBEZIUM_SPARK_STATE", "DEBEZIUM_SPARK_SCHEMA", "DEBEZIUM_SPARK_TARGET")


class ProjectError(RuntimeError):
    """A command of the project failed; the message says which and why."""


class Project:
    """A dbt project in a folder, its commands run in this process."""

    def __init__(self, path: Path, environment: Mapping[str, str] | None = None) -> None:
        """Work in `path`, which `init` makes.

        Args:
            path: of the project.
            environment: variables that its commands see.
        """
        self.path = path
        self._environment = dict(environment or {})

    def add_source(
        self, name: str, connector: str, records: str, options: Mapping[str, Any]
    ) -> None:
        """Make the project, or add a source to it, whose topic prefix is its name.

        Args:
            name: of the source.
            connector: its connector.
            records: where its records come from, as `init --input` takes it.
            options: further ones of its block.
        """
        self.debezium_spark(
            "init", self.path.name, "--source", name, "--connector", connector,
            "--input", records, "--topic-prefix", name, folder=self.path.parent,
        )  # fmt: skip
        self.set_options(name, options)

    def set_options(self, source: str, options: Mapping[str, Any]) -> None:
        """Write options into the block of a source."""
        yaml = YAML()
        file = self.path / "dbt_project.yml"
        project = yaml.load(file.read_text(encoding="utf-8"))
        project["vars"]["debezium_sources"][source].update(options)
        with file.open("w", encoding="utf-8") as stream:
            yaml.dump(project, stream)

    def debezium_spark(self, *arguments: str, folder: Path | None = None) -> None:
        """Run the command `debezium-spark`; it must succeed.

        Raises:
            ProjectError: it did not; what is wrong was printed.
        """
        with self.inside(folder):
            code = typer.main.get_command(app).main(list(arguments), standalone_mode=False)
        if code:
            raise ProjectError(
                f"live: `debezium-spark {' '.join(arguments)}` ended with {code}, in {self.path}."
            )

    def run_dbt(self, *arguments: str) -> None:
        """Run dbt; it must succeed.

        Raises:
            ProjectError: it did not; the message says which models or tests failed.
        """
        problems: list[str] = []

        def keep(event: Any) -> None:
            if event.info.level == "error":
                problems.append(event.info.msg)

        with self.inside():
            result = dbtRunner(callbacks=[keep]).invoke(["--no-use-colors", *arguments])
        if not result.success:
            said = "\n".join([*problems, str(result.exception or "")]).strip()
            raise ProjectError(f"live: `dbt {' '.join(arguments)}` failed: {said[:5000]}")

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of SQL with Jinja, as `dbt show` finds them.

        Raises:
            ProjectError: it failed; the message says why.
        """
        with self.inside():
            result = dbtRunner().invoke(
                ["--no-use-colors", "--quiet", "show", "--limit", "-1", "--inline", sql]
            )
        if not result.success:
            raise ProjectError(f"live: `dbt show` failed: {result.exception}")
        assert result.result is not None
        (shown,) = result.result.results  # type: ignore[union-attr]
        return [tuple(row) for row in shown.agate_table.rows]

    def spark(self) -> SparkSession:
        """Open the project's tables."""
        with self.inside():
            return spark_session()

    def compare_with(self, source: str, folder: Path) -> list[Comparison]:
        """Hold every current table of a source against the `truth` in a folder."""
        spark = self.spark()
        return [one for one, _ in compare_source(spark, Source(source, "", ""), folder)]

    @contextmanager
    def inside(self, folder: Path | None = None) -> Iterator[None]:
        """Be in the project, or in another folder, with its environment."""
        before = Path.cwd()
        with mock.patch.dict(os.environ):
            for name in UNSET:
                os.environ.pop(name, None)
            os.environ.update(self._environment)
            os.chdir(folder or self.path)
            try:
                yield
            finally:
                # dbt moves into a project and stays there
                os.chdir(before)
