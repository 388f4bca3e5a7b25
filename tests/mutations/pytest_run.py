"""One run of pytest in a copy of the clone, and what it found."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from xml.etree import ElementTree

from tests.mutations.copied_tree import CopiedTree
from tests.mutations.warm_pytest import WarmPytest

_NOTHING_COLLECTED = (4, 5)  # pytest's exit codes: wrong names, no tests
_LOST_SPARK = re.compile(r"ConnectionRefusedError|Py4JNetworkError|Answer from Java side is empty")
_running: set[subprocess.Popen[bytes]] = set()
_starting = threading.Lock()
_stopped = threading.Event()
_warm_ones: dict[Path, WarmPytest] = {}


class Outcome(StrEnum):
    """How a run ended."""

    PASSED = "passed"
    FAILED = "failed"
    ERROR = "error"
    NO_TESTS = "no tests"
    TIMED_OUT = "timed out"


@dataclass(frozen=True)
class PytestRun:
    """What a run found.

    Attributes:
        outcome: `error` is a failure outside of a test: in collecting or in a fixture.
        seconds: how long it took.
        test: the first test that failed, or that ran when the time was over.
        message: what that said, or the end of pytest's output.
    """

    outcome: Outcome
    seconds: float
    test: str | None = None
    message: str = ""


def run_pytest(
    tree: CopiedTree,
    tests: Sequence[str],
    timeout: float | None,
    *,
    most_failures: int = 1,
    is_warm: bool = False,
) -> PytestRun:
    """Run some tests.

    Args:
        tree: the copy to run in.
        tests: paths and ids, or `-k <expression>`.
        timeout: seconds until the process is ended with all that it started; None: no limit.
        most_failures: after so many it ends by itself.
        is_warm: in the copy's process that has a warm Spark, else in a new one. The product's
            Python is what it was when that process began.
    """
    report, output = tree.scratch / "report.xml", tree.scratch / "output.txt"
    report.unlink(missing_ok=True)
    arguments = ["-v", f"--maxfail={most_failures}", "-p", "no:cacheprovider"]
    arguments += [f"--basetemp={tree.scratch / 'temporary'}"]
    arguments += [f"--junitxml={report}", "-o", "junit_family=xunit1"]
    for test in tests:
        arguments += shlex.split(test) if test.startswith("-k") else [test]
    started = time.monotonic()
    if is_warm:
        code = _warm(tree).run(arguments, output, timeout)
        if _LOST_SPARK.search(output.read_text(encoding="utf-8", errors="replace")):
            # this change ended Spark, say by asking for all memory, or the one before it did
            _warm(tree).stop()
            code = _warm(tree).run(arguments, output, timeout)
    else:
        code = _wait_for([sys.executable, "-m", "pytest", *arguments], tree, output, timeout)
    seconds = time.monotonic() - started
    said = output.read_text(encoding="utf-8", errors="replace")
    if code is None:
        return PytestRun(Outcome.TIMED_OUT, seconds, _last_named(said), f"over {timeout:g} s")
    if code in _NOTHING_COLLECTED:
        return PytestRun(Outcome.NO_TESTS, seconds, None, _end_of(said))
    return _read_report(report, code, seconds, said)


def stop_all() -> None:
    """End every run that is under way, and start no other."""
    with _starting:
        _stopped.set()
        for process in list(_running):
            _kill(process)
        for warm in _warm_ones.values():
            warm.stop()


def _warm(tree: CopiedTree) -> WarmPytest:
    with _starting:
        if _stopped.is_set():
            raise KeyboardInterrupt
        warm = _warm_ones.get(tree.root)
        if warm is None or not warm.is_usable:
            if warm is not None:
                warm.stop()
            warm = _warm_ones[tree.root] = WarmPytest(tree.root, tree.environment())
        return warm


def _wait_for(
    command: Sequence[str], tree: CopiedTree, output: Path, timeout: float | None
) -> int | None:
    """Return the exit code of a command, None when its time was over."""
    with output.open("wb") as file:
        with _starting:
            if _stopped.is_set():
                raise KeyboardInterrupt
            process = subprocess.Popen(
                command,
                cwd=tree.root,
                env=tree.environment(),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                # a group of its own: what it starts, Spark above all, ends with it
                start_new_session=True,
            )
            _running.add(process)
        try:
            return process.wait(timeout)
        except subprocess.TimeoutExpired:
            _kill(process)
            process.wait()
            return None
        finally:
            _running.discard(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _read_report(report: Path, code: int, seconds: float, said: str) -> PytestRun:
    if not report.exists():
        return PytestRun(Outcome.ERROR, seconds, None, _end_of(said))
    cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    for case in cases:
        for kind, outcome in (("error", Outcome.ERROR), ("failure", Outcome.FAILED)):
            found = case.find(kind)
            if found is not None:
                message = found.get("message") or found.text or ""
                return PytestRun(outcome, seconds, _id_of(case), message)
    if code != 0:
        return PytestRun(Outcome.ERROR, seconds, None, _end_of(said))
    if all(case.find("skipped") is not None for case in cases):
        return PytestRun(Outcome.NO_TESTS, seconds, None, "every test was skipped")
    return PytestRun(Outcome.PASSED, seconds)


def _id_of(case: ElementTree.Element) -> str:
    return f"{case.get('file', case.get('classname'))}::{case.get('name')}"


def _last_named(said: str) -> str | None:
    """Return the test that pytest named last: the one that was running."""
    for line in reversed(said.splitlines()):
        if "::" in line:
            return line.split(" PASSED")[0].strip()
    return None


def _end_of(said: str) -> str:
    return "\n".join(said.splitlines()[-15:])
