"""`python -m dev.house`: how large this project is, and how far one reads to follow one run of it.

| figure                   | counted as                                                          |
|--------------------------|---------------------------------------------------------------------|
| lines, files             | of `git ls-files`                                                   |
| the core                 | src and macros without the folders of `EXTENSIONS`                  |
| macros reached           | by calls from macro to macro, of this package                       |
| macro lines that compute | of macros that `return` a value, and of statements of several lines |
| methods of the adapter   | that macros call                                                    |
"""

from __future__ import annotations

import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import typer

from tests.support.paths import REPOSITORY

# Folders that the core does not need, see docs/CONTRIBUTING.md.
EXTENSIONS = ("inputs", "history", "mongodb", "explain", "verify", "status", "lost")
# What dbt calls for a table of a relational source: its models, how they are written, their tests.
OF_ONE_RUN = (
    "staging", "state", "current", "materialization_debezium_append_spark",
    "materialization_debezium_merge_spark", "materialization_debezium_view_spark",
)  # fmt: skip
_COMMENT = re.compile(r"\{#.*?#\}", re.S)
_DEFINITION = re.compile(r"\{%-?\s*(macro|test|materialization)\s+(\w+)(.*?)\{%-?\s*end\1", re.S)
_CALL = re.compile(r"debezium_spark\.(\w+)\s*\(|dispatch\(\s*'(\w+)'")
_STATEMENT = re.compile(r"\{%.*?%\}|\{\{.*?\}\}", re.S)
_METHOD = re.compile(r"adapter\.(debezium\w*)")


@dataclass(frozen=True)
class Macro:
    """A macro of the package: where it is, what it calls, its text without comments."""

    name: str
    file: Path
    text: str

    @property
    def calls(self) -> set[str]:
        """Names of the macros that it calls."""
        return {one or other for one, other in _CALL.findall(self.text)}

    @property
    def lines(self) -> int:
        """Lines that are not blank."""
        return sum(1 for line in self.text.splitlines() if line.strip())

    @property
    def computing_lines(self) -> int:
        """Lines that are no template: all of a macro that returns, and long statements."""
        if "return(" in self.text:
            return self.lines
        long = (one.count("\n") + 1 for one in _STATEMENT.findall(self.text) if "\n" in one)
        return min(sum(long), self.lines)


def tracked(*folders: str) -> list[Path]:
    """Return the files that git knows in some folders; without one, all."""
    names = subprocess.run(
        ["git", "ls-files", *folders], cwd=REPOSITORY, check=True, capture_output=True, text=True
    )
    return [REPOSITORY / name for name in names.stdout.splitlines()]


def lines_of(files: Iterable[Path]) -> int:
    """Return the number of lines in some files."""
    return sum(file.read_bytes().count(b"\n") for file in files)


def macros() -> dict[str, Macro]:
    """Return the package's macros by name; one that can be overridden has its default's text."""
    found = {}
    for file in tracked("macros"):
        if file.suffix == ".sql":
            for kind, name, text in _DEFINITION.findall(_COMMENT.sub("", file.read_text())):
                full = f"{kind}_{name}_spark" if kind == "materialization" else name
                found[full] = Macro(full, file, text)
    return found


def reached(all_macros: dict[str, Macro], roots: Iterable[str]) -> set[str]:
    """Return the names of the macros that some macros lead to, themselves included."""
    seen: set[str] = set()
    new = [name for name in roots if name in all_macros]
    while new:
        name = new.pop()
        if name not in seen:
            seen.add(name)
            called = all_macros[name].calls
            new += [
                one for one in {*called, *(f"default__{c}" for c in called)} if one in all_macros
            ]
    return seen


def figures() -> Iterator[tuple[str, str]]:
    """Yield each figure with its name."""
    product = tracked("src", "macros")
    core = [file for file in product if not _is_extension(file)]
    yield "lines of src and macros", f"{lines_of(product):,}"
    yield "… of the core", f"{lines_of(core):,}"
    for folder in ("src", "macros", "tests", "reference", "dev"):
        files = tracked(folder)
        yield f"lines of {folder}", f"{lines_of(files):,} in {len(files)} files"
    docs = tracked("docs")
    yield "bytes of docs", f"{sum(len(file.read_bytes()) for file in docs):,}"
    yield "files", f"{len(tracked()):,}"
    found = macros()
    for what, roots in (("one run of one table", OF_ONE_RUN), ("generate", ("generate",))):
        names = reached(found, roots)
        files = {found[name].file for name in names}
        yield f"macros reached by {what}", f"{len(names)} in {len(files)} files"
    total = sum(one.lines for one in found.values())
    computing = sum(one.computing_lines for one in found.values())
    yield "macros", f"{len(found)} with {total:,} lines"
    yield "macro lines that compute", f"{computing:,}, {100 * computing / total:.0f} %"
    methods = {name for one in found.values() for name in _METHOD.findall(one.text)}
    yield "methods of the adapter", ", ".join(sorted(methods))


def by_folder() -> dict[str, int]:
    """Return the lines of each folder of src and macros."""
    lines: dict[str, int] = defaultdict(int)
    for file in tracked("src", "macros"):
        parts = file.relative_to(REPOSITORY).parts
        depth = 3 if parts[0] == "src" else 2
        lines["/".join(parts[: min(depth, len(parts) - 1)])] += lines_of([file])
    return dict(sorted(lines.items(), key=lambda item: -item[1]))


def _is_extension(file: Path) -> bool:
    return bool({*EXTENSIONS} & {*file.relative_to(REPOSITORY).parts})


def main(folders: bool = typer.Option(False, "--folders", help="Also lines by folder.")) -> None:
    """Print the figures."""
    for name, value in figures():
        typer.echo(f"{name:32} {value}")
    for name, lines in by_folder().items() if folders else ():
        typer.echo(f"  {lines:6,}  {name}")


if __name__ == "__main__":
    typer.run(main)
