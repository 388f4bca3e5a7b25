"""`python -m dev.demo.check PROJECT SOURCE RECORDING`: current tables against a truth."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from dbt_debezium_spark import spark_session
from dev.demo.__main__ import Source, compare_source


def main(
    project: Annotated[Path, typer.Argument(help="Folder of the dbt project, with profiles.yml.")],
    source: Annotated[str, typer.Argument(help="Name of the source in the project.")],
    recording: Annotated[Path, typer.Argument(help="Folder that holds truth/.")],
) -> None:
    """Compare every table of the recording's truth with its current table, row by row."""
    spark = spark_session(project, project)
    different = compared = 0
    for comparison, _ in compare_source(spark, Source(source, "", ""), recording):
        typer.echo(f"{comparison.table}: {comparison.rows} rows, {comparison.different} different")
        for row in (*comparison.missing, *comparison.unexpected)[:10]:
            typer.echo(f"  {row[:500]}")
        different += comparison.different
        compared += comparison.rows
    typer.echo(f"{compared} rows compared with the truth, {different} rows differ")
    if different:
        sys.exit(1)


if __name__ == "__main__":
    typer.run(main)
