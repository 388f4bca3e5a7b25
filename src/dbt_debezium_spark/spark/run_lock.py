"""One process at a time on a metastore in Derby: a lock that ends with its process.

Derby, the metastore of the profile's Delta target, admits one process from its first access until
its end, and answers a second one with a page of Java. So a command takes a lock first; a second one
waits, reports the holder, and fails after the timeout. The lock is `flock` on a file, not the
existence of a file, so a killed run leaves nothing behind that a person would have to remove.

Nothing else needs it: what keeps two runs apart is the commit of each table (`overlap`).
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

from filelock import FileLock, Timeout

from dbt_debezium_spark.spark.private_files import make_private, read_trusted, write_private
from dbt_debezium_spark.spark.settings import has_derby, state_dir

TIMEOUT_VAR = "debezium_lock_timeout_seconds"
DEFAULT_TIMEOUT_SECONDS = 1800.0

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
        subject: the protected metastore, for messages.
    """

    path: Path
    subject: str


def place_of(settings: Mapping[str, str]) -> Place | None:
    """Return the lock that sessions of this process need, None without a metastore in Derby.

    Args:
        settings: result of `settings.resolve_settings`.
    """
    if os.environ.get("SPARK_REMOTE") or not has_derby(settings):
        return None
    folder = state_dir(settings)
    return Place(
        folder / _FOLDER / "metastore.lock",
        f"the metastore in {folder}, which takes one process at a time",
    )


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
