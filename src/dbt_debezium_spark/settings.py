"""Spark settings of a profile, made absolute: what `server_side_parameters` mean on a machine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

STATE_KEY = "debezium_spark.state"
STATE_PLACEHOLDER = "<state>"
DEFAULT_STATE = ".lakehouse"
LOG_FILE_NAME = "spark.log"

_SQLITE_URI_PREFIX = "jdbc:sqlite:file:"
_METASTORE_KEY = "spark.hadoop.javax.jdo.option.ConnectionURL"


def resolve_settings(
    parameters: Mapping[str, str], project_dir: str | os.PathLike[str]
) -> dict[str, str]:
    """Replace `<state>` and `~` in a profile's settings by absolute paths.

    Spark takes relative paths from the working directory, dbt from the project: with
    `dbt --project-dir` the two differ, and tables would appear wherever dbt was called.

    Args:
        parameters: `server_side_parameters` of the profile.
        project_dir: folder of the dbt project.

    Returns:
        The settings, `debezium_spark.state` absolute. Resolving them again changes nothing.
    """
    settings = {key: str(value) for key, value in parameters.items()}
    state = Path(settings.get(STATE_KEY) or os.environ.get("DEBEZIUM_SPARK_STATE") or DEFAULT_STATE)
    state = (Path(project_dir).resolve() / state.expanduser()).resolve()
    settings[STATE_KEY] = str(state)
    for key, value in settings.items():
        if STATE_PLACEHOLDER in value:
            # SQLite decodes percent escapes in file URIs; a plain path must stay as it is.
            text = quote(str(state)) if value.startswith(_SQLITE_URI_PREFIX) else str(state)
            settings[key] = value.replace(STATE_PLACEHOLDER, text)
    if "spark.jars.ivy" in settings:
        settings["spark.jars.ivy"] = str(Path(settings["spark.jars.ivy"]).expanduser())
    settings.setdefault("spark.driver.extraJavaOptions", _java_options(state))
    return settings


def spark_options(settings: Mapping[str, str]) -> dict[str, str]:
    """Return what Spark itself must be told: the settings without our own."""
    return {key: value for key, value in settings.items() if key.startswith("spark.")}


def state_dir(settings: Mapping[str, str]) -> Path:
    """Return the folder that holds catalog, tables and log."""
    return Path(settings[STATE_KEY])


def has_derby(settings: Mapping[str, str]) -> bool:
    """Return whether the metastore is Derby: one process has it, from first look to its end."""
    return "jdbc:derby:" in settings.get(_METASTORE_KEY, "")


def _java_options(state: Path) -> str:
    """Keep Spark's messages in its log, and Derby's (Delta's metastore) out of the working folder.

    Quoted as Spark's launcher splits options: paths may hold spaces. A dbt run is short: what it
    plans is over before the optimising compiler's work on it has paid, so that compiler waits for
    four times as many calls (measured: a first build of seven tables in 125 s instead of 155 s).
    """
    logging = Path(__file__).with_name("log4j2.properties").resolve().as_uri()
    options = (
        f"-Dlog4j2.configurationFile={logging}",
        f"-Dderby.stream.error.file={state / 'derby.log'}",
        # a Java without that compiler goes on without them
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:Tier4InvocationThreshold=20000",
        "-XX:Tier4MinInvocationThreshold=2400",
        "-XX:Tier4CompileThreshold=60000",
        "-XX:Tier4BackEdgeThreshold=160000",
    )
    return " ".join(f'"{option}"' for option in options)
