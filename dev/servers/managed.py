"""What all servers of ours share: started whole or not at all, stopped whatever happens."""

from __future__ import annotations

import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dev.servers import ServerError
from dev.servers.run_to_end import run_to_end

PORTS_TRIED = 3
POLL_SECONDS = 0.05
STOP_SECONDS = 20
LOG_LINES = 20


class Managed(ABC):
    """A server in a process of its own, as a context manager.

    Attributes:
        name: for messages.
        log_name: of its log, without the ending.
        start_seconds: time-out of its start.
        signals: what ends it, one after the other until it is gone.
        identity: the account it runs under, as arguments of `subprocess`.
        folder: its own.
        log: its output and errors, of all its lives.
        port: of 127.0.0.1, chosen when it starts.
    """

    name: str
    log_name: str
    start_seconds = 60
    signals: Sequence[signal.Signals] = (signal.SIGTERM, signal.SIGKILL)
    identity: Mapping[str, Any] = {}

    def __init__(self, folder: Path) -> None:
        """Prepare a server; `folder` must exist and is ours to fill."""
        self.folder = folder
        self.log = folder / f"{self.log_name}.log"
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        """Start the server."""
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the server, whatever happened."""
        self.stop()

    def start(self) -> None:
        """Start the server, and wait until it can be used.

        Another process can take a port between the probe and the start: a few are tried.

        Raises:
            ServerError: it ended each time, or the time is over.
        """
        for attempt in range(PORTS_TRIED):
            command = self._command(attempt)
            with open(self.log, "ab") as output:
                self._process = subprocess.Popen(
                    list(command), stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                    # Ctrl-C at the terminal must reach us alone, and we end it in order.
                    cwd=self.folder, start_new_session=True, **self.identity,
                )  # fmt: skip
            try:
                self.wait_until(self._answers, "it answered", self.start_seconds)
            except ServerError:
                if self.alive or attempt + 1 == PORTS_TRIED:
                    raise
            else:
                return

    @abstractmethod
    def _command(self, attempt: int) -> Sequence[str | Path]:
        """Choose a port; return program and arguments. `attempt` counts from 0."""

    @abstractmethod
    def _answers(self) -> bool:
        """Tell whether it can be used."""

    @property
    def alive(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def check(self) -> None:
        """Raise when it is gone."""
        if not self.alive:
            raise ServerError(f"servers: {self.name} ended. Its log says:\n{self._tail()}")

    def wait_until(self, ready: Callable[[], bool], what: str, seconds: float) -> None:
        """Wait for a condition while the server runs.

        Args:
            ready: says whether it holds.
            what: the condition in words, for the error.
            seconds: time-out.

        Raises:
            ServerError: the server ended, or the time is over.
        """
        deadline = time.monotonic() + seconds
        while not ready():
            self.check()
            if time.monotonic() > deadline:
                raise ServerError(
                    f"servers: {self.name}: {what} did not happen in {seconds:.0f} s. "
                    f"Its log says:\n{self._tail()}"
                )
            time.sleep(POLL_SECONDS)

    def stop(self, signals: Sequence[signal.Signals] | None = None) -> None:
        """Stop the server: by one signal after the other until it is gone."""
        process, self._process = self._process, None
        for how in signals or self.signals:
            if process is None or process.poll() is not None:
                break
            process.send_signal(how)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                continue

    def kill(self) -> None:
        """End the server without warning, as a crash does."""
        self.stop((signal.SIGKILL,))

    def _run(self, name: str, command: Sequence[str | Path]) -> None:
        """Run a program that makes what the server needs; it must succeed."""
        code, said = run_to_end(command, self.folder, self.start_seconds, self.identity)
        if code != 0:
            raise ServerError(f"servers: {name} failed: {said.strip()[-2000:]}")

    def _tail(self) -> str:
        """Return the last lines of the log."""
        lines = self.log.read_text(errors="replace").splitlines() if self.log.exists() else []
        return "\n".join(line[:500] for line in lines[-LOG_LINES:]) or "(nothing)"
