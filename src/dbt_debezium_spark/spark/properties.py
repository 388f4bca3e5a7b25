"""Spark's settings in a file that only this user can read.

pyspark passes settings as arguments of the Java process. Every user of the machine can see these
(`ps`), including passwords of storage and catalogs.
"""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from dbt_common.exceptions import DbtRuntimeError

SUBMIT_ARGS = "PYSPARK_SUBMIT_ARGS"
_DEFAULT_ARGS = "pyspark-shell"
# Set if the JVM is running already; it receives settings through a socket.
_RUNNING_JVM = "PYSPARK_GATEWAY_PORT"
_ESCAPED = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f"}
_SYNTAX = frozenset(" :=#!\\")


def starts_a_jvm() -> bool:
    """Return whether pyspark will start a Java process, which outlives a stopped session."""
    from pyspark import SparkContext

    return _RUNNING_JVM not in os.environ and SparkContext._gateway is None


@contextmanager
def settings_file(options: Mapping[str, str], folder: Path) -> Iterator[None]:
    """Make the Spark that starts in the block read its settings from a file.

    The file is deleted after the block. `conf/spark-defaults.conf` still applies, with lower
    priority.

    Args:
        options: settings; their names begin with `spark.`.
        folder: folder of the file.

    Raises:
        DbtRuntimeError: the environment already names a file of settings; Spark reads only one.
    """
    others = os.environ.get(SUBMIT_ARGS)
    if others and "--properties-file" in others:
        raise DbtRuntimeError(
            f"debezium_spark: the environment variable {SUBMIT_ARGS} names a --properties-file,"
            " but Spark reads only one, and that has the profile's settings. Put the settings into"
            " conf/spark-defaults.conf or `server_side_parameters`."
        )
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".properties") as file:
        # created with mode 0600
        file.write("".join(_line(name, value) for name, value in options.items()))
        file.flush()
        arguments = f"--properties-file {shlex.quote(file.name)} --load-spark-defaults"
        os.environ[SUBMIT_ARGS] = f"{arguments} {others or _DEFAULT_ARGS}"
        try:
            yield
        finally:
            if others is None:
                del os.environ[SUBMIT_ARGS]
            else:
                os.environ[SUBMIT_ARGS] = others


def _line(name: str, value: str) -> str:
    return f"{_escaped_text(name)}={_escaped_text(value)}\n"


def _escaped_text(text: str) -> str:
    """Return a text in the syntax of `java.util.Properties`."""
    return "".join(_character(character) for character in text)


def _character(character: str) -> str:
    if character in _ESCAPED:
        return _ESCAPED[character]
    if character in _SYNTAX:
        return f"\\{character}"
    if character.isascii() and character.isprintable():
        return character
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
