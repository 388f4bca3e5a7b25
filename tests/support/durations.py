"""What a run of tests took: the seconds of each part, which is a file, at its end."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import pytest


class Durations:
    """Prints a table of parts, the longest first; pytest itself prints the slowest tests."""

    def __init__(self) -> None:
        """Begin to count."""
        self._started = time.monotonic()
        self._seconds: Counter[str] = Counter()
        self._tests: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what one phase of a test took."""
        part = report.nodeid.split("::", 1)[0]
        self._seconds[part] += report.duration
        self._tests[part] += report.when == "call"

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the table."""
        terminalreporter.section("seconds of each part")
        for part, seconds in self._seconds.most_common():
            if seconds >= 1:
                terminalreporter.write_line(f"{seconds:8.1f}  {self._tests[part]:5}  {part}")
        terminalreporter.write_line(
            f"{sum(self._seconds.values()):8.1f}  {sum(self._tests.values()):5}  all, in"
            f" {time.monotonic() - self._started:.0f} seconds of this machine's time"
        )
