"""A project that `debezium-spark init` made, worked on as its owner would: in it, without flags."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from typer.testing import CliRunner

from dbt_debezium_spark.cli import app
from dev.demo.truth import Comparison
from dev.live.project import Project
from dev.recorder.tables import SOURCE_OPTIONS
from tests.support.project import DbtResult, newest_files, run_dbt

SCHEMA = "debezium"


class OwnedProject(Project):
    """A project in which its owner runs dbt in this process."""

    def dbt(self, *arguments: str) -> DbtResult:
        """Run dbt in this process; it must succeed."""
        result = self.try_dbt(*arguments)
        assert result.success, result.text
        return result

    def try_dbt(self, *arguments: str) -> DbtResult:
        """Run dbt in this process."""
        with self.inside():
            return run_dbt(*arguments)


class Shop(OwnedProject):
    """The project `shop` beside the folder `landing`, from which it reads its records."""

    def __init__(self, home: Path) -> None:
        """Expect both folders in `home`."""
        super().__init__(home / "shop")
        self.landing = home / "landing"
        self.landing.mkdir()

    def land(self, parts: Sequence[Path]) -> None:
        """Put record files where the project looks for them."""
        for part in parts:
            shutil.copyfile(part, self.landing / part.name)

    def configure(self, **options: Any) -> None:
        """Write what the records cannot tell, and further options, into the source's block."""
        self.set_options("shop", {**SOURCE_OPTIONS, **options})

    def init(self) -> None:
        """Make the project."""
        arguments = ("init", "shop", "--source", "shop", "--connector", "postgresql")
        self.command(*arguments, "--input", self.landing.name, folder=self.path.parent)

    def command(self, *arguments: str, code: int = 0, folder: Path | None = None) -> str:
        """Run `debezium-spark` in this process; it must end with `code`. Returns its output."""
        with self.inside(folder):
            result = CliRunner().invoke(app, list(arguments))
        output = click.unstyle(result.output)
        assert result.exit_code == code, f"{output}\n{result.exception!r}"
        return output

    def compare(self, folder: Path) -> list[Comparison]:
        """Hold every current table against the `truth` in a folder."""
        return self.compare_with("shop", folder)

    def versions(self) -> dict[str, str]:
        """Return what any commit to any table changes."""
        return newest_files(self.spark(), SCHEMA)


def differences(comparisons: Sequence[Comparison]) -> str:
    """Return what differs, for a person; empty when nothing does."""
    return "\n".join(
        f"{one.table}: {kind} {row[:300]}"
        for one in comparisons
        for kind, rows in (("missing", one.missing), ("unexpected", one.unexpected))
        for row in rows[:5]
    )
