"""Small dbt projects that use this package, run in this process."""

from __future__ import annotations

import os
import textwrap
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import yaml
from dbt.cli.main import dbtRunner
from pyspark.sql import Row, SparkSession

from tests.support.paths import PROFILES, REPOSITORY


@dataclass
class DbtResult:
    """What one dbt command did.

    `statements`: of each SQL statement that dbt logged the node, "" for none, and its text.
    """

    success: bool
    messages: list[str]
    raw: Any
    statements: list[tuple[str, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Everything dbt wrote to its log at level info or above, and the error that ended it."""
        return "\n".join([*self.messages, str(self.raw.exception or "")])

    @property
    def statuses(self) -> dict[str, str]:
        """Status by node name."""
        return {result.node.name: str(result.status) for result in self.raw.result or []}


def run_dbt(*arguments: str) -> DbtResult:
    """Run a dbt command in this process and return what happened."""
    messages: list[str] = []
    statements: list[tuple[str, str]] = []

    def keep(event: Any) -> None:
        if event.info.name == "SQLQuery":
            statements.append((event.data.node_info.node_name, event.data.sql))
        if event.info.level in ("info", "warn", "error"):
            messages.append(event.info.msg)

    raw = dbtRunner(callbacks=[keep]).invoke(["--no-use-colors", *arguments])
    return DbtResult(bool(raw.success), messages, raw, statements)


@dataclass
class DbtProject:
    """A dbt project in a temporary folder, with a schema of its own in the shared lakehouse."""

    path: Path
    schema: str
    target: str
    spark: SparkSession
    environment: dict[str, str] = field(default_factory=dict)
    profiles: Path = PROFILES

    def write(self, files: Mapping[str, str]) -> None:
        """Write files, by path relative to the project; texts are dedented."""
        for name, text in files.items():
            file = self.path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")

    def invoke(self, *arguments: str) -> DbtResult:
        """Run a dbt command and return what happened."""
        command = [
            *arguments,
            *("--project-dir", str(self.path)),
            *("--profiles-dir", str(self.profiles)),
            *("--log-path", str(self.path / "logs")),
        ]
        # not `--target`: dbt would read all files anew after a command that has none
        variables = {
            "DEBEZIUM_SPARK_SCHEMA": self.schema,
            "DEBEZIUM_SPARK_TARGET": self.target,
            **self.environment,
        }
        with mock.patch.dict(os.environ, variables):
            return run_dbt(*command)

    def run(self, *arguments: str) -> DbtResult:
        """Run a dbt command that must succeed."""
        result = self.invoke(*arguments)
        assert result.success, f"dbt {' '.join(arguments)} failed:\n{result.text}"
        return result

    def table(self, name: str) -> str:
        """Return the quoted full name of a relation of this project."""
        return f"`{self.schema}`.`{name}`"

    def sql(self, query: str) -> list[Row]:
        """Run SQL with `{schema}` put in, and return the rows."""
        return self.spark.sql(query.replace("{schema}", f"`{self.schema}`")).collect()

    def rows(self, name: str, columns: Sequence[str] = ("*",)) -> list[tuple[Any, ...]]:
        """Return the rows of a relation as sorted tuples."""
        frame = self.spark.table(self.table(name)).select(*columns)
        return sorted((tuple(row) for row in frame.collect()), key=repr)

    def version(self, name: str) -> Any:
        """Return what changes with every commit to a table: Iceberg metadata, Delta version."""
        if self.target == "delta":
            return self.sql(f"describe history {self.table(name)} limit 1")[0]["version"]
        entries = self.sql(f"select file from {self.table(name)}.metadata_log_entries")
        return sorted(row["file"] for row in entries)[-1]


def create_project(
    path: Path,
    *,
    schema: str,
    target: str,
    spark: SparkSession,
    files: Mapping[str, str],
    variables: Mapping[str, Any],
) -> DbtProject:
    """Create a project that has this package installed, as `dbt deps` would."""
    project = DbtProject(path=path, schema=schema, target=target, spark=spark)
    settings = {
        "name": "shop",
        "version": "0.1.0",
        "config-version": 2,
        "profile": "debezium_spark",
        "model-paths": ["models", "python_models"],
        "flags": {"send_anonymous_usage_stats": False},
        # what Iceberg shows with Spark's interpreter, Delta shows with its generated code
        "vars": ({"debezium_few_rows": 0} if target == "delta" else {}) | dict(variables),
    }
    project.write(
        {
            "dbt_project.yml": yaml.safe_dump(settings),
            "packages.yml": yaml.safe_dump({"packages": [{"local": str(REPOSITORY)}]}),
        }
    )
    link_package(path / "dbt_packages" / "debezium_spark")
    project.write(files)
    return project


def link_package(folder: Path) -> None:
    """Install the package by links, with the files that its wheel has, and no vars of the demo."""
    settings = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    for name in settings["tool"]["debezium_spark"]["dbt-files"]:
        for source in REPOSITORY.glob(name):
            link = folder / source.relative_to(REPOSITORY)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(source)
    project = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text(encoding="utf-8"))
    del project["vars"]
    (folder / "dbt_project.yml").unlink()
    (folder / "dbt_project.yml").write_text(yaml.safe_dump(project), encoding="utf-8")
