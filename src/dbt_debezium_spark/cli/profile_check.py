"""What `debezium-spark init` says about the profile of the project, and what comes next."""

from __future__ import annotations

import sys
from pathlib import Path

import typer
from dbt_common.exceptions import DbtRuntimeError

from dbt_debezium_spark.cli.console import EXIT_USAGE, fail, out
from dbt_debezium_spark.generator.scaffold import ScaffoldError
from dbt_debezium_spark.generator.team_profile import (
    TARGET,
    TeamProfile,
    add_target,
    target_lines,
    team_profile,
)
from dbt_debezium_spark.text.literals import printable


def run(folder: Path, profiles_dir: Path | None, target: str | None, adds: bool | None) -> None:
    """Report whether the profile's target can write the tables, and the next commands.

    Args:
        folder: folder of the project.
        profiles_dir: folder with profiles.yml; by default where dbt finds it.
        target: target of the profile; by default the profile's own.
        adds: whether to add a target to a profile that needs one; None asks, on a terminal.
    """
    try:
        profile = team_profile(folder, profiles_dir, target)
    except (ScaffoldError, DbtRuntimeError) as error:
        fail(error, EXIT_USAGE)
    place = f"target {profile.target} of profile {profile.name}"
    _say(f"Profile: {place if profile.target else profile.name} in {profile.file}")
    _say(f"  {profile.described}")
    if profile.note:
        _say(f"  {profile.note}")
    added = profile.lacks is not None and _offer(folder, profile, place, adds)
    flags = f" --target {TARGET if added else target}" if added or target else ""
    flags += f" --profiles-dir {profiles_dir}" if profiles_dir else ""
    enter = f"cd {folder} && " if folder != Path(".") else ""
    _say(f"Next: {enter}debezium-spark generate{flags} && dbt build{flags}")


def _offer(folder: Path, profile: TeamProfile, place: str, adds: bool | None) -> bool:
    """Add the target if that is wanted, else print it; return whether it was added."""
    _say(f"  It cannot write the tables: it has {profile.lacks}.")
    if adds is None and sys.stdin.isatty():
        adds = typer.confirm(f"Add a target `{TARGET}` beside it, with tables on this machine?")
    if not adds:
        _say(
            f"  Add these lines below `outputs` of the profile `{profile.name}`, and"
            f" --target {TARGET} to the commands below:"
        )
        for line in target_lines().splitlines():
            _say(f"    {line}")
        return False
    try:
        files = add_target(profile, folder)
    except (ScaffoldError, DbtRuntimeError) as error:
        fail(error, EXIT_USAGE)
    _say(f"  Added target {TARGET}: {', '.join(str(file) for file in files)}")
    return True


def _say(text: str) -> None:
    out.print(printable(text), markup=False)
