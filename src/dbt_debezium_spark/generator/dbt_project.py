"""Run dbt on one project, in this process."""

from __future__ import annotations

import json
import os
import re
from functools import cached_property
from pathlib import Path
from typing import Any

from dbt_debezium_spark.generator.project_files import (
    EVENT_PREFIX,
    FOLDER_VAR,
    MARK,
    Layout,
    Rendering,
    folder_problem,
    is_generated,
    read_events,
)
from dbt_debezium_spark.spark.session import needing_spark

GENERATE_MACRO = "debezium_spark.generate"
# For hundreds of models, manifest.json and the graph have many megabytes, which nothing reads here.
# The rendered files, which are events, would displace everything else in dbt.log.
QUICK = ("--quiet", "--no-write-json", "--log-level-file=info")


class DbtError(RuntimeError):
    """A dbt command failed; dbt has printed its own messages."""


class DbtProject:
    """A dbt project on this machine.

    Spark starts while dbt parses the project, which it does once and not for each command, until
    `reload`.
    """

    def __init__(
        self,
        project_dir: str | Path,
        *,
        profiles_dir: str | Path | None = None,
        target: str | None = None,
    ) -> None:
        """Find the project.

        Args:
            project_dir: folder with dbt_project.yml.
            profiles_dir: folder with profiles.yml; by default the project's `profiles.yml` or
                `profiles/profiles.yml`, else dbt's default.
            target: target of the profile; by default the profile's own.

        Raises:
            DbtError: there is no dbt_project.yml.
        """
        self.path = Path(project_dir).resolve()
        if not (self.path / "dbt_project.yml").is_file():
            raise DbtError(
                f"debezium_spark: no dbt project in {self.path} (no dbt_project.yml). Go to the"
                " project's folder or add --project-dir; `debezium-spark init` creates a project."
            )
        self._target = target
        self._profiles_dir = Path(profiles_dir) if profiles_dir else self._own_profiles_dir()
        self._manifest: Any = None

    def reload(self) -> None:
        """Parse the project again before the next command, because its files have changed."""
        self._manifest = None

    def run(self, *arguments: str) -> None:
        """Run a dbt command, which prints its progress.

        Raises:
            DbtError: the command failed.
        """
        self._invoke(list(arguments))

    def render(self, part: str, source: str | None) -> Rendering:
        """Render all generated files with one run of the macro.

        Args:
            part: `source` or `tables`, as in macro `generate`.
            source: one source only; None for all.

        Raises:
            DbtError: the project cannot be read, or the catalog cannot be queried.
        """
        arguments = {"part": part, "source": source, "output": "events"}
        events = self.events_of(GENERATE_MACRO, arguments, EVENT_PREFIX)
        return read_events(EVENT_PREFIX + event for event in events)

    def events_of(self, macro: str, arguments: dict[str, Any], prefix: str) -> list[str]:
        """Run a macro, and return the texts that it logs with a prefix.

        Raises:
            DbtError: the project cannot be read, or the macro failed.
        """
        events: list[str] = []

        def collect(event: Any) -> None:
            message = getattr(event.data, "msg", "")
            if isinstance(message, str) and message.startswith(prefix):
                events.append(message.removeprefix(prefix))

        command = ["run-operation", macro, "--args", json.dumps(arguments)]
        self._invoke([*QUICK, *command], collect)
        return events

    def answer_of(
        self,
        macro: str,
        arguments: dict[str, Any],
        prefix: str,
        error: type[ValueError],
    ) -> dict[str, Any]:
        """Run a macro, and return the mapping that it logs as JSON with a prefix.

        Raises:
            ValueError: of the type `error`; the mapping has `problem` and `remedy` instead.
            DbtError: the project cannot be read, or the macro failed.
        """
        for event in self.events_of(macro, arguments, prefix):
            answer: dict[str, Any] = json.loads(event)
            if "problem" in answer:
                raise error(f"debezium_spark: {answer['problem']} {answer['remedy']}")
            return answer
        raise error(f"debezium_spark: macro {macro} said nothing. Install the package again.")

    def sources(self) -> dict[str, Any]:
        """Return the var `debezium_sources`.

        Raises:
            DbtError: a file is not YAML.
        """
        return dict(self._var("debezium_sources") or {})

    @cached_property
    def layout(self) -> Layout:
        """Where generated files lie, as the var `debezium_folder` says.

        Raises:
            DbtError: a file is not YAML, or dbt reads no models in the folder.
        """
        folder = self._var(FOLDER_VAR)
        model_paths = self._yaml("dbt_project.yml").get("model-paths") or ["models"]
        problem = None if folder is None else folder_problem(folder, model_paths)
        if problem:
            raise DbtError(f"{problem} Its var is `{FOLDER_VAR}` in dbt_project.yml.")
        return Layout(folder)

    def _var(self, name: str) -> Any:
        """Return a var of dbt_project.yml, or of vars.yml, which dbt 1.12 has."""
        project = self._yaml("dbt_project.yml")
        variables = project.get("vars") or self._yaml("vars.yml").get("vars") or {}
        scoped = variables.get(project.get("name")) or {}
        return scoped.get(name, variables.get(name))

    def _yaml(self, name: str) -> dict[str, Any]:
        from ruamel.yaml import YAML
        from ruamel.yaml.error import YAMLError

        file = self.path / name
        if not file.is_file():
            return {}
        try:
            return YAML(typ="safe").load(file.read_text(encoding="utf-8")) or {}
        except YAMLError as error:
            raise DbtError(f"debezium_spark: {name} cannot be read: {error}") from error

    def _own_profiles_dir(self) -> Path | None:
        if os.environ.get("DBT_PROFILES_DIR"):
            return None
        for candidate in (self.path, self.path / "profiles"):
            if (candidate / "profiles.yml").is_file():
                return candidate
        return None

    def _invoke(self, arguments: list[str], callback: Any = None) -> None:
        if self._manifest is None:
            with needing_spark():
                self._manifest = self._call([*QUICK, "parse"])
        self._call(arguments, callback)

    def _call(self, arguments: list[str], callback: Any = None) -> Any:
        from dbt.cli.main import dbtRunner
        from dbt.exceptions import ParsingError
        from dbt_common.exceptions import CompilationError

        options = ["--project-dir", str(self.path)]
        if self._profiles_dir is not None:
            options += ["--profiles-dir", str(self._profiles_dir.resolve())]
        if self._target is not None:
            options += ["--target", self._target]
        working_dir = Path.cwd()
        try:
            runner = dbtRunner(self._manifest, [callback] if callback else [])
            result = runner.invoke([*arguments, *options])
        finally:
            # dbt changes the working directory to the project.
            os.chdir(working_dir)
        if result.success:
            return result.result
        reason = f": {result.exception}" if result.exception else ""
        command = next(argument for argument in arguments if not argument.startswith("-"))
        is_of_a_file = isinstance(
            result.exception, CompilationError | ParsingError | UnicodeDecodeError
        )
        # errors of this package's macros, such as those of the configuration, name their remedy
        if command == "parse" and is_of_a_file and "debezium_spark: " not in reason:
            raise DbtError(self._unreadable(str(result.exception))) from result.exception
        raise DbtError(f"debezium_spark: `dbt {command}` failed{reason}") from result.exception

    def _unreadable(self, reason: str) -> str:
        """Return the message about a file that dbt cannot read."""
        paths = self._yaml("dbt_project.yml").get("model-paths") or ["models"]
        files = {
            path: path.relative_to(self.path / folder).as_posix()
            for folder in paths
            for path in sorted((self.path / folder).rglob("*"))
            if path.suffix in (".sql", ".yml", ".yaml", ".py")
        }
        # dbt writes paths relative to the project's folder or to that of the models
        named = [
            path
            for path, name in files.items()
            if re.search(rf"(?<![\w.-]){re.escape(name)}", reason)
        ]
        bad = max(named, key=lambda path: len(files[path]), default=None)
        bad = bad or next((path for path in files if not _is_utf8(path)), None)
        what = bad.relative_to(self.path).as_posix() if bad else "the project"
        text = f"debezium_spark: dbt cannot read {what}: {' '.join(reason.split())}."
        if bad is None or not is_generated(bad):
            return f"{text} Correct it, and run `debezium-spark generate` again."
        return (
            f"{text} It is a generated file: restore it from version control. Without one, delete"
            f" all generated files and run `debezium-spark generate`, which writes them again:"
            f" grep -rlE '^(--|#) {MARK}' {' '.join(paths)} | xargs rm"
        )


def _is_utf8(path: Path) -> bool:
    try:
        path.read_bytes().decode()
    except UnicodeDecodeError:
        return False
    return True
