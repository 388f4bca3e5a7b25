"""`debezium-spark generate`."""

from __future__ import annotations

from pathlib import Path

from dbt_debezium_spark.cli.console import EXIT_DRIFT, EXIT_USAGE, err, fail, out
from dbt_debezium_spark.cli.summary import summary_lines
from dbt_debezium_spark.config import ConfigError, load_sources
from dbt_debezium_spark.generator import DbtError, DbtProject, Generation, generate
from dbt_debezium_spark.text.literals import printable

MESSAGE_STYLES = {"problem": "red", "warning": "yellow", "note": "dim"}


def run(
    *,
    source: str | None,
    check: bool,
    select: list[str],
    build: bool,
    project_dir: Path,
    profiles_dir: Path | None,
    target: str | None,
) -> None:
    """Generate and report; the process ends with 1 on drift, problems or a failed dbt run."""
    try:
        project = DbtProject(project_dir, profiles_dir=profiles_dir, target=target)
        sources = list(load_sources(project.sources()))
    except (ConfigError, DbtError) as error:
        fail(error, EXIT_USAGE)
    if not sources:
        fail(
            f"debezium_spark: {project.path / 'dbt_project.yml'} has no var debezium_sources."
            " Add one with `debezium-spark init`.",
            EXIT_USAGE,
        )
    if source is not None and source not in sources:
        fail(
            f"debezium_spark: the project has no source `{source}`."
            f" Known: {', '.join(f'`{name}`' for name in sources)}.",
            EXIT_USAGE,
        )
    try:
        generation = generate(
            project,
            sources=[source] if source else sources,
            source=source,
            select=select,
            check=check,
            build=build,
        )
    except DbtError as error:
        fail(error, EXIT_DRIFT)
    _report(generation, check)
    if generation.has_problems or (check and generation.has_drift):
        # dbt ran in this process, so after a plain return Spark's threads would delay the exit.
        raise SystemExit(EXIT_DRIFT)


def _report(generation: Generation, check: bool) -> None:
    for line in summary_lines(generation.changes, generation.tables, check):
        out.print(line, markup=False)
    for message in generation.messages:
        style = MESSAGE_STYLES[message.kind]
        # names in a stranger's database must not control the terminal
        err.print(f"{message.kind}: {printable(message.text)}", style=style, markup=False)
