"""Files and folders that hold data or say what a run does: for this user alone, and no links."""

from __future__ import annotations

import os
import stat
from pathlib import Path

FOLDER_MODE = 0o700
FILE_MODE = 0o600
DBT_LOG = "dbt.log"
# What is read is a line; more is not ours.
MAX_BYTES = 65_536


def make_private(folder: Path) -> None:
    """Make a folder that no other user may look into; one that is there stays as it is.

    Raises:
        OSError: it cannot be made, or is something else.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=FOLDER_MODE, exist_ok=True)


def make_project_folders_private(target: Path, logs: Path) -> None:
    """Keep what dbt writes about a project for this user.

    dbt makes `logs` before anything of ours runs: one in which nothing but its log lies is taken
    for just made. A folder that is there, and any other log folder, stays as it is.
    """
    make_private(target)
    if logs.is_dir() and not logs.is_symlink() and os.listdir(logs) in ([], [DBT_LOG]):
        state = logs.stat()
        if state.st_uid == os.getuid():
            logs.chmod(FOLDER_MODE)


def write_private(path: Path, text: str) -> None:
    """Write a file anew, in one step; a link of its name is replaced, not followed.

    Raises:
        OSError: it cannot be written.
    """
    new = path.with_suffix(f".{os.getpid()}")
    # What another process of this number left behind, or put there for us to write through.
    new.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
    with os.fdopen(os.open(new, flags, FILE_MODE), "w", encoding="utf-8") as file:
        file.write(text)
    new.replace(path)


def read_trusted(path: Path) -> str:
    """Read a file that this user, root or the owner of its folder wrote.

    Raises:
        OSError: it is not there, a link, no plain file, of somebody else, or too long.
        UnicodeDecodeError: it is no text.
    """
    # A pipe would be waited for, for ever, without O_NONBLOCK.
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
