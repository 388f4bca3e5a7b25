"""A copy of the clone: what git would commit of it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.support.paths import REPOSITORY


def copy_clone(folder: Path) -> None:
    """Copy the clone into an empty folder, without what git ignores."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in sorted(set(listed.split("\0")) - {""}):
        source, target = REPOSITORY / name, folder / name
        if source.is_file() or source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
