"""pytest again and again in one process: Spark starts once, and what it compiled stays.

`python -m tests.mutations.warm_pytest` reads a request from each line of its input, `{"arguments":
[...], "output": path}`, and answers each with pytest's exit code. Whatever tests keep in modules of
their own is forgotten in between: they are imported anew, and read the macros anew.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

# Rows that Spark holds for runs that are over fill its memory.
MOST_RUNS = 30


class WarmPytest:
    """A process that runs pytest when it is asked to."""

    def __init__(self, root: Path, environment: Mapping[str, str]) -> None:
        """Start the process in a copy of the clone."""
        self.runs = 0
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.mutations.warm_pytest"],
            cwd=root,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # a group of its own: Spark ends with it
            start_new_session=True,
        )

    def run(self, arguments: Sequence[str], output: Path, timeout: float | None) -> int | None:
        """Return pytest's exit code; None when the time was over, and the process is ended.

        Raises:
            RuntimeError: the process ended by itself.
        """
        assert self._process.stdin is not None and self._process.stdout is not None
        self.runs += 1
        request = json.dumps({"arguments": list(arguments), "output": str(output)})
        self._process.stdin.write(request.encode() + b"\n")
        self._process.stdin.flush()
        ready, _, _ = select.select([self._process.stdout], [], [], timeout)
        if not ready:
            self.stop()
            return None
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the process that runs pytest ended; it said last: {output}")
        return int(answer)

    @property
    def is_usable(self) -> bool:
        """Tell whether it runs and has memory left."""
        return self._process.poll() is None and self.runs < MOST_RUNS

    def stop(self) -> None:
        """End the process with all that it started."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _serve() -> None:
    """Answer requests until there are no more."""
    answers = os.fdopen(os.dup(1), "w")
    silence = os.open(os.devnull, os.O_WRONLY)
    for line in sys.stdin:
        request = json.loads(line)
        output = os.open(request["output"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            os.dup2(output, 1)
            os.dup2(output, 2)
            code = _run(request["arguments"])
            sys.stdout.flush()
        finally:
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            os.close(output)
        print(code, file=answers, flush=True)


def _run(arguments: list[str]) -> int:
    import pytest

    for name in [name for name in sys.modules if name.split(".")[0] == "tests"]:
        if name != __name__ and not name.startswith("tests.mutations"):
            del sys.modules[name]
    # files of the same size, changed within the same second, would be taken for those read before
    sys.path_importer_cache.clear()
    time.sleep(0.01)
    return int(pytest.main(arguments))


if __name__ == "__main__":
    _serve()
