"""The files of the golden sets, rendered from their catalogs."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.support.golden_sets import SETS, UPDATES
from tests.support.macros import Macros

FOLDERS = ("models", "python_models")


@pytest.mark.parametrize("golden", SETS, ids=lambda one: one.source)
def test_the_generated_files_are_the_golden_ones(golden):
    catalog = [row for row in golden.catalog() if row["is_current"]]
    models = [{"name": f"catalog_{golden.source}__{one}"} for one in ("columns", "schemas")]
    rows = [(json.dumps(row),) for row in catalog]
    macros = Macros(
        golden.sources, {"catalog_row": rows, "topic_row": [], "other_source_row": []}, models
    )

    results = macros.generate()

    assert [one for one in results if one["kind"] != "file"] == []
    rendered = {one["path"]: one["content"] for one in results}
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
