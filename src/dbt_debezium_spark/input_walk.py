"""What lies in an input folder of this machine, without being led out of it.

Whoever may put a file into the folder may put a link there: followed, it would show the lines of
any file that this user may read. Spark follows links, round in circles too, waits for ever at a
pipe, and leaves out names that are not UTF-8 without a word. So the folder is looked through here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from dbt_debezium_spark.literals import printable

GLOB = re.compile(r"[*?\[{]")
LEAVES = "it is a link that leaves the input folder; put the file itself there"
NOWHERE = "it is a link that leads to nothing"
NOT_UTF8 = "its name is not UTF-8; rename it"
NO_FILE = "it is neither a file nor a folder"
# As Spark leaves out: `_SUCCESS`, checksums, files that are still being copied.
_COPYING = "._COPYING_"


@dataclass(frozen=True)
class Refused:
    r"""A name in the folder that is not read.

    Attributes:
        path: as text: `\xNN` for a byte that is not UTF-8.
        why: the reason, after which a person can act.
        size: of the link or file itself.
        modified_at: likewise.
    """

    path: str
    why: str
    size: int
    modified_at: datetime


@dataclass
class Walk:
    """What was found.

    Attributes:
        files: paths of the files to read, sorted.
        refused: what is not to be read.
        has_links: whether some link was met: what Spark lists itself may be more than `files`.
    """

    files: list[str] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    has_links: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether Spark's own listing of the place finds `files` and nothing else."""
        return not self.refused and not self.has_links


def walk(location: str) -> Walk:
    """Look through a folder, or through what a glob of Spark's matches, at any depth.

    A link is followed when it leads to a place inside the folder. No folder is looked through
    twice, so links that go round in a circle end. The folder itself may be a link.

    Args:
        location: folder, file or glob; the folder of a glob is the one above its first wildcard.

    Returns:
        Nothing at all for a place that does not exist.
    """
    top = static_parent(location)
    found = Walk()
    if os.path.isfile(top):
        found.files.append(top)
    if not os.path.isdir(top):
        return found
    root = os.path.realpath(top)
    matches = _matcher(location)
    seen: set[str] = set()
    links: list[str] = []
    _look_through(top, found, seen, links, matches)
    # After all that is there without them: a file is called by its own name, not by a link's.
    while links:
        path = links.pop(0)
        real = os.path.realpath(path)
        if os.path.commonpath([root, real]) != root:
            _refuse(found, path, LEAVES, matches)
        elif os.path.isdir(real):
            if real not in seen:
                _look_through(path, found, seen, links, matches)
        elif os.path.isfile(real):
            if matches(path):
                found.files.append(path)
        else:
            _refuse(found, path, NO_FILE if os.path.exists(real) else NOWHERE, matches)
    found.files.sort()
    return found


def static_parent(location: str) -> str:
    """Return the path itself, or the folder above its first wildcard."""
    wildcard = GLOB.search(location)
    return os.path.dirname(location[: wildcard.start()]) or os.curdir if wildcard else location


def printable_path(path: str) -> str:
    """Return a path as text that every column and terminal takes."""
    return printable(os.fsencode(path).decode("utf-8", errors="backslashreplace"))


def _look_through(
    top: str,
    found: Walk,
    seen: set[str],
    links: list[str],
    matches: Callable[[str], bool],
) -> None:
    folders = [top]
    while folders:
        folder = folders.pop()
        seen.add(os.path.realpath(folder))
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            _refuse(found, folder, f"it cannot be looked through: {error.strerror}", matches)
            continue
        for entry in entries:
            if _is_hidden(entry.name):
                continue
            if not _is_utf8(entry.name):
                _refuse(found, entry.path, NOT_UTF8, matches)
            elif entry.is_symlink():
                found.has_links = True
                links.append(entry.path)
            elif entry.is_dir():
                folders.append(entry.path)
            elif not entry.is_file():
                _refuse(found, entry.path, NO_FILE, matches)
            elif matches(entry.path):
                found.files.append(entry.path)


def _refuse(found: Walk, path: str, why: str, matches: Callable[[str], bool]) -> None:
    if matches(path):
        try:
            state = os.lstat(path)
        except FileNotFoundError:  # taken away meanwhile
            return
        modified = datetime.fromtimestamp(int(state.st_mtime), UTC)
        found.refused.append(Refused(printable_path(path), why, state.st_size, modified))


def _is_hidden(name: str) -> bool:
    return (
        name.startswith(".")
        or (name.startswith("_") and "=" not in name)
        or name.endswith(_COPYING)
    )


def _is_utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _matcher(location: str) -> Callable[[str], bool]:
    """Return whether a path, or a folder that it lies in, matches a glob; all do without one."""
    if not GLOB.search(location):
        return lambda path: True
    try:
        wanted = re.compile(_expression(location), re.DOTALL)
    except re.error:  # Spark says what is wrong with it
        return lambda path: True
    depth = location.count("/") + (0 if os.path.dirname(location) else 1)

    def matches(path: str) -> bool:
        parts = path.split("/")
        return any(wanted.fullmatch("/".join(parts[:end])) for end in range(depth, len(parts) + 1))

    return matches


def _expression(glob: str) -> str:
    """Return a glob of Hadoop's, with `*`, `?`, `[a-z]`, `[^a]`, `{a,b}`, as an expression."""
    written = "" if os.path.dirname(glob) else re.escape(f"{os.curdir}/")
    at, braces = 0, 0
    while at < len(glob):
        one = glob[at]
        if one == "\\" and at + 1 < len(glob):
            at += 1
            written += re.escape(glob[at])
        elif one == "*":
            written += "[^/]*"
        elif one == "?":
            written += "[^/]"
        elif one == "[" and "]" in glob[at + 2 :]:
            end = glob.index("]", at + 2)
            inside = glob[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            written += f"[^{inside[1:]}]" if inside[0] in "!^" else f"[{inside}]"
            at = end
        elif one == "{" and "}" in glob[at:]:
            written, braces = written + "(?:", braces + 1
        elif one == "}" and braces:
            written, braces = written + ")", braces - 1
        elif one == "," and braces:
            written += "|"
        else:
            written += re.escape(one)
        at += 1
    return written
