"""Where a source's records come from."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dbt_debezium_spark.config.errors import (
    ConfigError,
    expect_known,
    expect_mapping,
    expect_one_of,
    expect_text,
)

if TYPE_CHECKING:
    from dbt_debezium_spark.config.sources import SourceConfig

TYPES = ("files", "kafka", "table")
SUPPORTED_TYPES = ("files",)
KEYS = ("type", "path")
GLOB = re.compile(r"[*?\[{]")
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")


@dataclass(frozen=True)
class InputConfig:
    """A folder or glob of record files; a relative path counts from the dbt project."""

    type: str
    path: str

    def to_dict(self) -> dict[str, Any]:
        """Return the input in the form it is configured in."""
        return {"type": self.type, "path": self.path}


def read_input(value: Any, where: str) -> InputConfig:
    """Return the configured input.

    Raises:
        ConfigError: an unknown type, one that this version does not read, or no path.
    """
    if value is None:
        raise ConfigError(
            f"{where} is missing", 'Write `input: {type: files, path: "data/*.jsonl"}`'
        )
    options = expect_mapping(value, where)
    kind = expect_one_of(options.get("type"), TYPES, f"{where}.type")
    if kind not in SUPPORTED_TYPES:
        raise ConfigError(
            f"{where}.type is `{kind}`, which is not supported in this version",
            "Land the records as files and use `type: files`",
        )
    expect_known(options, KEYS, where)
    path = expect_text(options.get("path"), f"{where}.path", "data/inventory/*.jsonl")
    return InputConfig(type=kind, path=path)


def input_location(path: str, project_dir: str) -> str:
    """Return a configured path as Spark must read it: absolute, or with its own scheme."""
    if SCHEME.match(path):
        return path
    return os.path.normpath(os.path.join(project_dir, path))


def check_input(source: SourceConfig, project_dir: str) -> None:
    """Check that the source's input can be read from here.

    A folder without files, and a glob that matches nothing yet, are fine: nothing has landed. Paths
    with a scheme of their own (`s3a:`, `hdfs:`) are seen by Spark alone and not checked.

    Args:
        source: the source.
        project_dir: folder of the dbt project, from which relative paths count.

    Raises:
        ConfigError: the path, or the folder in which the glob starts, is missing or unreadable.
    """
    location = input_location(source.input.path, project_dir)
    if location.startswith("file:"):
        location = re.sub(r"^file:/*", "/", location)
    elif SCHEME.match(location):
        return
    where = f"debezium_sources.{source.name}.input.path is `{source.input.path}`"
    static = _static_parent(location)
    if not os.path.exists(static):
        what = f"but `{static}` does not exist" if static != location else "which does not exist"
        raise ConfigError(
            f"{where}, {what}", f"Create it, or correct the path (it counts from {project_dir})"
        )
    if static != location and not os.path.isdir(static):
        raise ConfigError(f"{where}, but `{static}` is not a folder", "Correct the path")
    needed = os.R_OK | os.X_OK if os.path.isdir(static) else os.R_OK
    if not os.access(static, needed):
        raise ConfigError(
            f"{where}, but `{static}` cannot be read", "Give this user the right to read it"
        )


def _static_parent(location: str) -> str:
    """Return the path itself, or the folder above its first wildcard."""
    wildcard = GLOB.search(location)
    return os.path.dirname(location[: wildcard.start()]) or os.sep if wildcard else location
