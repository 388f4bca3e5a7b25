"""How Spark is told its settings: by a file that only this user may read.

pyspark hands settings over as arguments of the Java process, which every user of the machine sees
(`ps`), and with them the passwords of storage and catalogs.
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
# Set where the JVM runs already; it takes settings over a socket.
_RUNNING_JVM = "PYSPARK_GATEWAY_PORT"
_ESCAPED = {"\t": "\\t", "\n": "\\n", "\r": "\\r", "\f": "\\f"}
_SYNTAX = frozenset(" :=#!\\")


def starts_a_jvm() -> bool:
    """Return whether pyspark will start a Java process of its own."""
    return _RUNNING_JVM not in os.environ


@contextmanager
def told_by_file(options: Mapping[str, str], folder: Path) -> Iterator[None]:
    """Let the Spark that starts in the block read its settings from a file.

    The file is gone after the block. `conf/spark-defaults.conf` counts as always, below them.

    Args:
        options: settings; their names begin with `spark.`.
        folder: where the file is for that time.

    Raises:
        DbtRuntimeError: the environment names a file of settings already; Spark reads one.
    """
    others = os.environ.get(SUBMIT_ARGS)
    if others and "--properties-file" in others:
        raise DbtRuntimeError(
            f"debezium_spark: the environment variable {SUBMIT_ARGS} names a --properties-file,"
            " and Spark reads one only: that of the profile's settings. Put the settings into"
            " conf/spark-defaults.conf or `server_side_parameters`."
        )
    with tempfile.NamedTemporaryFile("w", dir=folder, suffix=".properties") as file:
        # made with mode 0600
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
    return f"{_escaped(name)}={_escaped(value)}\n"


def _escaped(text: str) -> str:
    """Return a text as `java.util.Properties` reads it back."""
    return "".join(_character(one) for one in text)


def _character(one: str) -> str:
    if one in _ESCAPED:
        return _ESCAPED[one]
    if one in _SYNTAX:
        return f"\\{one}"
    if one.isascii() and one.isprintable():
        return one
    units = one.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
