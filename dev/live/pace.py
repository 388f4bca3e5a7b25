"""Two threads that take turns overlapping: the databases' play, and the runs that land it."""

from __future__ import annotations

import threading
from collections.abc import Callable

from dev.servers import ServerError

WAIT_SECONDS = 1800


class Stopped(RuntimeError):
    """The other side failed; there is nothing left to do."""


class Pace:
    """Lets every run begin after an act, and every act after that begin during a run.

    Act n + 1 waits until run n has begun, and run n until act n is over. So what dbt lands is
    written while it lands, however fast either side is.
    """

    def __init__(self, waits_for_runs: bool = True) -> None:
        """Begin before the first act.

        Args:
            waits_for_runs: whether anybody runs at all; without, acts follow each other.
        """
        self._changed = threading.Condition()
        self._waits_for_runs = waits_for_runs
        self._acts_over = 0
        self._runs_begun = 0
        self._failure: BaseException | None = None

    def before_act(self, number: int) -> None:
        """Wait until an act, counted from 1, may begin."""
        if self._waits_for_runs:
            self._wait(lambda: self._runs_begun >= number - 1, f"run {number - 1} to begin")

    def act_is_over(self) -> None:
        """Say that the next act is over."""
        with self._changed:
            self._acts_over += 1
            self._changed.notify_all()

    def run_begins(self, number: int) -> None:
        """Wait until a run, counted from 1, may begin; say that it does."""
        self._wait(lambda: self._acts_over >= number, f"act {number} to end")
        with self._changed:
            self._runs_begun = number
            self._changed.notify_all()

    def fail(self, failure: BaseException) -> None:
        """Say that one side cannot go on: the other one's waiting ends."""
        with self._changed:
            self._failure = self._failure or failure
            self._changed.notify_all()

    def check(self) -> None:
        """Raise when one side failed."""
        if self._failure is not None:
            raise Stopped("live: the other side failed.") from self._failure

    def _wait(self, holds: Callable[[], bool], what: str) -> None:
        with self._changed:
            done = self._changed.wait_for(
                lambda: self._failure is not None or holds(), timeout=WAIT_SECONDS
            )
        self.check()
        if not done:
            raise ServerError(f"live: waited {WAIT_SECONDS} s for {what}, in vain.")
