"""Random histories of MongoDB collections against the reference: no document may differ."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tests.property.documents import fold_routed_documents, run_document_trial
from tests.property.histories import check
from tests.property.test_histories import BATCHES

pytestmark = pytest.mark.slow

GROUP = 100


@pytest.mark.covers(
    "support MongoDB oplog patches: rows, repeats",
    "support MongoDB change streams: rows, repeats, incremental snapshots",
)
@pytest.mark.parametrize("first", [1, pytest.param(101, marks=pytest.mark.full)])
def test_histories_of_documents(first: int, lab_spark: SparkSession) -> None:
    check(run_document_trial(lab_spark, range(first, first + GROUP), most=BATCHES))


@pytest.mark.full
def test_a_copy_follows_the_change_feed_of_documents(lab_spark: SparkSession) -> None:
    check(run_document_trial(lab_spark, range(301, 331), most=6, feed=True))


@pytest.mark.full
def test_two_collections_that_share_a_topic(lab_spark: SparkSession) -> None:
    check(fold_routed_documents(lab_spark, 1, 6, most=2))
