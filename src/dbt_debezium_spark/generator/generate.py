"""The command `generate`: land, build the catalog, render, and write the difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from dbt_debezium_spark.generator.changes import (
    Change,
    FileChange,
    apply_changes,
    plan_changes,
)
from dbt_debezium_spark.generator.dbt_project import DbtProject
from dbt_debezium_spark.generator.rendering import GeneratedFile, Message
from dbt_debezium_spark.generator.unreadable_files import ReplacedFiles, render_replacing_unreadable


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
    replaced = ReplacedFiles(project, sources)
    try:
        return _generate(project, replaced, sources, source, select, check, build)
    finally:
        replaced.restore()


def _generate(
    project: DbtProject,
    replaced: ReplacedFiles,
    sources: Sequence[str],
    source: str | None,
    select: Sequence[str],
    check: bool,
    build: bool,
) -> Generation:
    generation = Generation()
    rendered, warnings = render_replacing_unreadable(project, "source", source, replaced)
    generation.messages += warnings
    _compare(project, generation, rendered.files, check, replaced)
    if check and any(change.change is Change.CREATED for change in generation.changes):
        # dbt does not know the models yet, so nothing can be built.
        generation.messages.append(
            Message("note", "the models of a source are missing: run `debezium-spark generate`.")
        )
        return generation
    if check and not {change.path for change in generation.changes}.isdisjoint(replaced.paths):
        generation.messages.append(
            Message("problem", "the catalog cannot be built: run `debezium-spark generate`.")
        )
        return generation
    if build:
        project.run("run", "--select", *_catalog_models(sources))

    rendered = project.render("tables", source)
    messages = rendered.messages
    if select:
        rendered = rendered.narrowed(select)
        messages = rendered.messages
        if not rendered.tables:
            patterns = " ".join(select)
            messages.append(Message("warning", f"no table matches --select {patterns}."))
    generation.messages += messages
    generation.tables = len(rendered.tables)
    # A catalog without tables means that no records have landed, not that tables were removed.
    with_tables = {name for name, _ in rendered.tables}
    _compare(
        project,
        generation,
        rendered.files,
        check,
        replaced,
        clean_sources=[] if select else [name for name in sources if name in with_tables],
        kept=rendered.kept,
    )
    generation.changes.sort(key=lambda one: one.path)
    return generation


def _compare(
    project: DbtProject,
    generation: Generation,
    files: Sequence[GeneratedFile],
    check: bool,
    replaced: ReplacedFiles,
    clean_sources: Sequence[str] = (),
    kept: Sequence[str] = (),
) -> None:
    changes = plan_changes(
        project.path, files, clean_sources, replaced.originals(), kept, project.layout
    )
    if not check and any(change.is_drift for change in changes):
        apply_changes(project.path, changes)
        project.reload()
    generation.changes += changes


def _catalog_models(sources: Sequence[str]) -> list[str]:
    models = []
    for source in sources:
        catalog = [f"catalog_{source}__{one}" for one in ("schemas", "columns", "disagreements")]
        models += [f"raw_{source}", *catalog]
    return models
