"""An environment as `pip install` makes it: this distribution's wheel, and what it depends on."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.paths import REPOSITORY
from tests.support.programs import run_program, users_environment

CONSTRAINTS = REPOSITORY / "dev" / "constraints.txt"


class EmptyEnvironment:
    """A virtual environment with nothing but the wheel, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        """Build the wheel from what git would commit, and install it."""
        clone = folder / "clone"
        copy_clone(clone)
        pip = ("-m", "pip", "--quiet", "--disable-pip-version-check")
        # In place, an earlier build could leave modules that are gone.
        run_program(sys.executable, *pip, "wheel", "--no-deps", "--wheel-dir", folder, clone)
        (self.wheel,) = folder.glob("*.whl")
        self.path = folder / "environment"
        run_program(sys.executable, "-m", "venv", self.path)
        self.python = self.path / "bin" / "python"
        run_program(
            *(self.python, *pip, "install", "--no-compile"),
            *("--constraint", CONSTRAINTS, self.wheel),
        )

    @property
    def packages(self) -> Path:
        """Return the folder into which pip installed."""
        return Path(
            self.run(
                "python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"
            ).strip()
        )

    def run(
        self,
        program: str,
        *arguments: str | Path,
        folder: Path | None = None,
        code: int = 0,
        **variables: str,
    ) -> str:
        """Run a program of the environment; it must end with `code`. Returns its output."""
        environment = users_environment(**variables)
        command = (self.path / "bin" / program, *arguments)
        return run_program(*command, folder=folder, environment=environment, code=code)


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
