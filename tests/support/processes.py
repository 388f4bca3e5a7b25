"""A dbt project whose commands are processes of their own, which tests stop, resume and kill."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.support.paths import PROFILES
from tests.support.programs import DBT


class ProjectOfProcesses:
    """A project in a folder; each command has artifacts, logs and output of its own."""

    def __init__(self, folder: Path, target: str, environment: Mapping[str, str]) -> None:
        self.folder, self.target = folder, target
        self.environment = {**environment, "DEBEZIUM_SPARK_TARGET": target}

    def write(self, files: Mapping[str, str], settings: Mapping[str, Any]) -> None:
        """Write files, by path, and dbt_project.yml with these settings."""
        own = {
            "name": "runs",
            "version": "0.1.0",
            "config-version": 2,
            "profile": "debezium_spark",
            "models": {"+file_format": self.target},
        }
        for name, text in {**files, "dbt_project.yml": yaml.safe_dump({**own, **settings})}.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text, encoding="utf-8")

    def start(
        self, name: str, *arguments: str, program: Path = DBT, profiles: Path = PROFILES
    ) -> subprocess.Popen[bytes]:
        """Start dbt, or another program that knows its projects, as the leader of a group."""
        environment = self.environment | {
            "DBT_TARGET_PATH": str(self.folder / f"target_{name}"),
            "DBT_LOG_PATH": str(self.folder / f"logs_{name}"),
            "DBT_USE_COLORS": "false",
        }
        with (self.folder / f"{name}.out").open("wb") as output:
            return subprocess.Popen(
                [program, *arguments, "--profiles-dir", profiles],
                cwd=self.folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def output(self, name: str) -> str:
        """Return what a command printed."""
        return (self.folder / f"{name}.out").read_text(errors="replace")

    def run(self, name: str, *arguments: str, **further: Path) -> str:
        """Run a command alone, which must succeed."""
        assert self.start(name, *arguments, **further).wait(900) == 0, self.output(name)
        return self.output(name)


def signalled(process: subprocess.Popen[bytes], number: int = signal.SIGKILL) -> None:
    """Send a signal to a command and to its Spark."""
    if process.poll() is None:
        os.killpg(process.pid, number)
