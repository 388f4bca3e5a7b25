"""One writing run at a time: a lock that the operating system gives back when its process ends.

Two runs that read the same watermark would both write what lies above it. So a command that writes
takes a lock before its first statement, and a second one waits, says for whom, and gives up after a
while. The lock is `flock` on a file, never the existence of one: a killed run leaves nothing that a
person would have to remove.

It reaches as far as the file does: one machine, or those that share the state folder on a file
system with locks. Beyond that stand the checks of the tables themselves: see `raw_append`.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from filelock import FileLock, Timeout

from dbt_debezium_spark.private_files import make_private, read_trusted, write_private
from dbt_debezium_spark.settings import has_derby, state_dir

TIMEOUT_VAR = "debezium_lock_timeout_seconds"
DEFAULT_TIMEOUT_SECONDS = 1800.0
WRITING_COMMANDS = frozenset({"build", "run", "seed", "snapshot", "clone", "retry"})

_FOLDER = "locks"
_POLL_SECONDS = 0.5
_REMINDER_SECONDS = 60.0


class LockError(RuntimeError):
    """The lock cannot be had; the text says who holds it and what to do."""


@dataclass(frozen=True)
class Holder:
    """Who holds a lock, for people."""

    pid: int
    host: str
    command: str
    since: str

    def __str__(self) -> str:
        """Name the process as `ps` and a scheduler's log know it."""
        told = f"`{self.command}`, process {self.pid} on {self.host}, since {self.since}"
        return "".join(one for one in told if one.isprintable())


@dataclass(frozen=True)
class Place:
    """What one lock guards.

    Attributes:
        path: the lock's file.
        subject: the same in words, for messages.
        until_exit: whether the lock is kept until the process ends.
        guards_reading: whether commands that only read need it, too.
    """

    path: Path
    subject: str
    until_exit: bool = False
    guards_reading: bool = False


def place_of(settings: Mapping[str, str], schema: str, host: str | None) -> Place:
    """Return what a run on a target must lock.

    Args:
        settings: result of `settings.resolve_settings`.
        schema: the target's.
        host: of the profile, for connections that are no session of this process; else None.
    """
    folder = state_dir(settings) / _FOLDER
    remote = os.environ.get("SPARK_REMOTE")
    if host is None and remote is None and has_derby(settings):
        return Place(
            folder / "metastore.lock",
            f"the metastore in {state_dir(settings)}, which takes one process at a time",
            until_exit=True,
            guards_reading=True,
        )
    if host is None:
        host = urlsplit(remote).netloc if remote else settings.get("spark.sql.defaultCatalog", "")
    name = quote(f"{host}.{schema}".lower(), safe="")
    return Place(folder / f"{name}.lock", f"schema `{schema}`")


def timeout_seconds(value: object) -> float:
    """Return how long to wait, from the var `debezium_lock_timeout_seconds`.

    Raises:
        LockError: the value is no number, or negative.
    """
    if value is None:
        return DEFAULT_TIMEOUT_SECONDS
    if isinstance(value, (int, float, str)) and not isinstance(value, bool):
        try:
            seconds = float(value)
        except ValueError:
            seconds = -1.0
        if 0 <= seconds < float("inf"):
            return seconds
    raise LockError(
        f"debezium_spark: var {TIMEOUT_VAR} must be a number of seconds, got: {value!r}. "
        "Write 0 to fail at once when another run is at work."
    )


class RunLock:
    """The lock of one place in this process; taking it again is free."""

    def __init__(self, place: Place) -> None:
        """Name the file; nothing is opened before `take`."""
        self.place = place
        # one lock for all threads: dbt takes it in one and may give it back in another
        self._lock = FileLock(place.path, thread_local=False, fallback_to_soft=False)
        self._holder_file = place.path.with_suffix(".json")

    def take(self, command: str, timeout: float, say: Callable[[str], None]) -> None:
        """Take the lock, or wait for it.

        Args:
            command: what this process does, for the message that another one shows.
            timeout: seconds to wait.
            say: told once when the wait begins, and every minute.

        Raises:
            LockError: another process still holds it, or the file cannot be locked.
        """
        started = time.monotonic()
        reminder = started
        while not self._try():
            now = time.monotonic()
            waited = now - started
            if waited >= timeout:
                raise LockError(
                    f"debezium_spark: another run holds {self.place.subject}: {self.holder()}. "
                    f"Waited {waited:.0f} s. Run again when it has ended; var {TIMEOUT_VAR} "
                    f"(now {timeout:g}) says how long to wait. The lock is {self.place.path}."
                )
            if now >= reminder:
                say(
                    f"waiting for another run, which holds {self.place.subject}: {self.holder()}. "
                    f"{waited:.0f} s of at most {timeout:g} (var {TIMEOUT_VAR})"
                )
                reminder = now + _REMINDER_SECONDS
            time.sleep(min(_POLL_SECONDS, max(timeout - waited, 0.01)))
        self._write_holder(command)

    def release(self) -> None:
        """Give it back, as often as it was taken."""
        if self._lock.lock_counter == 1:
            # while the lock is held: what another process writes there must stay
            self._holder_file.unlink(missing_ok=True)
        self._lock.release()

    def holder(self) -> Holder | str:
        """Return who holds the lock, as far as it has said so."""
        try:
            told: dict[str, Any] = json.loads(read_trusted(self._holder_file))
            return Holder(**told)
        except (OSError, ValueError, TypeError, RecursionError):
            # the holder writes this after it has the lock, and may not have got there; what others
            # put there is not shown
            return "a process that has just started"

    def _try(self) -> bool:
        try:
            self._make_folder()
            self._lock.acquire(blocking=False)
        except Timeout:
            return False
        except (OSError, NotImplementedError) as error:
            raise LockError(
                f"debezium_spark: {self.place.path} cannot be locked: {error}. Put the state "
                "folder (DEBEZIUM_SPARK_STATE) where you may write and the file system has locks."
            ) from error
        return True

    def _make_folder(self) -> None:
        """Make the folders; of a lock that is a link another file would be emptied and locked.

        Raises:
            OSError: the lock or its folder is a link, or the folder cannot be made.
        """
        folder = self.place.path.parent
        make_private(folder.parent)
        make_private(folder)
        for one in (folder, self.place.path):
            if one.is_symlink():
                raise OSError(f"{one} is a link")

    def _write_holder(self, command: str) -> None:
        now = datetime.now(UTC).isoformat(sep=" ", timespec="seconds")
        holder = Holder(os.getpid(), socket.gethostname(), command, now)
        write_private(self._holder_file, json.dumps(asdict(holder)))


_locks: dict[Path, RunLock] = {}


def lock_of(place: Place) -> RunLock:
    """Return this process's lock of a place: the same object for the same file."""
    return _locks.setdefault(place.path, RunLock(place))


def command_line(what: str) -> str:
    """Return what this process does, without arguments: they may hold secrets (`--vars`)."""
    program = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"
    return what if program == "dbt" else f"{program}: {what}"
