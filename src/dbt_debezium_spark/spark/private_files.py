"""Files and folders that only this user can read; links are never followed."""

from __future__ import annotations

import os
import stat
from pathlib import Path

FOLDER_MODE = 0o700
FILE_MODE = 0o600
DBT_LOG = "dbt.log"
# The files read here contain one line; a longer file is not ours.
MAX_BYTES = 65_536


def make_private(folder: Path) -> None:
    """Create a folder that no other user can read. An existing one stays as it is.

    Raises:
        OSError: it cannot be created, or is no folder.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def make_project_folders_private(target: Path, logs: Path) -> None:
    """Make the folders private in which dbt writes about a project.

    dbt creates `logs` before it loads this package, so a folder that only contains dbt's log is
    treated as new. Every other existing folder stays as it is.
    """
    make_private(target)
    if logs.is_dir() and not logs.is_symlink() and os.listdir(logs) in ([], [DBT_LOG]):
        state = logs.stat()
        if state.st_uid == os.getuid():
            logs.chmod(FOLDER_MODE)


def write_private(path: Path, text: str) -> None:
    """Replace a file in one step. A link of that name is replaced, not followed.

    Raises:
        OSError: the file cannot be written.
    """
    new = path.with_suffix(f".{os.getpid()}")
    # A file of an earlier process with this number, or a link that somebody put there.
    new.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(new, flags, FILE_MODE), "w", encoding="utf-8") as file:
        file.write(text)
    new.replace(path)


def read_trusted(path: Path) -> str:
    """Read a file that this user, root or the owner of its folder wrote.

    Raises:
        OSError: it does not exist, is a link or no plain file, belongs to somebody else, or is too
            long.
        UnicodeDecodeError: it is not UTF-8.
    """
    # Without O_NONBLOCK, opening a pipe would wait without end.
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            raise OSError(f"{path} is no plain file")
        if state.st_uid not in (os.getuid(), 0, path.parent.stat().st_uid):
            raise OSError(f"{path} belongs to another user")
        if state.st_size > MAX_BYTES:
            raise OSError(f"{path} has {state.st_size} bytes")
        return file.read(MAX_BYTES).decode("utf-8")
