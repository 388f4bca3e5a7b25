"""Whether everything is well: docs/status.md. `macros/status` asks Spark, this package says it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from dbt_debezium_spark.status.report import NoStatus, read_last_run, report_of

MACRO = "debezium_spark.status_facts"
EVENT_PREFIX = "debezium_spark.status "


def status(
    *,
    project_dir: str | Path = ".",
    profiles_dir: str | Path | None = None,
    target: str | None = None,
    batches: bool = False,
) -> dict[str, Any]:
    """Report how every table is, as `debezium-spark status` does, in this process.

    Args:
        project_dir: folder with dbt_project.yml.
        profiles_dir: folder with profiles.yml; by default the project's.
        target: target of the profile; by default the profile's own.
        batches: whether `batches` is filled, which reads columns of the whole staging.

    Returns:
        `report.report_of`; `text.lines` and `page.page` make it readable.

    Raises:
        NoStatus: the project has no views to read, or dbt's last run cannot be read.
        DbtError: dbt cannot read the project, or Spark fails.
    """
    from dbt_debezium_spark.generator.dbt_project import DbtProject

    project = DbtProject(project_dir, profiles_dir=profiles_dir, target=target)
    facts = project.answer_of(MACRO, {"batches": batches}, EVENT_PREFIX, NoStatus)
    return report_of(facts, read_last_run(Path(facts["target_dir"])))


__all__ = ["NoStatus", "status"]
