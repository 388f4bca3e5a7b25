"""Whether a release is complete: the changelog has a dated section of the version.

`python -m dev.release v0.1.0` also compares the tag, and prints what is new in that version.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Sequence
from datetime import date
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
UNRELEASED = "Unreleased"
_SECTION = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)
_VERSION = re.compile(r"(?P<version>\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?) - (?P<date>\d{4}-\d{2}-\d{2})")


def versions(folder: Path = REPOSITORY) -> dict[str, str]:
    """Return the version of the distribution, and that of the changelog's newest section."""
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    return {
        "pyproject.toml": project["project"]["version"],
        "CHANGELOG.md": next(iter(sections(folder)), "none"),
    }


def sections(folder: Path = REPOSITORY) -> dict[str, str]:
    """Return what the changelog says of each version, the newest first.

    Raises:
        ValueError: `Unreleased` does not stand before the versions, or a title is no version.
    """
    _, *parts = _SECTION.split((folder / "CHANGELOG.md").read_text(encoding="utf-8"))
    titles, texts = parts[::2], parts[1::2]
    if UNRELEASED not in titles:
        raise ValueError(f"CHANGELOG.md has no section {UNRELEASED}")
    released = {}
    first = titles.index(UNRELEASED) + 1
    for title, text in zip(titles[first:], texts[first:], strict=True):
        found = _VERSION.fullmatch(title)
        if not found:
            raise ValueError(f"CHANGELOG.md: `{title}` is not like `0.1.0 - 2026-01-31`")
        date.fromisoformat(found["date"])
        released[found["version"]] = text.strip()
    return released


def main(arguments: Sequence[str]) -> int:
    """Compare the versions, and print what is new in the newest; returns the exit code."""
    named = versions()
    if arguments:
        named["the tag"] = arguments[0].removeprefix("v")
    if len(set(named.values())) > 1:
        told = ", ".join(f"{version} in {place}" for place, version in named.items())
        print(f"The version is not one: {told}. Correct the files.", file=sys.stderr)
        return 1
    print(sections()[named["CHANGELOG.md"]])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
