"""The profile of a project that exists: can its target write the tables, and what would make it so?

`init` reads the target as dbt does. It can add a target beside the team's own:

    team:                                       team:
      target: dev                                 target: dev
      outputs:                                    outputs:
        dev: {type: spark, method: session}         dev: {type: spark, method: session}
                                                    debezium:
                                                      type: spark
                                                      method: session
                                                      …
                                                      server_side_parameters:
                                                        debezium_spark.format: iceberg
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dbt_debezium_spark.generator.scaffold import ScaffoldError, dump_yaml, load_yaml
from dbt_debezium_spark.notebook import find_profiles, read_target
from dbt_debezium_spark.spark.defaults import FORMAT_KEY
from dbt_debezium_spark.spark.settings import (
    DEFAULT_STATE,
    STATE_KEY,
    default_format,
    missing_for_format,
)
from dbt_debezium_spark.spark.versions import available_format

TARGET = "debezium"
_SCHEMA = "debezium"


@dataclass(frozen=True)
class TeamProfile:
    """A project's profile and its target.

    Attributes:
        file: its profiles.yml.
        name: name of the profile.
        target: name of the target; None if dbt cannot read it.
        described: the target's adapter and method, or why dbt cannot read it.
        lacks: why the target cannot write the tables; None if nothing is known to be missing.
        note: what a remote Spark must have, one sentence; None for a local one.
    """

    file: Path
    name: str
    target: str | None
    described: str
    lacks: str | None = None
    note: str | None = None


def team_profile(project: Path, profiles_dir: Path | None, target: str | None) -> TeamProfile:
    """Read the profile of a dbt project.

    Args:
        project: folder of the project.
        profiles_dir: folder with profiles.yml; by default where dbt finds it.
        target: target of the profile; by default the profile's own.

    Raises:
        ScaffoldError: its dbt_project.yml cannot be read.
    """
    from dbt_common.exceptions import DbtBaseException

    name = load_yaml(project / "dbt_project.yml").get("profile") or "default"
    file = (profiles_dir or find_profiles(project)) / "profiles.yml"
    try:
        profile = read_target(project, file.parent, target)
    except DbtBaseException as error:
        reason = " ".join(str(error).split())
        return TeamProfile(file, name, None, reason, lacks="no target that dbt can read")
    credentials = profile.credentials
    method = getattr(credentials, "method", None)
    described = f"adapter {credentials.type}" + (f", method {method}" if method else "")
    lacks, note = _found(profile.target_name, credentials, method)
    return TeamProfile(file, profile.profile_name, profile.target_name, described, lacks, note)


def add_target(profile: TeamProfile, project: Path) -> list[Path]:
    """Add the target `debezium` to a profile, and let git ignore the folder of its tables.

    Returns:
        The files written.

    Raises:
        ScaffoldError: profiles.yml cannot be read, or the profile has such a target.
    """
    text = profile.file.read_text(encoding="utf-8") if profile.file.is_file() else ""
    content = load_yaml(profile.file) if text else {}
    outputs = (content.get(profile.name) or {}).get("outputs")
    if outputs and TARGET in outputs:
        raise ScaffoldError(
            f"debezium_spark: profile `{profile.name}` in {profile.file} already has a target"
            f" `{TARGET}`. Add --target {TARGET}, or --no-add-target."
        )
    if outputs:
        # as text, so that the other lines stay as they are
        own = outputs.get(profile.target) or {}
        place = min(outputs.lc.key(key) for key in outputs)
        lines = text.splitlines(keepends=True)
        added = dump_yaml({TARGET: _target(own.get("schema", _SCHEMA))})
        lines[place[0] : place[0]] = [" " * place[1] + line for line in added.splitlines(True)]
        text = "".join(lines)
    else:
        whole = {profile.name: {"target": TARGET, "outputs": {TARGET: _target(_SCHEMA)}}}
        text += ("\n" if text else "") + dump_yaml(whole)
    profile.file.parent.mkdir(parents=True, exist_ok=True)
    profile.file.write_text(text, encoding="utf-8")
    ignored = project / ".gitignore"
    lines = ignored.read_text(encoding="utf-8").splitlines() if ignored.is_file() else []
    if any(line.strip("/") == DEFAULT_STATE for line in lines):
        return [profile.file]
    text = "".join(f"{line}\n" for line in [*lines, f"{DEFAULT_STATE}/"])
    ignored.write_text(text, encoding="utf-8")
    return [profile.file, ignored]


def target_lines() -> str:
    """Return the lines of the target `debezium`, as they stand below `outputs`."""
    return dump_yaml({TARGET: _target(_SCHEMA)}).rstrip("\n")


def _target(schema: Any) -> dict[str, Any]:
    return {
        "type": "spark",
        "method": "session",
        "host": "NA",
        "schema": schema,
        "threads": 4,
        "server_side_parameters": {FORMAT_KEY: available_format(), STATE_KEY: DEFAULT_STATE},
    }


def _found(target: str, credentials: Any, method: str | None) -> tuple[str | None, str | None]:
    """Return what a target lacks, and what its remote Spark must have."""
    from dbt.adapters.factory import get_adapter_type_names

    parameters: Mapping[str, str] = getattr(credentials, "server_side_parameters", None) or {}
    file_format = default_format(target, parameters)
    if "spark" not in get_adapter_type_names(credentials.type):
        return "an adapter that does not run on Spark", None
    if credentials.type != "spark":
        return None, f"The platform of {credentials.type} must write {file_format} tables."
    if method != "session" or os.environ.get("SPARK_REMOTE"):
        place = os.environ.get("SPARK_REMOTE") or getattr(credentials, "host", None) or method
        return None, (
            f"The Spark at {place} must have the jar, the extension and a catalog of"
            f" {file_format.title()}: docs/clusters.md."
        )
    return missing_for_format(parameters, file_format), None
