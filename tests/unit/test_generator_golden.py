"""The files of the golden sets, rendered from their catalogs."""

from __future__ import annotations

import json
import shutil
from difflib import unified_diff
from typing import Any

import pytest

from tests.support.golden_sets import SETS, UPDATES, GoldenSet
from tests.support.macros import Macros

FOLDERS = ("models", "python_models")
OWNED = {
    "contract": True,
    "group": {"name": "sales", "owner": {"name": "Sales", "email": "sales@example.com"}},
    "exposures": [
        {
            "name": "orders_report",
            "label": "Orders, by day",
            "type": "dashboard",
            "maturity": "high",
            "url": "https://bi.example.com/orders",
            "owner": {"email": "bi@example.com"},
            "tables": ["public.articles"],
        }
    ],
}


def rendered_files(golden: GoldenSet, **options: Any) -> dict[str, str]:
    """Return the files that are generated from the catalog of a set, by path."""
    catalog = [row for row in golden.catalog() if row["is_current"]]
    models = [{"name": f"catalog_{golden.source}__{one}"} for one in ("columns", "schemas")]
    rows = [(json.dumps(row),) for row in catalog]
    macros = Macros(
        {golden.source: {**golden.options, **options}},
        {"catalog_row": rows, "topic_row": [], "other_source_row": []},
        models,
    )
    results = macros.generate()

    assert [one for one in results if one["kind"] != "file"] == []
    return {one["path"]: one["content"] for one in results}


@pytest.mark.parametrize("golden", SETS, ids=lambda one: one.source)
def test_the_generated_files_are_the_golden_ones(golden):
    rendered = rendered_files(golden)
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


def test_contracts_groups_and_exposures_are_the_golden_difference():
    golden = SETS[0]
    before, after = rendered_files(golden), rendered_files(golden, **OWNED)
    lines = [
        line.rstrip("\n")
        for path in sorted(before.keys() | after.keys())
        for line in unified_diff(
            before.get(path, "").splitlines(True), after.get(path, "").splitlines(True),
            path if path in before else "none", path, n=1,
        )
    ]  # fmt: skip
    difference = golden.folder / "owners.diff"
    if UPDATES:
        difference.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert lines == difference.read_text(encoding="utf-8").splitlines()
