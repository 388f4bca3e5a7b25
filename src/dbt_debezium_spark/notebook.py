"""Open the tables of a dbt project outside of dbt."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dbt_debezium_spark.spark.run_lock import (
    DEFAULT_TIMEOUT_SECONDS,
    command_line,
    lock_of,
    place_of,
)
from dbt_debezium_spark.spark.session import session_for
from dbt_debezium_spark.spark.settings import resolve_settings
from dbt_debezium_spark.text.sql_text import quoted_path

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def open_session(
    project_dir: str | Path, profiles_dir: str | Path | None, target: str | None
) -> SparkSession:
    """Return a session on the target's tables: see `dbt_debezium_spark.spark_session`."""
    settings, schema = read_settings(project_dir, profiles_dir, target)
    place = place_of(settings)
    if place is not None:
        lock_of(place).take(command_line("spark_session"), DEFAULT_TIMEOUT_SECONDS, print)
    session = session_for(settings)
    session.sql(f"create schema if not exists {quoted_path(schema)}")
    session.sql(f"use {quoted_path(schema)}")
    return session


def read_settings(
    project_dir: str | Path, profiles_dir: str | Path | None = None, target: str | None = None
) -> tuple[dict[str, str], str]:
    """Read the Spark settings of a target of a project's profile.

    Returns:
        The session settings, with absolute paths, and the target's schema.

    Raises:
        DbtBaseException: dbt cannot read the profile, or its adapter has no Spark settings.
    """
    from dbt_common.exceptions import DbtRuntimeError

    project = Path(project_dir).resolve()
    profiles = Path(profiles_dir).resolve() if profiles_dir else find_profiles(project)
    credentials = read_target(project, profiles, target).credentials
    parameters = getattr(credentials, "server_side_parameters", None)
    if parameters is None:
        raise DbtRuntimeError(
            f"debezium_spark: the target uses the adapter `{credentials.type}`, whose profile has"
            " no Spark settings. Choose a target of type `spark`, or a session of the platform."
        )
    return resolve_settings(parameters, project), credentials.schema


def read_target(project: Path, profiles: Path, target: str | None) -> Any:
    """Read a target of a project's profile as dbt does.

    Args:
        project: folder with dbt_project.yml.
        profiles: folder with profiles.yml.
        target: target of the profile; None for the profile's own.

    Returns:
        dbt's profile.

    Raises:
        DbtBaseException: dbt cannot read it.
    """
    from dbt.config.runtime import load_profile
    from dbt.flags import get_flags, set_from_args
    from dbt_common.context import set_invocation_context

    # dbt reads `env_var` from the context of a command, which a notebook does not have.
    set_invocation_context(os.environ)
    flags = get_flags()
    try:
        set_from_args(
            Namespace(PROJECT_DIR=str(project), PROFILES_DIR=str(profiles), TARGET=target), None
        )
        return load_profile(str(project), {}, target_override=target)
    finally:
        set_from_args(Namespace(**vars(flags)), None)


def find_profiles(project: Path) -> Path:
    """Return the folder of profiles.yml: one of the project's, else dbt's."""
    configured = os.environ.get("DBT_PROFILES_DIR")
    if configured:
        return Path(configured).resolve()
    for folder in (project, project / "profiles", Path.cwd()):
        if (folder / "profiles.yml").is_file():
            return folder
    return Path.home() / ".dbt"
