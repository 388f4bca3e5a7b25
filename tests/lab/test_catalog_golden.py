"""The catalogs of the golden sets."""

from __future__ import annotations

import json

import pytest

from tests.support.catalog_run import CatalogRun
from tests.support.examples import example_lines
from tests.support.golden_sets import SETS, UPDATES


@pytest.mark.parametrize("golden", SETS, ids=lambda one: one.source)
def test_the_catalog_of_the_example_records_is_the_golden_one(spark, golden):
    run = CatalogRun(spark, golden.sources)
    run.land(example_lines(*golden.examples))
    run.build()

    # null members left out, as Spark's to_json does
    rows = [
        {name: value for name, value in row.items() if value is not None} for row in run.catalog
    ]
    if UPDATES:
        golden.folder.mkdir(parents=True, exist_ok=True)
        lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
        (golden.folder / "catalog.jsonl").write_text("".join(lines), encoding="utf-8")
    assert rows == golden.catalog()
