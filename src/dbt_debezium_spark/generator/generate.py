"""The command `generate`: land, build the catalog, render, and write the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dbt_debezium_spark.generator.dbt_project import DbtProject
from dbt_debezium_spark.generator.project_files import (
    Change,
    FileChange,
    Message,
    Rendering,
    apply_changes,
    plan_changes,
)


@dataclass
class Generation:
    """The result of `generate`, or with `check` its expected result."""

    changes: list[FileChange] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    tables: int = 0

    @property
    def has_drift(self) -> bool:
        """Return whether a file in the project differs from the generated one."""
        return any(change.is_drift for change in self.changes)

    @property
    def has_problems(self) -> bool:
        """Return whether a table was refused."""
        return any(message.kind == "problem" for message in self.messages)


def generate(
    project: DbtProject,
    *,
    sources: Sequence[str],
    source: str | None = None,
    select: Sequence[str] = (),
    check: bool = False,
    build: bool = True,
) -> Generation:
    """Update a project's generated files from its records.

    Args:
        project: the dbt project.
        sources: all sources to generate.
        source: the selected source; None for all.
        select: shell globs over table names (`public.*`); empty for all tables.
        check: only compare; no file is written.
        build: land new records and build the catalog first.

    Raises:
        DbtError: a dbt command failed.
    """
    generation = Generation()
    _compare(project, generation, project.render("source", source), check)
    if check and any(change.change is Change.CREATED for change in generation.changes):
        # dbt does not know the models yet, so nothing can be built.
        generation.messages.append(
            Message("note", "the models of a source are missing: run `debezium-spark generate`.")
        )
        return generation
    if build:
        project.run("--no-write-json", "run", "--select", *_catalog_models(sources))

    rendered = project.render("tables", source)
    if select:
        rendered = rendered.narrowed(select)
        if not rendered.tables:
            patterns = " ".join(select)
            rendered.messages.append(Message("warning", f"no table matches --select {patterns}."))
    generation.messages += rendered.messages
    generation.tables = len(rendered.tables)
    # A catalog without tables means that no records have landed, not that tables were removed.
    with_tables = {name for name, _ in rendered.tables}
    complete = [] if select else [name for name in sources if name in with_tables]
    _compare(project, generation, rendered, check, complete)
    generation.changes.sort(key=lambda change: change.path)
    return generation


def _compare(
    project: DbtProject,
    generation: Generation,
    rendered: Rendering,
    check: bool,
    clean_sources: Sequence[str] = (),
) -> None:
    changes = plan_changes(
        project.path, rendered.files, clean_sources, rendered.kept, project.layout
    )
    if not check and any(change.is_drift for change in changes):
        apply_changes(project.path, changes)
        project.reload()
    generation.changes += changes


def _catalog_models(sources: Sequence[str]) -> list[str]:
    models = []
    for source in sources:
        catalog = [f"catalog_{source}__{part}" for part in ("schemas", "columns", "disagreements")]
        models += [f"raw_{source}", *catalog]
    return models
