"""The files of the golden sets, rendered from their catalogs, and what a new column changes."""

from __future__ import annotations

import json
import shutil
from difflib import unified_diff
from typing import Any

import pytest

from tests.support.generated_text import generate
from tests.support.golden_sets import SETS, UPDATES, GoldenSet

FOLDERS = ("models", "python_models")


def current(golden: GoldenSet) -> list[dict[str, Any]]:
    return [row for row in golden.catalog() if row["is_current"]]


def rendered_files(
    golden: GoldenSet, catalog: list[dict[str, Any]], **options: Any
) -> dict[str, str]:
    """Return the files that are generated from a catalog of a set, by path."""
    sources = {golden.source: {**golden.options, **options}}
    files, messages = generate(catalog, sources, part="all")
    assert messages == []
    return files


@pytest.mark.parametrize("golden", SETS, ids=lambda one: one.source)
def test_the_generated_files_are_the_golden_ones(golden):
    rendered = rendered_files(golden, current(golden))
    if UPDATES:
        for folder in FOLDERS:
            shutil.rmtree(golden.folder / folder, ignore_errors=True)
        for path, content in rendered.items():
            (golden.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (golden.folder / path).write_text(content, encoding="utf-8")
    expected = {
        path.relative_to(golden.folder).as_posix(): path.read_text(encoding="utf-8")
        for folder in FOLDERS
        for path in (golden.folder / folder).rglob("*")
        if path.is_file()
    }
    assert rendered == expected


# -- a new column of a source changes little, and each thing once ---------------------------------

# One line of the staging call; name, type and database type in the properties of cur_.
MOST_LINES = 4
TABLES = [
    (golden, table)
    for golden in SETS
    for table in sorted({row["table_name"] for row in golden.catalog()})
]


def with_a_column(catalog: list[dict[str, Any]], table: str) -> list[dict[str, Any]]:
    """Return a catalog in which a table has one more text column, that may be null."""
    rows = [row for row in catalog if row["table_name"] == table]
    last = max(rows, key=lambda row: row.get("ordinal_position") or 0)
    example = next(row for row in rows if row.get("connect_type") == "string")
    added = {
        **{name: value for name, value in example.items() if name != "comment"},
        "column_name": "note",
        "ordinal_position": last["ordinal_position"] + 1,
        "is_optional": True,
        "is_never_null": False,
        "schema_json": json.dumps({"type": "string", "optional": True, "field": "note"}),
    }
    place = catalog.index(last) + 1
    return [*catalog[:place], added, *catalog[place:]]


@pytest.mark.parametrize(("golden", "table"), TABLES, ids=lambda one: getattr(one, "source", one))
def test_a_new_column_is_a_diff_of_few_lines(golden: GoldenSet, table: str) -> None:
    catalog = current(golden)
    before = rendered_files(golden, catalog)
    after = rendered_files(golden, with_a_column(catalog, table))
    changed = {
        path: [
            line
            for line in unified_diff(before[path].splitlines(), text.splitlines(), n=0)
            if line[0] in "+-" and not line.startswith(("+++", "---"))
        ]
        for path, text in after.items()
        if text != before[path]
    }
    assert sorted(path.split("/")[1] for path in changed) == ["current", "staging"]
    lines = [line for lines in changed.values() for line in lines]
    assert len(lines) <= MOST_LINES, lines
    assert all(line.startswith("+") for line in lines)
