"""Materialization debezium_document_versions: what dbt and a table format add to the walk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.dbt.test_platform_documents import N, change
from tests.support.documents import COLLECTION
from tests.support.documents_project import Collection

DAY = 86_400_000
UPDATE = {"removedFields": None, "updatedFields": '{"n": 5}', "truncatedArrays": None}


@pytest.mark.full
def test_versions_of_documents_go_on_are_folded_again_and_expire(
    tmp_path: Path, spark_by_target: dict[str, SparkSession], target: str
) -> None:
    options = {"tables": {COLLECTION: {"history": {"deleted_rows": True, "keep": "1 day"}}}}
    tables = Collection(
        tmp_path / "project",
        spark_by_target[target],
        schema=f"document_versions_{target}",
        target=target,
        fields=[N],
        options=options,
    )

    def history() -> list[tuple[Any, ...]]:
        names = ("_cdc_key", "_cdc_version", "n", "_cdc_ended_by", "_cdc_is_deleted")
        rows = [tuple(row[f] for f in names) for row in tables.rows("hist")]
        return sorted(rows, key=lambda row: (row[0], row[1], row[4]))

    cache = spark_by_target[target]._jsparkSession.sharedState().cacheManager()
    cached = cache.numCachedEntries()

    tables.land([change(0, "c", 1, after='{"_id": 1, "n": 1}')], 1)
    tables.land([change(10, "c", 2, after='{"_id": 2, "n": 2}')], 1)
    tables.run()
    assert history() == [("1", 1, 1, None, False), ("2", 1, 2, None, False)]

    # goes on from the last versions
    tables.land([change(20, "u", 1, updateDescription=UPDATE), change(21, "d", 2)], 2)
    tables.run()
    assert history() == [
        ("1", 1, 1, "update", False),
        ("1", 2, 5, None, False),
        ("2", 1, 2, "delete", False),
        ("2", 1, 2, None, True),
    ]

    # a late event: document 1 had another version in between, and 2 began earlier
    tables.land([change(5, "u", 1, after='{"_id": 1, "n": 3}'), change(6, "d", 2)], 3)
    tables.run()
    assert history() == [
        ("1", 1, 1, "update", False),
        ("1", 2, 3, "update", False),
        ("1", 3, 5, None, False),
        ("2", 1, 2, "delete", False),
        ("2", 1, 2, None, True),
    ]

    before = tables.project.version("versions_sim__customers")
    tables.run()
    assert tables.project.version("versions_sim__customers") == before

    # what ended long ago goes, what lasts stays, and numbers go on
    tables.land([change(2 * DAY, "u", 2, after='{"_id": 2, "n": 9}')], 4)
    tables.run()
    assert history() == [
        ("1", 3, 5, None, False),
        ("2", 1, 2, "update", True),
        ("2", 2, 9, None, False),
    ]
    assert cache.numCachedEntries() == cached
