"""`debezium-spark status`."""

from __future__ import annotations

import json
from pathlib import Path

from dbt_debezium_spark.cli.console import EXIT_DRIFT, EXIT_USAGE, exit_codes, fail, out
from dbt_debezium_spark.status import NoStatus, status
from dbt_debezium_spark.status.page import page
from dbt_debezium_spark.status.text import lines


def run(
    *,
    as_json: bool,
    html: Path | None,
    project_dir: Path,
    profiles_dir: Path | None,
    target: str | None,
) -> None:
    """Print how every table is; the process ends with 1 if anything is wrong."""
    if html is not None and not html.absolute().parent.is_dir():
        fail(f"debezium_spark: no folder {html.parent}. Make it, or change --html.", EXIT_USAGE)
    with exit_codes(NoStatus):
        report = status(
            project_dir=project_dir,
            profiles_dir=profiles_dir,
            target=target,
            batches=html is not None,
        )
    if html is not None:
        html.write_text(page(report), encoding="utf-8")
    text = json.dumps(report, indent=2) if as_json else "\n".join(lines(report))
    out.print(text, markup=False)
    if not report["is_well"]:
        # dbt ran in this process, so after a plain return Spark's threads would delay the exit.
        raise SystemExit(EXIT_DRIFT)
