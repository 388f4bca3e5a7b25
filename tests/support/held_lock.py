"""Another process that holds a lock, for tests of what waits for it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def another_process(code: str, *arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
    """Run code that prints `held` and then reads a line; what it waits for is `let_go`."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


def let_go(process: subprocess.Popen[str]) -> None:
    """Let the process give its lock back, and end."""
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()
