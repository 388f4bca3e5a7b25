"""An environment as `pip install` makes it: this distribution's wheel, and what it depends on.

The wheel is built here, as for a release, or is the one in the folder DEBEZIUM_SPARK_DIST.
"""

from __future__ import annotations

import os
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
        """Build the distributions from what git would commit, and install the wheel."""
        pip = ("-m", "pip", "--quiet", "--disable-pip-version-check")
        dist = Path(os.environ.get("DEBEZIUM_SPARK_DIST") or folder / "dist").resolve()
        if not dist.is_dir():
            # In place, an earlier build could leave modules that are gone.
            copy_clone(folder / "clone")
            run_program(sys.executable, *pip, "install", "--target", folder / "build", "build")
            run_program(
                *(sys.executable, "-m", "build", "--outdir", dist, folder / "clone"),
                environment=users_environment(PYTHONPATH=str(folder / "build")),
            )
        (self.wheel,) = dist.glob("*.whl")
        (self.sources,) = dist.glob("*.tar.gz")
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
