"""Small dbt projects that use this package, run in this process."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import click
import yaml
from dbt.cli.main import dbtRunner
from pyspark.errors import AnalysisException
from pyspark.sql import Row, SparkSession
from typer.testing import CliRunner

from dbt_debezium_spark.cli import app
from tests.support.paths import PROFILES


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


def newest_files(spark: SparkSession, schema: str) -> dict[str, str]:
    """Return the newest metadata file of every table of Iceberg: any commit changes it."""
    names = {row["tableName"] for row in spark.sql(f"show tables in {schema}").collect()}
    try:
        names -= {row["viewName"] for row in spark.sql(f"show views in {schema}").collect()}
    except AnalysisException:
        pass  # a catalog without views
    files = {name: spark.table(f"{schema}.{name}.metadata_log_entries") for name in sorted(names)}
    return {name: max(row["file"] for row in rows.collect()) for name, rows in files.items()}


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
        with mock.patch.dict(os.environ, self._variables):
            return run_dbt(*command)

    def run(self, *arguments: str) -> DbtResult:
        """Run a dbt command that must succeed."""
        result = self.invoke(*arguments)
        assert result.success, f"dbt {' '.join(arguments)} failed:\n{result.text}"
        return result

    def command(self, *arguments: str, code: int = 0) -> str:
        """Run `debezium-spark` on the project in this process; it must end with `code`."""
        options = ["--project-dir", str(self.path), "--profiles-dir", str(self.profiles)]
        with mock.patch.dict(os.environ, self._variables):
            result = CliRunner().invoke(app, [*arguments, *options])
        output = click.unstyle(result.output)
        assert result.exit_code == code, f"{output}\n{result.exception!r}"
        return output

    @property
    def _variables(self) -> dict[str, str]:
        return {
            "DEBEZIUM_SPARK_SCHEMA": self.schema,
            "DEBEZIUM_SPARK_TARGET": self.target,
            **self.environment,
        }

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
    """Create a project that uses this package."""
    project = DbtProject(path=path, schema=schema, target=target, spark=spark)
    settings = {
        "name": "shop",
        "version": "0.1.0",
        "config-version": 2,
        "profile": "debezium_spark",
        "model-paths": ["models", "python_models"],
        "flags": {"send_anonymous_usage_stats": False},
        # what Iceberg shows with Spark's interpreter, Delta shows with its generated code
        "vars": {
            **({"debezium_few_rows": 0} if target == "delta" else {}),
            "debezium_sources": {},
            **variables,
        },
    }
    project.write({"dbt_project.yml": yaml.safe_dump(settings)})
    project.write(files)
    return project
