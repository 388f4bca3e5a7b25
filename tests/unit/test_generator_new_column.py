"""What a new column of a source changes in the generated files: little, and each thing once."""

from __future__ import annotations

import json
from difflib import unified_diff
from typing import Any

import pytest

from tests.support.golden_sets import SETS, GoldenSet
from tests.support.macros import Macros

# One line of the staging call; name, type and database type in the properties of cur_.
MOST_LINES = 4
TABLES = [
    (golden, table)
    for golden in SETS
    for table in sorted({row["table_name"] for row in golden.catalog()})
]


def rendered(golden: GoldenSet, catalog: list[dict[str, Any]]) -> dict[str, str]:
    models = [{"name": f"catalog_{golden.source}__{one}"} for one in ("columns", "schemas")]
    rows = [(json.dumps(row),) for row in catalog]
    queries = {"catalog_row": rows, "topic_row": [], "other_source_row": []}
    results = Macros(golden.sources, queries, models).generate()
    return {one["path"]: one["content"] for one in results if one["kind"] == "file"}


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
    catalog = [row for row in golden.catalog() if row["is_current"]]
    before, after = rendered(golden, catalog), rendered(golden, with_a_column(catalog, table))
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
