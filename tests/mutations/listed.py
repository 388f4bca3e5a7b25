"""The list of mutations, `mutations.yml`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, TemplateSyntaxError
from ruamel.yaml import YAML

REPOSITORY = Path(__file__).resolve().parents[2]
LIST = Path(__file__).with_name("mutations.yml")
AREAS = (
    "staging",
    "positions",
    "decoding",
    "fold",
    "truncates",
    "placeholders",
    "key-changes",
    "closing",
    "keyless",
    "transactions",
    "documents",
    "history",
    "feed",
    "landing",
    "catalog",
    "generator",
    "configuration",
    "damaged",
)
_JINJA = Environment(extensions=["jinja2.ext.do"])


class WrongList(ValueError):
    """A mutation that cannot be what it says; the text is for people."""


@dataclass(frozen=True)
class Mutation:
    """One rule of the product, changed.

    Attributes:
        name: what the changed product does, in words with dashes between.
        area: part of the product, one of `AREAS`.
        file: path from the root of the clone.
        find: text that stands exactly once in that file.
        replace: text that takes its place.
        shows: which input tells the two apart.
        tests: what should notice: paths and ids as pytest takes them, or `-k <expression>`.
        killed_by: the test that noticed last, None before the first run.
    """

    name: str
    area: str
    file: str
    find: str
    replace: str
    shows: str
    tests: tuple[str, ...]
    killed_by: str | None = None

    def applied_to(self, text: str) -> str:
        """Return the changed text of its file.

        Raises:
            WrongList: the text to change is not there exactly once, or what results is no code.
        """
        count = text.count(self.find)
        if count != 1:
            raise WrongList(f"`find` stands {count} times in {self.file}")
        changed = text.replace(self.find, self.replace)
        if changed == text:
            raise WrongList("`replace` changes nothing")
        if _is_code(self.file, text) and not _is_code(self.file, changed):
            raise WrongList(f"{self.file} would be no code any more")
        return changed


def read_list(path: Path = LIST) -> list[Mutation]:
    """Return the mutations in the order in which they are listed."""
    return [_read(entry) for entry in _yaml().load(path)]


def selected(
    mutations: Iterable[Mutation],
    names: Sequence[str] = (),
    areas: Sequence[str] = (),
    under: str | None = None,
) -> list[Mutation]:
    """Return the mutations that a call asks for.

    Args:
        mutations: all of them.
        names: names, or patterns of them; none: all.
        areas: none: all.
        under: only those all of whose tests begin with this path.
    """
    return [
        one
        for one in mutations
        if (not names or any(fnmatchcase(one.name, name) for name in names))
        and (not areas or one.area in areas)
        and (under is None or all(test.startswith(under) for test in one.tests))
    ]


def write_killers(killers: Mapping[str, str | None], path: Path = LIST) -> None:
    """Write down which test noticed, and keep the rest of the list as it is.

    Args:
        killers: test by name of the mutation; None: no test did.
        path: the list.
    """
    yaml = _yaml()
    entries = yaml.load(path)
    for entry in entries:
        if entry["name"] not in killers:
            continue
        killer = killers[entry["name"]]
        if killer is None:
            entry.pop("killed_by", None)
        elif "killed_by" in entry:
            entry["killed_by"] = killer
        else:
            entry.insert(list(entry).index("tests") + 1, "killed_by", killer)
    yaml.dump(entries, path)


def _read(entry: Mapping[str, Any]) -> Mutation:
    texts = {name: str(value) for name, value in entry.items() if name != "tests"}
    return Mutation(tests=tuple(str(test) for test in entry["tests"]), **texts)


@cache
def _is_code(file: str, text: str) -> bool:
    """Tell whether a text can be read at all: as Python, or as a macro."""
    try:
        ast.parse(text) if file.endswith(".py") else _JINJA.parse(text)
    except (SyntaxError, TemplateSyntaxError):
        return False
    return True


def _yaml() -> YAML:
    yaml = YAML()
    yaml.preserve_quotes = True
    yaml.width = 4096
    return yaml
