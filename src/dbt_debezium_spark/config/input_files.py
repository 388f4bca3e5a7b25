"""Record files as a source's input."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dbt_debezium_spark.config.errors import ConfigError, expect_known, expect_text

KEYS = ("type", "path")
GLOB = re.compile(r"[*?\[{]")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


@dataclass(frozen=True)
class FilesInput:
    """A folder or glob of record files; a relative path counts from the dbt project."""

    path: str
    type: ClassVar[str] = "files"

    def to_dict(self) -> dict[str, Any]:
        """Return the input in the form it is configured in."""
        return {"type": self.type, "path": self.path}

    def check(self, where: str, project_dir: str) -> None:
        """Check that the files can be read from here.

        A folder without files, and a glob that matches nothing yet, are fine: nothing has landed.
        Paths with a scheme of their own (`s3a:`, `hdfs:`) are seen by Spark alone and not checked.

        Args:
            where: the option's name for messages.
            project_dir: folder of the dbt project, from which relative paths count.

        Raises:
            ConfigError: the path, or the folder in which the glob starts, is missing or unreadable.
        """
        location = input_location(self.path, project_dir)
        if location.startswith("file:"):
            location = re.sub(r"^file:/*", "/", location)
        elif SCHEME.match(location):
            return
        named = f"{where}.path is `{self.path}`"
        static = _static_parent(location)
        if not os.path.exists(static):
            what = (
                f"but `{static}` does not exist" if static != location else "which does not exist"
            )
            raise ConfigError(
                f"{named}, {what}",
                f"Create it, or correct the path (it counts from {project_dir})",
            )
        if static != location and not os.path.isdir(static):
            raise ConfigError(f"{named}, but `{static}` is not a folder", "Correct the path")
        needed = os.R_OK | os.X_OK if os.path.isdir(static) else os.R_OK
        if not os.access(static, needed):
            raise ConfigError(
                f"{named}, but `{static}` cannot be read", "Give this user the right to read it"
            )


def read_files_input(options: Mapping[str, Any], where: str) -> FilesInput:
    """Return the configured files.

    Raises:
        ConfigError: an unknown option, or no path.
    """
    expect_known(options, KEYS, where)
    return FilesInput(expect_text(options.get("path"), f"{where}.path", "data/inventory/*.jsonl"))


def input_location(path: str, project_dir: str) -> str:
    """Return a configured path as Spark must read it: absolute, or with its own scheme."""
    if SCHEME.match(path):
        return path
    return os.path.normpath(os.path.join(project_dir, path))


def _static_parent(location: str) -> str:
    """Return the path itself, or the folder above its first wildcard."""
    wildcard = GLOB.search(location)
    return os.path.dirname(location[: wildcard.start()]) or os.sep if wildcard else location
