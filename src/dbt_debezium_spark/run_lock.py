"""One writing run at a time: a lock that the operating system releases when its process ends.

Two runs that read the same watermark would both write the rows above it. So a writing command takes
a lock before its first statement. A second command waits, reports the holder, and fails after the
timeout. The lock is `flock` on a file, not the existence of a file, so a killed run leaves nothing
behind that a person would have to remove.

The lock is valid where the file is visible: on one machine, or on machines that share the state
folder on a file system with locks. Further protection is in the tables: see `raw_append`.
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
    """The lock is not available; the text names its holder and the remedy."""


@dataclass(frozen=True)
class Holder:
    """The process that holds a lock, for messages."""

    pid: int
    host: str
    command: str
    since: str

    def __str__(self) -> str:
        """Return the process as `ps` and a scheduler's log show it."""
        text = f"`{self.command}`, process {self.pid} on {self.host}, since {self.since}"
        return "".join(character for character in text if character.isprintable())


@dataclass(frozen=True)
class Place:
    """The subject of one lock.

    Attributes:
        path: the lock's file.
        subject: the protected schema or metastore, for messages.
        until_exit: whether the lock is kept until the process ends.
        guards_reading: whether commands that only read need the lock, too.
    """

    path: Path
    subject: str
    until_exit: bool = False
    guards_reading: bool = False


def place_of(settings: Mapping[str, str], schema: str, host: str | None) -> Place:
    """Return the lock that a run on a target needs.

    Args:
        settings: result of `settings.resolve_settings`.
        schema: schema of the target.
        host: host of the profile, None for a session of this process.
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
    """Return the seconds to wait, from the var `debezium_lock_timeout_seconds`.

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
        "Write 0 to fail at once if another run holds the lock."
    )


class RunLock:
    """The lock of one place in this process, which can be taken again."""

    def __init__(self, place: Place) -> None:
        """Set the file, which is not opened before `take`."""
        self.place = place
        # one lock for all threads: dbt may release it in another thread
        self._lock = FileLock(place.path, thread_local=False, fallback_to_soft=False)
        self._holder_file = place.path.with_suffix(".json")

    def take(self, command: str, timeout: float, report: Callable[[str], None]) -> None:
        """Take the lock, or wait for it.

        Args:
            command: command of this process, for the messages of other processes.
            timeout: seconds to wait.
            report: called with a text when the wait begins, and every minute.

        Raises:
            LockError: another process still holds the lock, or the file cannot be locked.
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
                    f"(now {timeout:g}) sets the time to wait. The lock is {self.place.path}."
                )
            if now >= reminder:
                report(
                    f"waiting for another run, which holds {self.place.subject}: {self.holder()}. "
                    f"{waited:.0f} s of at most {timeout:g} (var {TIMEOUT_VAR})"
                )
                reminder = now + _REMINDER_SECONDS
            time.sleep(min(_POLL_SECONDS, max(timeout - waited, 0.01)))
        self._write_holder(command)

    def release(self) -> None:
        """Release the lock once; it must be released as often as it was taken."""
        if self._lock.lock_counter == 1:
            # before the release: afterwards the file may be that of another process
            self._holder_file.unlink(missing_ok=True)
        self._lock.release()

    def holder(self) -> Holder | str:
        """Return the holder of the lock, or a text if it is unknown."""
        try:
            members: dict[str, Any] = json.loads(read_trusted(self._holder_file))
            return Holder(**members)
        except (OSError, ValueError, TypeError, RecursionError):
            # The holder writes the file after it has taken the lock, so it may not exist yet. A
            # file that another user wrote is ignored.
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
        """Create the folders. A link is refused, because it would truncate and lock another file.

        Raises:
            OSError: the lock or its folder is a link, or the folder cannot be created.
        """
        folder = self.place.path.parent
        make_private(folder.parent)
        make_private(folder)
        for path in (folder, self.place.path):
            if path.is_symlink():
                raise OSError(f"{path} is a link")

    def _write_holder(self, command: str) -> None:
        now = datetime.now(UTC).isoformat(sep=" ", timespec="seconds")
        holder = Holder(os.getpid(), socket.gethostname(), command, now)
        write_private(self._holder_file, json.dumps(asdict(holder)))


_locks: dict[Path, RunLock] = {}


def lock_of(place: Place) -> RunLock:
    """Return this process's lock of a place, the same object for the same file."""
    return _locks.setdefault(place.path, RunLock(place))


def command_line(command: str) -> str:
    """Return the command of this process without arguments, which may be secrets (`--vars`)."""
    program = Path(sys.argv[0]).name if sys.argv and sys.argv[0] else "python"
    return command if program == "dbt" else f"{program}: {command}"
