"""One process of ours: started with a log, watched, ended by its own id."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dev.servers.errors import ServerError

POLL_SECONDS = 0.05
LOG_LINES = 20


class Process:
    """A running server process."""

    def __init__(
        self,
        name: str,
        command: Sequence[str | Path],
        log: Path,
        environment: Mapping[str, str] | None = None,
        identity: Mapping[str, Any] | None = None,
    ) -> None:
        """Start it, with its output in a log.

        Args:
            name: for messages.
            command: program and arguments.
            log: file that output and errors are appended to; its folder is the working folder.
            environment: all variables, None for our own.
            identity: the account it runs under, as arguments of `subprocess.Popen`.
        """
        self.name = name
        self.log = log
        with open(log, "ab") as output:
            self._process = subprocess.Popen(
                list(command), stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                cwd=log.parent, env=None if environment is None else dict(environment),
                # Ctrl-C at the terminal must reach us alone, and we end it in order.
                start_new_session=True, **(identity or {}),
            )  # fmt: skip

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process.poll() is None

    def wait_until(self, ready: Callable[[], bool], what: str, seconds: float) -> None:
        """Wait for a condition while the process runs.

        Args:
            ready: says whether it holds.
            what: the condition in words, for the error.
            seconds: time-out.

        Raises:
            ServerError: the process ended, or the time is over.
        """
        deadline = time.monotonic() + seconds
        while not ready():
            if not self.alive:
                raise ServerError(
                    f"servers: {self.name} ended (exit code {self._process.returncode}) before "
                    f"{what}. Its log says:\n{self.tail()}"
                )
            if time.monotonic() > deadline:
                raise ServerError(
                    f"servers: {self.name}: {what} did not happen in {seconds:.0f} s. "
                    f"Its log says:\n{self.tail()}"
                )
            time.sleep(POLL_SECONDS)

    def stop(
        self,
        signals: Sequence[signal.Signals] = (signal.SIGTERM, signal.SIGKILL),
        seconds: float = 20,
    ) -> None:
        """End it: by one signal after the other until it is gone."""
        for how in signals:
            if self._process.poll() is not None:
                break
            self._process.send_signal(how)
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                continue

    def kill(self) -> None:
        """End it without warning, as a crash does."""
        self.stop((signal.SIGKILL,))

    def tail(self) -> str:
        """Return the last lines of its log."""
        if not self.log.exists():
            return "(no log)"
        lines = self.log.read_text(errors="replace").splitlines()
        return "\n".join(line[:500] for line in lines[-LOG_LINES:]) or "(nothing)"


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
