"""An environment as `pip install` makes it: this distribution's wheel, and what it depends on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.support.clone_copy import copy_clone
from tests.support.paths import REPOSITORY

CONSTRAINTS = REPOSITORY / "dev" / "constraints.txt"
# Variables of tools that a new user has not set; those of pip, Java and the locale stay.
_NOT_A_USERS = ("DBT_", "DEBEZIUM_SPARK_", "PYSPARK_", "PYTEST_", "PYTHON", "SPARK_", "VIRTUAL_ENV")
_SECONDS = 900


class EmptyEnvironment:
    """A virtual environment with nothing but the wheel, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        """Build the wheel from what git would commit, and install it."""
        clone = folder / "clone"
        copy_clone(clone)
        pip = ("-m", "pip", "--quiet", "--disable-pip-version-check")
        # In place, an earlier build could leave modules that are gone.
        self._call(sys.executable, *pip, "wheel", "--no-deps", "--wheel-dir", folder, clone)
        (self.wheel,) = folder.glob("*.whl")
        self.path = folder / "environment"
        self._call(sys.executable, "-m", "venv", self.path)
        self.python = self.path / "bin" / "python"
        self._call(
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
        return self._call(
            self.path / "bin" / program, *arguments, folder=folder, code=code, **variables
        )

    def _call(
        self, *command: str | Path, folder: Path | None = None, code: int = 0, **variables: str
    ) -> str:
        kept = {
            name: value
            for name, value in os.environ.items()
            # what tests tell every Java: `jvm_options`
            if name == "SPARK_SUBMIT_OPTS" or not name.startswith(_NOT_A_USERS)
        }
        result = subprocess.run(
            [str(one) for one in command],
            cwd=folder,
            env=kept | variables,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_SECONDS,
        )
        assert result.returncode == code, f"{command}:\n{result.stdout[-8000:]}"
        return result.stdout
