"""Generated files that dbt cannot read any more: set aside, so that they can be written anew.

dbt reads the whole project before it runs anything, and with it the files that `generate` is about
to replace. A file of ours that was damaged, or that another version wrote, would stop its repair.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from dbt_debezium_spark.generator.changes import COMMENT_SIGNS, MARK, is_generated
from dbt_debezium_spark.generator.dbt_project import DbtError, DbtProject
from dbt_debezium_spark.generator.rendering import Message, Rendering

# What stands in for a file while dbt reads the project: a model of its name without content.
STAND_INS = {
    ".sql": f"{COMMENT_SIGNS[0]}{MARK}\nselect 1 as set_aside\n",
    ".yml": f"{COMMENT_SIGNS[1]}{MARK}\nmodels: []\n",
    ".py": (
        f"{COMMENT_SIGNS[1]}{MARK}\n"
        "def model(dbt, session):\n"
        '    raise RuntimeError("set aside by debezium-spark generate")\n'
    ),
}
LAYERS = ("staging", "state", "current")


class SetAside:
    """Files of one project that stand-ins replace until they are written anew or put back."""

    def __init__(self, project: Path, sources: Collection[str]) -> None:
        """Begin with none.

        Args:
            project: folder of the dbt project.
            sources: the sources that are generated: only their files will be written anew.
        """
        self._project = project
        self._sources = sources
        self._contents: dict[Path, bytes] = {}

    @property
    def paths(self) -> list[str]:
        """Return the files that are set aside, relative to the project."""
        return sorted(path.relative_to(self._project).as_posix() for path in self._contents)

    def take(self, error: DbtError) -> bool:
        """Set aside what an error of dbt names; all files of the sources when it names none.

        Returns:
            Whether there was anything to set aside, so that trying again can help.
        """
        if not error.is_unreadable_project:
            return False
        named = _named(str(error), self._generated_files(every_source=True))
        if named:
            mine = set(self._generated_files())
            taken = [path for path in named if path in mine and path not in self._contents]
        else:
            # dbt does not always say where. What lands and builds the catalog stays.
            kept = (self._project / "models" / "catalog", self._project / "python_models")
            taken = [
                path
                for path in self._generated_files()
                if path not in self._contents and not any(map(path.is_relative_to, kept))
            ]
        for path in taken:
            self._contents[path] = path.read_bytes()
            path.write_text(STAND_INS[path.suffix], encoding="utf-8")
        return bool(taken)

    def put_back(self) -> None:
        """Put back what was not written anew."""
        for path, content in self._contents.items():
            if path.exists() and path.read_text(encoding="utf-8") == STAND_INS[path.suffix]:
                path.write_bytes(content)

    def originals(self) -> dict[str, bytes]:
        """Return the contents set aside, by path relative to the project."""
        return {
            path.relative_to(self._project).as_posix(): content
            for path, content in self._contents.items()
        }

    def _generated_files(self, every_source: bool = False) -> list[Path]:
        return [
            path
            for path in sorted(self._candidates(every_source))
            if path.suffix in STAND_INS and path.is_file() and is_generated(path)
        ]

    def _candidates(self, every_source: bool) -> Iterable[Path]:
        models = self._project / "models"
        raw = self._project / "python_models" / "raw"
        yield from (models / "observability").glob("*")
        for source in ["*"] if every_source else self._sources:
            yield from raw.glob(f"raw_{source}.*")
            for layer in (*LAYERS, "catalog"):
                yield from (models / layer).glob(f"{source}/*")


def render_past_unreadable(
    project: DbtProject, part: str, source: str | None, aside: SetAside
) -> tuple[Rendering, list[Message]]:
    """Render a part, setting aside the generated files that keep dbt from reading the project.

    Returns:
        What was rendered, and a warning that says why files were set aside.

    Raises:
        DbtError: dbt fails for another reason, or because of a file that is not ours to replace.
    """
    messages: list[Message] = []
    while True:
        before = aside.paths
        try:
            return project.render(part, source), messages
        except DbtError as error:
            if not aside.take(error):
                raise
            taken = sorted(set(aside.paths) - set(before))
            shown = ", ".join(taken[:3]) + (f" and {len(taken) - 3} more" if taken[3:] else "")
            text = f"dbt cannot read generated files ({shown}): {error.reason}"
            messages.append(Message("warning", f"{text}. They are rendered anew."))


def _named(text: str, files: Iterable[Path]) -> list[Path]:
    """Return the files that a message names.

    dbt writes paths from the project's folder on, or from the models' folder on.
    """
    return [path for path in files if "/".join(path.parts[-2:]) in text]
