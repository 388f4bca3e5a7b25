"""What all servers of ours share: started whole or not at all, stopped whatever happens."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from types import TracebackType
from typing import Self

from dev.servers.errors import ServerError
from dev.servers.process import Process

PORTS_TRIED = 3


class Managed(ABC):
    """A server as a context manager; `_process` is its process while it runs."""

    _process: Process | None = None

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

    @abstractmethod
    def start(self) -> None:
        """Start the server, and wait until it can be used."""

    def stop(self) -> None:
        """Stop the server in order."""
        process, self._process = self._process, None
        if process is not None:
            self._end(process)

    def _end(self, process: Process) -> None:
        process.stop()

    def _launch(
        self, launch: Callable[[int], Process], ready: Callable[[], bool], what: str, seconds: float
    ) -> None:
        """Start a process that takes a port, and wait for it.

        Another process can take the port between the probe and the start: a few are tried.

        Args:
            launch: chooses a port and starts the process; takes the number of the attempt, from 0.
            ready: says whether it can be used.
            what: that condition in words, for the error.
            seconds: time-out of an attempt.

        Raises:
            ServerError: it ended each time, or the time is over.
        """
        for attempt in range(PORTS_TRIED):
            self._process = launch(attempt)
            try:
                self._process.wait_until(ready, what, seconds)
            except ServerError:
                if self._process.alive or attempt + 1 == PORTS_TRIED:
                    raise
            else:
                return
