"""YAML files of a project, changed without the loss of comments and quotes."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.error import YAMLError


class ScaffoldError(ValueError):
    """The folder cannot be used as a project for the source."""


def _yaml() -> YAML:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 4096
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def load_yaml(path: Path) -> CommentedMap:
    """Return the content of a file, with its comments.

    Raises:
        ScaffoldError: it is no YAML, or no mapping.
    """
    try:
        loaded = _yaml().load(path.read_text(encoding="utf-8"))
    except (YAMLError, UnicodeDecodeError) as error:
        raise ScaffoldError(f"debezium_spark: {path} cannot be read: {error}") from error
    if loaded is None:
        return CommentedMap()
    if not isinstance(loaded, CommentedMap):
        raise ScaffoldError(f"debezium_spark: {path} is no mapping. Correct the file.")
    return loaded


def dump_yaml(value: Any) -> str:
    """Return YAML text."""
    stream = StringIO()
    _yaml().dump(value, stream)
    return stream.getvalue()
