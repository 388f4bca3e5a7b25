"""Random histories of MongoDB collections: their versions are those of the reference."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from reference.versions import Options
from tests.property.document_version_trial import keep_document_versions
from tests.property.histories import check

pytestmark = pytest.mark.slow

BATCHES = 3  # into which a history is cut, at most


@pytest.mark.parametrize(
    ("first", "options"),
    [
        pytest.param(
            1, Options(), id="default", marks=pytest.mark.covers("support MongoDB: history")
        ),
        pytest.param(
            51,
            Options(within_transaction="all", deleted_rows=True),
            id="every-change",
            marks=pytest.mark.full,
        ),
        pytest.param(
            101,
            Options(track=("n", "address"), deleted_rows=True),
            id="tracked",
            marks=pytest.mark.full,
        ),
    ],
)
def test_versions_of_documents(lab_spark: SparkSession, first: int, options: Options) -> None:
    check(keep_document_versions(lab_spark, range(first, first + 50), options, most=BATCHES))


@pytest.mark.full
def test_versions_of_documents_that_land_in_order(lab_spark: SparkSession) -> None:
    check(keep_document_versions(lab_spark, range(201, 251), Options(), most=BATCHES, late=False))
