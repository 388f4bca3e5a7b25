"""Debezium change events to exact tables, with dbt on Spark.

dbt imports every installed module named `dbt_*` on every command and runs the classes listed in
`plugins`. So importing this module stays light: no pyspark, and dbt's own classes only on demand.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["package_path", "plugins", "spark_session"]


def package_path() -> Path:
    """Return the folder of the dbt package: what `local:` in a project's packages.yml points to.

    Raises:
        FileNotFoundError: the installation carries no dbt package (a broken wheel).
    """
    here = Path(__file__).resolve().parent
    # An installed wheel carries the dbt files as `dbt_package`; an editable install is the clone.
    for candidate in (here / "dbt_package", here.parents[1]):
        if (candidate / "dbt_project.yml").is_file() and (candidate / "macros").is_dir():
            return candidate
    raise FileNotFoundError(
        f"debezium_spark: no dbt package beside {here}. Install the distribution again, or from "
        "a clone with `pip install -e .`."
    )


def spark_session(
    project_dir: str | Path = ".",
    profiles_dir: str | Path | None = None,
    target: str | None = None,
) -> SparkSession:
    """Open the tables of a dbt project, with the session settings dbt uses.

    Args:
        project_dir: folder that holds dbt_project.yml.
        profiles_dir: folder that holds profiles.yml; by default `DBT_PROFILES_DIR`, else the
            project's folder or its `profiles`, else `~/.dbt`.
        target: target of the profile; by default the profile's own.

    Returns:
        A session whose current schema is the target's.

    Raises:
        dbt_common.exceptions.DbtBaseException: project or profile cannot be read, or Spark does
            not start.
    """
    from dbt_debezium_spark.notebook import open_session

    return open_session(project_dir, profiles_dir, target)


def __getattr__(name: str) -> Any:
    if name == "plugins":
        from dbt_debezium_spark.plugin import DebeziumSparkPlugin

        return [DebeziumSparkPlugin]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
