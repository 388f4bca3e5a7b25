"""A copy of the clone in which one file at a time is changed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.mutations.listed import Mutation
from tests.support.clone_copy import copy_clone

_SHOW_ORIGIN = (
    "import dbt_debezium_spark as product; print(product.__file__); print(product.package_path())"
)


class CopiedTree:
    """What git would commit of the clone, in a folder of its own.

    The package is installed from the clone; `environment` puts the copy's before it. It also keeps
    Python from writing compiled files: those of a changed file could be taken for the original's.
    """

    def __init__(self, folder: Path) -> None:
        """Copy the clone into a folder that is not there yet."""
        self.root = folder / "clone"
        self.scratch = folder / "scratch"
        self.root.mkdir(parents=True)
        self.scratch.mkdir()
        copy_clone(self.root)
        self._check_origin()

    def environment(self) -> dict[str, str]:
        """Return the environment of a process that works with the copy."""
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        environment.pop("PYTEST_ADDOPTS", None)
        paths = [str(self.root / "src"), environment.get("PYTHONPATH", "")]
        environment["PYTHONPATH"] = os.pathsep.join(path for path in paths if path)
        return environment

    @contextmanager
    def changed(self, mutation: Mutation) -> Iterator[None]:
        """Apply a mutation for the time of the block.

        Raises:
            WrongList: the mutation does not fit its file.
        """
        file = self.root / mutation.file
        original = file.read_text(encoding="utf-8")
        file.write_text(mutation.applied_to(original), encoding="utf-8")
        try:
            yield
        finally:
            file.write_text(original, encoding="utf-8")

    def _check_origin(self) -> None:
        told = subprocess.run(
            [sys.executable, "-c", _SHOW_ORIGIN],
            cwd=self.root,
            env=self.environment(),
            check=True,
            capture_output=True,
            text=True,
        ).stdout.splitlines()
        expected = [str(self.root / "src" / "dbt_debezium_spark" / "__init__.py"), str(self.root)]
        if [str(Path(one).resolve()) for one in told] != [
            str(Path(one).resolve()) for one in expected
        ]:
            raise RuntimeError(f"tests in {self.root} would test another product: {told}")
