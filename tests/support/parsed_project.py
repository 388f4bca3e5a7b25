"""Generated files in a dbt project that dbt reads and compiles here, without Spark."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from tests.support.generated_text import SHOP, results_of, row
from tests.support.project import DbtProject, create_project


def catalog_row(
    table: str = "customers",
    column: str = "id",
    position: int = 1,
    *,
    key: int | None = None,
    schema: Mapping[str, Any] | None = None,
    **changes: Any,
) -> dict[str, Any]:
    """Return a row of `catalog_shop__columns` with this schema; a key is never null."""
    node = {"type": "int32", "field": column, **(schema or {})}
    told = {"connect_type": node["type"], "schema_json": json.dumps(node)}
    return row(table, column, position, key=key, **{**told, "is_optional": key is None, **changes})


def generated(
    rows: Iterable[Mapping[str, Any]], **variables: Any
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Return the files that `generate` writes for a catalog, by path, and what it has to say."""
    results = results_of(rows, part="all", variables=variables)
    files = {one["path"]: one["content"] for one in results if one["kind"] == "file"}
    return files, [one for one in results if one["kind"] != "file"]


def project_of(folder: Path, files: Mapping[str, str]) -> DbtProject:
    """Return a dbt project with these files; commands that ask Spark nothing work on it."""
    folder.mkdir(parents=True, exist_ok=True)
    project = create_project(
        folder,
        schema="parsed",
        target="iceberg",
        spark=None,
        files={},
        variables={"debezium_sources": SHOP},
    )
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    return project


# What nothing but evaluating a stranger's text can bring into what dbt writes: (name, value).
ENVIRONMENT_CANARY = ("CANARY_OF_THE_ENVIRONMENT", "value-of-the-environment")
VARIABLE_CANARY = ("canary_variable", "value-of-the-variable")
MACRO_CANARY = ("canary_macro", "value-of-the-macro")
_CANARY_MACRO = "{% macro canary_macro() %}{{ return('value-of-' ~ 'the-macro') }}{% endmacro %}\n"
_SELECTED = ("path:models/staging", "path:models/state", "path:models/current")


@dataclass
class Reading:
    """What dbt made of a project's files: it has read and compiled them."""

    folder: Path
    manifest: dict[str, Any]

    def columns(self, model: str) -> dict[str, dict[str, Any]]:
        """Return the columns of a model, by name."""
        return self.manifest["nodes"][f"model.shop.{model}"]["columns"]

    def compiled(self, text: str) -> list[str]:
        """Return the SQL of the compiled files whose name holds a text."""
        found = sorted((self.folder / "target" / "compiled").rglob(f"*{text}*.sql"))
        return [path.read_text(encoding="utf-8") for path in found]


def read_by_dbt(folder: Path, files: Mapping[str, str]) -> Reading:
    """Let dbt parse and compile generated files, and check that nothing in them was evaluated.

    Raises:
        AssertionError: dbt stopped, the value of a canary stands in what it wrote, or a file
            appeared outside the project.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    project = project_of(folder, files)
    project.environment.update([ENVIRONMENT_CANARY])
    settings = yaml.safe_load((folder / "dbt_project.yml").read_text(encoding="utf-8"))
    settings["vars"].update([VARIABLE_CANARY])
    project.write({"dbt_project.yml": yaml.safe_dump(settings), "macros/c.sql": _CANARY_MACRO})
    before = _outside(folder)
    project.run("parse")
    # Python models ask Spark
    compiled = project.run(
        *("compile", "--no-introspect", "--no-populate-cache"),
        *("--select", *_SELECTED),
    )
    assert _outside(folder) == before
    written = [path for path in _files(folder) if path.parts[len(folder.parts)] != "macros"]
    for name, value in (ENVIRONMENT_CANARY, VARIABLE_CANARY, MACRO_CANARY):
        told = [path for path in written if value.encode() in path.read_bytes()]
        assert told == ([folder / "dbt_project.yml"] if name == VARIABLE_CANARY[0] else []), name
        assert value not in compiled.text
    text = (folder / "target" / "manifest.json").read_text(encoding="utf-8")
    return Reading(folder, json.loads(text))


def _files(folder: Path) -> list[Path]:
    return [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()]


def _outside(folder: Path) -> list[Path]:
    """Return what lies beside a project, and in the folder of this process."""
    beside = [one for one in folder.parent.rglob("*") if not one.is_relative_to(folder)]
    return sorted([*beside, *Path.cwd().glob("*")])
