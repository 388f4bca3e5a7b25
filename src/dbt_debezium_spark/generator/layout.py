"""Where generated files lie in a project.

A project of its own has a folder for each layer, as this package's repository does. The project of
a team has one folder for everything that is generated. `debezium_folder: models/debezium` gives:

    models/staging/shop/stg_shop__orders.sql    models/debezium/shop/staging/stg_shop__orders.sql
    python_models/raw/raw_shop.py               models/debezium/shop/raw/raw_shop.py
    models/observability/debezium_obs__lag.sql  models/debezium/observability/debezium_obs__lag.sql
"""

from __future__ import annotations

import posixpath
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER_VAR = "debezium_folder"
DEFAULT_NAME = "debezium"
_TABLE_LAYERS = (
    *("staging", "state", "current", "history", "feed"),
    *("transactions", "asof"),
)
_ROOTS = ("models", "python_models")


@dataclass(frozen=True)
class Layout:
    """The folders of a project's generated files; `folder` is None for a folder for each layer."""

    folder: str | None = None

    def path(self, path: str, source: str | None) -> str:
        """Return where a file lies.

        Args:
            path: its path in a project with a folder for each layer.
            source: its source; None for files of all sources.
        """
        if self.folder is None:
            return path
        _, layer, *_, name = path.split("/")
        return posixpath.join(self.folder, source or "", layer, name)

    def raw_paths(self, source: str) -> list[str]:
        """Return the paths that a source's raw model can have: it is Python or SQL."""
        files = [f"python_models/raw/raw_{source}{ending}" for ending in (".py", ".yml")]
        files += [f"models/raw/raw_{source}{ending}" for ending in (".sql", ".yml")]
        return list(dict.fromkeys(self.path(file, source) for file in files))

    def table_files(self, project: Path, source: str) -> list[Path]:
        """Return the files in the folders of a source's tables."""
        folders = (
            [f"{root}/{layer}/{source}" for layer in _TABLE_LAYERS for root in _ROOTS]
            if self.folder is None
            else [f"{self.folder}/{source}/{layer}" for layer in _TABLE_LAYERS]
        )
        found = [path for folder in folders for path in sorted(project.glob(f"{folder}/*"))]
        return [path for path in found if path.is_file()]


FOLDER_FOR_EACH_LAYER = Layout()


def folder_problem(folder: object, model_paths: Sequence[str]) -> str | None:
    """Return what is wrong with a `debezium_folder`; None if dbt reads models in it.

    Args:
        folder: value of the var.
        model_paths: `model-paths` of the project.
    """
    paths = ", ".join(f"`{path}`" for path in model_paths)
    if not isinstance(folder, str) or not folder:
        problem = "is no path"
    elif posixpath.isabs(folder) or posixpath.normpath(folder) != folder:
        problem = "is no plain relative path"
    elif not any(folder.startswith(f"{posixpath.normpath(path)}/") for path in model_paths):
        problem = f"is in none of the project's model-paths ({paths})"
    else:
        return None
    example = posixpath.join(model_paths[0], DEFAULT_NAME) if model_paths else DEFAULT_NAME
    return (
        f"debezium_spark: the folder of generated models, {folder!r}, {problem}."
        f" Choose a folder such as `{example}`."
    )
