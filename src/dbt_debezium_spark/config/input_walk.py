"""List a local input folder without following links out of it.

Whoever can put a file into the folder can put a link there. If Spark followed it, the link would
expose the lines of any file that this user can read. Spark follows links, even in circles, waits at
a pipe without end, and silently skips names that are not UTF-8. So this module lists the folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from dbt_debezium_spark.text.literals import printable

GLOB = re.compile(r"[*?\[{]")
LEAVES = "it is a link that leaves the input folder; put the file itself there"
NOWHERE = "it is a link that leads to nothing"
NOT_UTF8 = "its name is not UTF-8; rename it"
NO_FILE = "it is neither a file nor a folder"
# Spark skips hidden files, such as `_SUCCESS` and checksums, and files that are being copied.
_COPYING = "._COPYING_"


@dataclass(frozen=True)
class RefusedFile:
    r"""A name in the folder that is not read.

    Attributes:
        path: its path as text, with `\xNN` for a byte that is not UTF-8.
        why: the reason, with a remedy.
        size: size of the link or file itself.
        modified_at: time of the last change of the link or file itself.
    """

    path: str
    why: str
    size: int
    modified_at: datetime


@dataclass
class Walk:
    """The files of a folder or glob.

    Attributes:
        files: paths of the files to read, sorted.
        refused: names that must not be read.
        has_links: whether there are links; then Spark may list more than `files`.
    """

    files: list[str] = field(default_factory=list)
    refused: list[RefusedFile] = field(default_factory=list)
    has_links: bool = False

    @property
    def is_plain(self) -> bool:
        """Whether Spark itself lists exactly `files`."""
        return not self.refused and not self.has_links


def walk(location: str) -> Walk:
    """List a folder, or what a glob of Spark matches, at any depth.

    A link is followed if its target is inside the folder. No folder is listed twice, so circles of
    links end. The folder itself may be a link.

    Args:
        location: folder, file or glob; the folder of a glob is the one above its first wildcard.

    Returns:
        The files; none if the location does not exist.
    """
    top = static_parent(location)
    result = Walk()
    if os.path.isfile(top):
        result.files.append(top)
    if not os.path.isdir(top):
        return result
    root = os.path.realpath(top)
    matches = _matcher(location)
    visited: set[str] = set()
    links: list[str] = []
    _list_tree(top, result, visited, links, matches)
    # Links come last, so that a file has its own name and not that of a link.
    while links:
        path = links.pop(0)
        real = os.path.realpath(path)
        if os.path.commonpath([root, real]) != root:
            _refuse(result, path, LEAVES, matches)
        elif os.path.isdir(real):
            if real not in visited:
                _list_tree(path, result, visited, links, matches)
        elif os.path.isfile(real):
            if matches(path):
                result.files.append(path)
        else:
            _refuse(result, path, NO_FILE if os.path.exists(real) else NOWHERE, matches)
    result.files.sort()
    return result


def static_parent(location: str) -> str:
    """Return the path itself, or the folder above its first wildcard."""
    wildcard = GLOB.search(location)
    return os.path.dirname(location[: wildcard.start()]) or os.curdir if wildcard else location


def printable_path(path: str) -> str:
    """Return a path as text that is safe in columns and on terminals."""
    return printable(os.fsencode(path).decode("utf-8", errors="backslashreplace"))


def _list_tree(
    top: str,
    result: Walk,
    visited: set[str],
    links: list[str],
    matches: Callable[[str], bool],
) -> None:
    folders = [top]
    while folders:
        folder = folders.pop()
        visited.add(os.path.realpath(folder))
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            _refuse(result, folder, f"it cannot be listed: {error.strerror}", matches)
            continue
        for entry in entries:
            if _is_hidden(entry.name):
                continue
            if not _is_utf8(entry.name):
                _refuse(result, entry.path, NOT_UTF8, matches)
            elif entry.is_symlink():
                result.has_links = True
                links.append(entry.path)
            elif entry.is_dir():
                folders.append(entry.path)
            elif not entry.is_file():
                _refuse(result, entry.path, NO_FILE, matches)
            elif matches(entry.path):
                result.files.append(entry.path)


def _refuse(result: Walk, path: str, why: str, matches: Callable[[str], bool]) -> None:
    if matches(path):
        try:
            state = os.lstat(path)
        except FileNotFoundError:  # it was removed meanwhile
            return
        modified = datetime.fromtimestamp(int(state.st_mtime), UTC)
        result.refused.append(RefusedFile(printable_path(path), why, state.st_size, modified))


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
    """Return a test whether a path, or one of its folders, matches a glob."""
    if not GLOB.search(location):
        return lambda path: True
    try:
        expression = re.compile(_expression(location), re.DOTALL)
    except re.error:  # Spark reports the error
        return lambda path: True
    depth = location.count("/") + (0 if os.path.dirname(location) else 1)

    def matches(path: str) -> bool:
        parts = path.split("/")
        return any(
            expression.fullmatch("/".join(parts[:end])) for end in range(depth, len(parts) + 1)
        )

    return matches


def _expression(glob: str) -> str:
    """Return a glob of Hadoop, with `*`, `?`, `[a-z]`, `[^a]`, `{a,b}`, as a regular expression."""
    pattern = "" if os.path.dirname(glob) else re.escape(f"{os.curdir}/")
    at, braces = 0, 0
    while at < len(glob):
        character = glob[at]
        if character == "\\" and at + 1 < len(glob):
            at += 1
            pattern += re.escape(glob[at])
        elif character == "*":
            pattern += "[^/]*"
        elif character == "?":
            pattern += "[^/]"
        elif character == "[" and "]" in glob[at + 2 :]:
            end = glob.index("]", at + 2)
            inside = glob[at + 1 : end].replace("\\", "\\\\").replace("[", "\\[")
            pattern += f"[^{inside[1:]}]" if inside[0] in "!^" else f"[{inside}]"
            at = end
        elif character == "{" and "}" in glob[at:]:
            pattern, braces = pattern + "(?:", braces + 1
        elif character == "}" and braces:
            pattern, braces = pattern + ")", braces - 1
        elif character == "," and braces:
            pattern += "|"
        else:
            pattern += re.escape(character)
        at += 1
    return pattern
