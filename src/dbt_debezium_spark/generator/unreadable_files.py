"""Generated files that dbt cannot read: stand-ins replace them until they are written again.

dbt reads the whole project before it runs anything, including the files that `generate` is about to
replace. A damaged file, or one of another version, would prevent its own repair.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from dbt_debezium_spark.generator.changes import COMMENT_SIGNS, MARK, is_generated
from dbt_debezium_spark.generator.dbt_project import DbtError, DbtProject
from dbt_debezium_spark.generator.rendering import Message, Rendering

# Stand-ins for files while dbt reads the project: models of the same name without content.
STAND_INS = {
    ".sql": f"{COMMENT_SIGNS[0]}{MARK}\nselect 1 as set_aside\n",
    ".yml": f"{COMMENT_SIGNS[1]}{MARK}\nmodels: []\n",
    ".py": (
        f"{COMMENT_SIGNS[1]}{MARK}\n"
        "def model(dbt, session):\n"
        '    raise RuntimeError("set aside by debezium-spark generate")\n'
    ),
}
# dbt names one model of the group, but all of them name the group.
_OF_MANY = "Invalid group"


class ReplacedFiles:
    """Files of a project that stand-ins replace until they are written again or restored."""

    def __init__(self, project: DbtProject, sources: Collection[str]) -> None:
        """Create an empty set.

        Args:
            project: the dbt project.
            sources: the sources that are generated; only their files will be written again.
        """
        self._project = project
        self._sources = sources
        self._contents: dict[Path, bytes] = {}

    @property
    def paths(self) -> list[str]:
        """Return the replaced files, relative to the project."""
        return sorted(path.relative_to(self._project.path).as_posix() for path in self._contents)

    def replace(self, error: DbtError) -> bool:
        """Replace the files that a dbt error names, or all files of the sources if it names none.

        Returns:
            Whether a file was replaced, so that a retry can succeed.
        """
        if not error.is_unreadable_project:
            return False
        named = _named_files(str(error), self._generated_files(every_source=True))
        if _OF_MANY in str(error):
            named = []
        if named:
            mine = set(self._generated_files())
            files = [path for path in named if path in mine and path not in self._contents]
        else:
            # The message does not always name a file. Models that land and build the catalog stay.
            base = {
                path
                for source in self._sources
                for path in self._project.layout.base_files(self._project.path, source)
            }
            files = [
                path
                for path in self._generated_files()
                if path not in self._contents and path not in base
            ]
        for path in files:
            self._contents[path] = path.read_bytes()
            path.write_text(STAND_INS[path.suffix], encoding="utf-8")
        return bool(files)

    def restore(self) -> None:
        """Restore the files that were not written again."""
        for path, content in self._contents.items():
            if path.exists() and path.read_text(encoding="utf-8") == STAND_INS[path.suffix]:
                path.write_bytes(content)

    def originals(self) -> dict[str, bytes]:
        """Return the original contents by path, relative to the project."""
        return {
            path.relative_to(self._project.path).as_posix(): content
            for path, content in self._contents.items()
        }

    def _generated_files(self, every_source: bool = False) -> list[Path]:
        return [
            path
            for path in sorted(self._candidates(every_source))
            if path.suffix in STAND_INS and is_generated(path)
        ]

    def _candidates(self, every_source: bool) -> Iterable[Path]:
        layout = self._project.layout
        yield from layout.observability_files(self._project.path)
        for source in ["*"] if every_source else self._sources:
            yield from layout.base_files(self._project.path, source)
            yield from layout.table_files(self._project.path, source)


def render_replacing_unreadable(
    project: DbtProject, part: str, source: str | None, replaced: ReplacedFiles
) -> tuple[Rendering, list[Message]]:
    """Render a part, and replace generated files that dbt cannot read.

    Returns:
        The rendering, and a warning with the reason for each replacement.

    Raises:
        DbtError: dbt fails for another reason, or because of a file that is not generated.
    """
    messages: list[Message] = []
    while True:
        before = replaced.paths
        try:
            return project.render(part, source), messages
        except DbtError as error:
            if not replaced.replace(error):
                raise
            files = sorted(set(replaced.paths) - set(before))
            names = ", ".join(files[:3]) + (f" and {len(files) - 3} more" if files[3:] else "")
            text = f"dbt cannot read generated files ({names}): {error.reason}"
            messages.append(Message("warning", f"{text}. They are rendered again."))


def _named_files(text: str, files: Iterable[Path]) -> list[Path]:
    """Return the files that a message names.

    dbt writes paths relative to the project's folder or to the models' folder.
    """
    return [path for path in files if "/".join(path.parts[-2:]) in text]
