"""A program that is run to its end."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def run_to_end(
    command: Sequence[str | Path],
    folder: Path,
    seconds: float,
    identity: Mapping[str, Any] | None = None,
) -> tuple[int, str]:
    """Run a program to its end; interrupted, it goes with all that it started.

    Args:
        command: program and arguments.
        folder: working folder.
        seconds: time-out.
        identity: the account it runs under, as arguments of `subprocess.Popen`.

    Returns:
        Its exit code, and its output with its errors.
    """
    process = subprocess.Popen(
        list(command), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace", cwd=folder, start_new_session=True, **(identity or {}),
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=seconds)
    except BaseException:
        # A script's own children outlive it otherwise, and write on into folders that we remove.
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        raise
    return process.returncode, output
