"""Exact tables from Debezium change events, with dbt on Spark.

Every dbt command imports all installed modules named `dbt_*` and runs the classes in `plugins`. So
this module imports no pyspark, and dbt's own classes only on demand.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["package_path", "plugins", "spark_session"]


def package_path() -> Path:
    """Return the folder of the dbt package, to which `local:` in a packages.yml points.

    Raises:
        FileNotFoundError: the installation contains no dbt package (a broken wheel).
    """
    here = Path(__file__).resolve().parent
    # A wheel contains the dbt files in `dbt_package`; an editable install is the clone itself.
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
    """Open a session on the tables of a dbt project, with the settings that dbt uses.

    Args:
        project_dir: folder with dbt_project.yml.
        profiles_dir: folder with profiles.yml; by default `DBT_PROFILES_DIR`, else the
            project's folder or its `profiles`, else `~/.dbt`.
        target: target of the profile; by default the profile's own.

    Returns:
        A session whose current schema is the target's.

    Raises:
        dbt_common.exceptions.DbtBaseException: the project or profile cannot be read, or Spark
            does not start.
    """
    from dbt_debezium_spark.notebook import open_session

    return open_session(project_dir, profiles_dir, target)


def __getattr__(name: str) -> Any:
    if name == "plugins":
        from dbt_debezium_spark.plugin import DebeziumSparkPlugin

        return [DebeziumSparkPlugin]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
