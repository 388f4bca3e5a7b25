"""The tables of docs/support.md that say what the tests cover."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.support.claims import Entry, Subject
from tests.support.paths import REPOSITORY

PAGE = REPOSITORY / "docs" / "support.md"


def page(text: str, listed: Mapping[str, Any], found: Mapping[Subject, Entry]) -> str:
    """Return the text of the page with its two tables made anew."""
    lines = text.split("\n")
    for table in (_support(listed, found), _forms(listed, found)):
        rows = ["| " + " | ".join(row) + " |" for row in table]
        first = next(place for place, line in enumerate(lines) if line.startswith(rows[0][:15]))
        lines[first : lines.index("", first)] = rows
    return "\n".join(lines)


def _support(listed: Mapping[str, Any], found: Mapping[Subject, Entry]) -> list[list[str]]:
    head = ["connector", "Debezium", *listed["aspects"]]
    cells = _cells("support", found)
    titles = [[line["connector"], line["versions"]] for line in listed["support"]]
    return _table(head, titles, cells)


def _forms(listed: Mapping[str, Any], found: Mapping[Subject, Entry]) -> list[list[str]]:
    head = ["form", *listed["inputs"].values()]
    cells = _cells("form", found)
    return _table(head, [[line["form"]] for line in listed["forms"]], cells)


def _cells(kind: str, found: Mapping[Subject, Entry]) -> list[str]:
    return [
        f"– ({entry.none})" if entry.none else entry.title
        for one, entry in found.items()
        if one.kind == kind
    ]


def _table(head: list[str], titles: list[list[str]], cells: list[str]) -> list[list[str]]:
    width = len(head) - len(titles[0])
    rows = [
        title + _once(cells[place * width : (place + 1) * width])
        for place, title in enumerate(titles)
    ]
    return [head, ["---"] * len(head), *rows]


def _once(cells: list[str]) -> list[str]:
    """Give a reason for cells beside each other in the first of them."""
    before = ["", *cells]
    return [
        "–" if cell[:1] == "–" and cell == left else cell
        for left, cell in zip(before, cells, strict=False)
    ]
