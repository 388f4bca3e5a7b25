"""Spark settings of a profile (`server_side_parameters`), with absolute paths."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from dbt_debezium_spark.spark.defaults import EXTENSIONS_KEY, FORMAT_KEY, with_defaults
from dbt_debezium_spark.spark.versions import available_format, installed_packages

STATE_KEY = "debezium_spark.state"
STATE_PLACEHOLDER = "<state>"
DEFAULT_STATE = ".lakehouse"
LOG_FILE_NAME = "spark.log"

_SQLITE_URI_PREFIX = "jdbc:sqlite:file:"
_CATALOG = re.compile(r"spark\.sql\.catalog\.[^.]+")
# Names of a format's catalogs and extension, and of catalogs that can only be of others.
_CLASSES = {
    "iceberg": ("IcebergSparkSessionExtensions", ("org.apache.spark.sql.",)),
    "delta": ("DeltaSparkSessionExtension", ("org.apache.iceberg.", "org.apache.spark.sql.exec")),
}
_METASTORE_KEY = "spark.hadoop.javax.jdo.option.ConnectionURL"


def resolve_settings(
    parameters: Mapping[str, str], project_dir: str | os.PathLike[str]
) -> dict[str, str]:
    """Complete a profile's settings, and replace `<state>` and `~` in them by absolute paths.

    Relative paths start in Spark at the working directory, in dbt at the project. With
    `dbt --project-dir` they differ, and the location of tables would depend on the caller.

    Args:
        parameters: `server_side_parameters` of the profile.
        project_dir: folder of the dbt project.

    Returns:
        The settings, with an absolute `debezium_spark.state`. Resolving them again changes nothing.

    Raises:
        DbtRuntimeError: the profile's format has no packages for the installed PySpark.
    """
    settings = with_defaults({key: str(value) for key, value in parameters.items()})
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


def missing_for_format(settings: Mapping[str, str], file_format: str) -> str | None:
    """Return what Spark lacks for tables of a format, None if settings show nothing missing.

    Settings in `conf/spark-defaults.conf` and jars of an installation are not seen, unless the
    settings are those of a running Spark.

    Args:
        settings: `server_side_parameters` of a profile, or the settings of a running Spark.
        file_format: `iceberg` or `delta`.

    Returns:
        A phrase for `unusable_format`.

    Raises:
        DbtRuntimeError: the profile's format has no packages for the installed PySpark.
    """
    settings = with_defaults({key: str(value) for key, value in settings.items()})
    extension, others = _CLASSES[file_format]
    missing = []
    classes = [value for key, value in settings.items() if _CATALOG.fullmatch(key)]
    if not any(not value.startswith(others) for value in classes):
        missing.append(f"no catalog of {file_format.title()} (`spark.sql.catalog.<name>`)")
    # Iceberg needs its extension only for procedures.
    if extension not in settings.get(EXTENSIONS_KEY, "") and (missing or file_format == "delta"):
        missing.append(f"no extension of {file_format.title()} (`{EXTENSIONS_KEY}`)")
    return " and ".join(missing) or None


def unusable_format(target: str, file_format: str, missing: str) -> str:
    """Return the sentence for a target in whose Spark a format cannot be written.

    Args:
        target: name of the profile's target.
        file_format: `iceberg` or `delta`.
        missing: what Spark lacks, from `missing_for_format` or of an error.
    """
    has_package = installed_packages().runtime(file_format)
    return (
        f"debezium_spark: target `{target}` of profiles.yml cannot write {file_format} tables,"
        f" because its Spark has {missing}: add"
        f" `{FORMAT_KEY}: {file_format if has_package else available_format()}` to the target's"
        " `server_side_parameters`, which adds the jars, the extension and, unless the target has"
        " its own, a catalog."
    )


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


def default_format(target: str, settings: Mapping[str, str]) -> str:
    """Return the format of tables whose models name none.

    Args:
        target: name of the profile's target.
        settings: its `server_side_parameters`.
    """
    if chosen := settings.get(FORMAT_KEY):
        return chosen
    has_only_delta = missing_for_format(settings, "iceberg") and not missing_for_format(
        settings, "delta"
    )
    return "delta" if "delta" in target or has_only_delta else "iceberg"
