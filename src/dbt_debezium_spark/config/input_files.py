"""Record files as a source's input."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dbt_debezium_spark.config.errors import ConfigError, expect_known, expect_text
from dbt_debezium_spark.input_walk import static_parent

KEYS = ("type", "path", "max_line_bytes")
MAX_LINE_BYTES = 32 * 1024 * 1024
# Java counts the bytes of a line in 32 bits, some of them for itself.
HIGHEST_MAX_LINE_BYTES = 512 * 1024 * 1024
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


@dataclass(frozen=True)
class FilesInput:
    """A folder or glob of record files; a relative path counts from the dbt project.

    Attributes:
        path: folder or glob.
        max_line_bytes: longer lines are rejected: reading one takes several times its memory.
    """

    path: str
    max_line_bytes: int = MAX_LINE_BYTES
    type: ClassVar[str] = "files"

    def to_dict(self) -> dict[str, Any]:
        """Return the input in the form it is configured in."""
        told: dict[str, Any] = {"type": self.type, "path": self.path}
        if self.max_line_bytes != MAX_LINE_BYTES:
            told["max_line_bytes"] = self.max_line_bytes
        return told

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
        path = local_path(location)
        if path is None:
            return
        location = path
        named = f"{where}.path is `{self.path}`"
        static = static_parent(location)
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
        ConfigError: an unknown option, no path, or a limit that is none.
    """
    expect_known(options, KEYS, where)
    limit = options.get("max_line_bytes", MAX_LINE_BYTES)
    if (
        isinstance(limit, bool)
        or not isinstance(limit, int)
        or not 0 < limit <= HIGHEST_MAX_LINE_BYTES
    ):
        raise ConfigError(
            f"{where}.max_line_bytes is {limit!r}",
            f"Write a number from 1 to {HIGHEST_MAX_LINE_BYTES}, or leave it out"
            f" ({MAX_LINE_BYTES})",
        )
    path = expect_text(options.get("path"), f"{where}.path", "data/inventory/*.jsonl")
    return FilesInput(path, limit)


def input_location(path: str, project_dir: str) -> str:
    """Return a configured path as Spark must read it: absolute, or with its own scheme."""
    if SCHEME.match(path):
        return path
    return os.path.normpath(os.path.join(project_dir, path))


def local_path(location: str) -> str | None:
    """Return a location (see `input_location`) as a path of this machine; None: elsewhere."""
    if location.startswith("file:"):
        return re.sub(r"^file:/*", "/", location)
    return None if SCHEME.match(location) else location
