"""What a run of tests took: the seconds of each part, which is a file, at its end."""

from __future__ import annotations

import functools
import time
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest
from dbt.cli.main import dbtRunner

_DBT = "dbt commands"


class DbtCommands:
    """Counts the dbt commands that each test runs in its process; they are most of the time."""

    def __init__(self) -> None:
        """Count every command from now on."""
        self._count = 0
        invoke = dbtRunner.invoke

        @functools.wraps(invoke)
        def counted(*arguments: Any, **named: Any) -> Any:
            self._count += 1
            return invoke(*arguments, **named)

        setattr(dbtRunner, "invoke", counted)  # noqa: B010 - mypy refuses the assignment

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Say with each phase of a test how many commands it ran."""
        report = yield
        report.user_properties.append((_DBT, self._count))
        self._count = 0
        return report


class Durations:
    """Prints a table of parts, the longest first; pytest itself prints the slowest tests."""

    def __init__(self) -> None:
        """Begin to count."""
        self._started = time.monotonic()
        self._seconds: Counter[str] = Counter()
        self._tests: Counter[str] = Counter()
        self._commands = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count what one phase of a test took."""
        part = report.nodeid.split("::", 1)[0]
        self._seconds[part] += report.duration
        self._tests[part] += report.when == "call"
        self._commands += sum(count for name, count in report.user_properties if name == _DBT)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the table."""
        terminalreporter.section("seconds of each part")
        for part, seconds in self._seconds.most_common():
            if seconds >= 1:
                terminalreporter.write_line(f"{seconds:8.1f}  {self._tests[part]:5}  {part}")
        terminalreporter.write_line(
            f"{sum(self._seconds.values()):8.1f}  {sum(self._tests.values()):5}  all, in"
            f" {time.monotonic() - self._started:.0f} seconds of this machine's time;"
            f" {self._commands} dbt commands in the tests' processes"
        )
