"""A process that runs pytest again and again, each time with another rule broken.

Spark starts once, and what it compiled stays. Modules of tests are imported anew for each run,
because they keep the stories that they tell. A function is changed in a fork of the process: what
is imported there keeps the change. Spark cannot be forked, so functions come before macros.
"""

from __future__ import annotations

import importlib
import multiprocessing
import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing.connection import Connection
from pathlib import Path

import pytest

from tests.mutations.list_of_rules import RULES
from tests.mutations.rules import Met

# Rows that Spark holds for runs that are over fill its memory.
_MOST_RUNS = 30
# The macros are compiled once; a change is made to what they are called through.
_KEPT = ("tests.mutations", "tests.support", "tests.support.macros", "tests.support.paths")
# A test that fails like this met code that cannot run, which any test would notice.
_NO_CODE = re.compile(
    r"\b(?:SyntaxError|NameError|UndefinedError|ParseException"
    r"|PARSE_SYNTAX_ERROR|AnalysisException|UNRESOLVED_\w+|DATATYPE_MISMATCH)\b"
)
_LOST_SPARK = re.compile(r"ConnectionRefusedError|Py4JNetworkError|Answer from Java side is empty")


class Status(StrEnum):
    """What became of a rule that was broken, or of none."""

    KILLED = "killed"  # a test failed
    SURVIVED = "survived"  # all tests passed
    BROKEN = "broken"  # a mistake of the list: it says nothing about the tests
    LOST = "lost"  # Spark ended, maybe with the run before


@dataclass(frozen=True)
class Verdict:
    """What became of it, in how many seconds, which test noticed, and what was said."""

    status: Status
    seconds: float
    test: str | None = None
    reason: str = ""


class Worker:
    """A process that runs pytest when it is asked to."""

    def __init__(self, folder: Path) -> None:
        """Keep its files in a folder."""
        self._folder = folder
        self._process: multiprocessing.process.BaseProcess | None = None
        self._runs = 0
        self._is_closed = False

    def run(self, rule: int | None, tests: Sequence[str], timeout: float | None) -> Verdict:
        """Run tests with a rule of the list broken, by its number, or with none.

        A run that takes longer than the timeout is over; it says nothing about the tests.
        """
        started = time.monotonic()
        if self._process is None or not self._process.is_alive() or self._runs >= _MOST_RUNS:
            self._start()
        self._runs += 1
        try:
            self._connection.send((rule, list(tests)))
            if not self._connection.poll(timeout):
                self._stop()
                seconds = time.monotonic() - started
                return Verdict(Status.BROKEN, seconds, None, f"over {timeout:g} s")
            status, test, reason = self._connection.recv()
        except (EOFError, OSError):
            self._stop()
            status, test, reason = Status.LOST, None, "the process ended"
        if status is Status.LOST:
            self._stop()
        return Verdict(status, time.monotonic() - started, test, reason)

    def close(self) -> None:
        """End the process, and start no other."""
        self._is_closed = True
        self._stop()

    def _start(self) -> None:
        if self._is_closed:
            raise KeyboardInterrupt
        self._stop()
        self._folder.mkdir(parents=True, exist_ok=True)
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._folder), daemon=True)
        self._process.start()
        theirs.close()
        self._runs = 0

    def _stop(self) -> None:
        """End the process with all that it started."""
        if self._process is not None:
            if self._process.is_alive():
                with suppress(ProcessLookupError):
                    os.killpg(self._process.pid or 0, signal.SIGKILL)
                self._process.kill()  # it may not have a group yet
            self._process.join()
        self._process = None


def _serve(connection: Connection, folder: Path) -> None:
    """Answer requests until there are no more."""
    os.setsid()  # a group of its own: Spark ends with it
    output = os.open(folder / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(output, 1)
    os.dup2(output, 2)
    importlib.import_module("tests.conftest")  # with all that it imports
    with suppress(EOFError):
        while True:
            rule, tests = connection.recv()
            if rule is None or RULES[rule].kind == "macro":
                connection.send(_run(rule, tests, folder))
            elif fork := os.fork():
                os.waitpid(fork, 0)
            else:
                connection.send(_run(rule, tests, folder))
                os._exit(0)


class _Recorder:
    """What the tests of a run did: the first that failed, and its message."""

    def __init__(self) -> None:
        self.passed = 0
        self.test: str | None = None
        self.message = ""
        self.is_error = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.test is None:
            self.test, self.is_error = report.nodeid, report.when != "call"
            self.message = _message(report)
        self.passed += report.when == "call" and report.passed

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and self.test is None:
            self.test, self.is_error, self.message = report.nodeid, True, _message(report)


def _message(report: pytest.TestReport | pytest.CollectReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    return crash.message if crash else report.longreprtext


def _run(number: int | None, tests: list[str], folder: Path) -> tuple[Status, str | None, str]:
    for name in [one for one in sys.modules if one.split(".")[0] == "tests"]:
        if name not in _KEPT and not name.startswith("tests.mutations."):
            del sys.modules[name]
    recorder = _Recorder()
    arguments = ["-q", "--maxfail=1", "-p", "no:cacheprovider"]
    arguments += [f"--basetemp={folder / 'temporary'}", *tests]
    rule = None if number is None else RULES[number]
    with rule.broken() if rule else nullcontext(Met()) as met:
        pytest.main(arguments, plugins=[recorder])
    said = " ".join(recorder.message.split())[:300]
    if _LOST_SPARK.search(recorder.message):
        return Status.LOST, recorder.test, said
    if recorder.test is not None:
        is_broken = recorder.is_error or (
            "DID NOT RAISE" not in said and _NO_CODE.search(said) is not None
        )
        return Status.BROKEN if is_broken else Status.KILLED, recorder.test, said
    if not recorder.passed:
        return Status.BROKEN, None, "no test ran"
    if rule is not None and not met.times:
        return Status.BROKEN, None, f"{rule.name}: {met.problem}"
    return Status.SURVIVED, None, ""
