"""`debezium-spark maintain`."""

from __future__ import annotations

import json
from pathlib import Path

from dbt_debezium_spark.cli.console import exit_codes
from dbt_debezium_spark.config import ConfigError, load_source
from dbt_debezium_spark.generator.dbt_project import DbtProject


def run(
    *,
    source: str | None,
    older_than_days: float,
    dry_run: bool,
    project_dir: Path,
    profiles_dir: Path | None,
    target: str | None,
) -> None:
    """Shorten logs, then compact tables; dbt prints a line for each table."""
    with exit_codes(ConfigError):
        project = DbtProject(project_dir, profiles_dir=profiles_dir, target=target)
        if source is not None:
            load_source(source, project.sources())
        arguments = {"source": source, "dry_run": dry_run}
        for macro, options in (
            ("debezium_retain", arguments),
            ("debezium_maintain", arguments | {"older_than_days": older_than_days}),
        ):
            project.run("run-operation", f"debezium_spark.{macro}", "--args", json.dumps(options))
