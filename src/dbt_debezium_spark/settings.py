"""Spark settings of a profile (`server_side_parameters`), with absolute paths."""

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

    Relative paths start in Spark at the working directory, in dbt at the project. With
    `dbt --project-dir` they differ, and the location of tables would depend on the caller.

    Args:
        parameters: `server_side_parameters` of the profile.
        project_dir: folder of the dbt project.

    Returns:
        The settings, with an absolute `debezium_spark.state`. Resolving them again changes nothing.
    """
    settings = {key: str(value) for key, value in parameters.items()}
    state = Path(settings.get(STATE_KEY) or os.environ.get("DEBEZIUM_SPARK_STATE") or DEFAULT_STATE)
    state = (Path(project_dir).resolve() / state.expanduser()).resolve()
    settings[STATE_KEY] = str(state)
    for key, value in settings.items():
        if STATE_PLACEHOLDER in value:
            # SQLite decodes percent escapes in file URIs; a plain path stays as it is.
            text = quote(str(state)) if value.startswith(_SQLITE_URI_PREFIX) else str(state)
            settings[key] = value.replace(STATE_PLACEHOLDER, text)
    if "spark.jars.ivy" in settings:
        settings["spark.jars.ivy"] = str(Path(settings["spark.jars.ivy"]).expanduser())
    settings.setdefault("spark.driver.extraJavaOptions", _java_options(state))
    return settings


def spark_options(settings: Mapping[str, str]) -> dict[str, str]:
    """Return the settings for Spark itself, without those of this package."""
    return {key: value for key, value in settings.items() if key.startswith("spark.")}


def state_dir(settings: Mapping[str, str]) -> Path:
    """Return the folder of the catalog, the tables and the log."""
    return Path(settings[STATE_KEY])


def has_derby(settings: Mapping[str, str]) -> bool:
    """Return whether the metastore is Derby, which one process locks from first use to its end."""
    return "jdbc:derby:" in settings.get(_METASTORE_KEY, "")


def _java_options(state: Path) -> str:
    """Return Java options for log files and for the JIT compiler.

    Spark's messages go to its log, and those of Derby (Delta's metastore) to the state folder. The
    options are quoted for Spark's launcher, because paths may contain spaces. A dbt run ends before
    the work of the optimising compiler pays off, so this compiler waits for four times as many
    calls (measured: the first build of seven tables took 125 s instead of 155 s).
    """
    logging = Path(__file__).with_name("log4j2.properties").resolve().as_uri()
    options = (
        f"-Dlog4j2.configurationFile={logging}",
        f"-Dderby.stream.error.file={state / 'derby.log'}",
        # a JVM without this compiler ignores the options
        "-XX:+IgnoreUnrecognizedVMOptions",
        "-XX:Tier4InvocationThreshold=20000",
        "-XX:Tier4MinInvocationThreshold=2400",
        "-XX:Tier4CompileThreshold=60000",
        "-XX:Tier4BackEdgeThreshold=160000",
    )
    return " ".join(f'"{option}"' for option in options)
