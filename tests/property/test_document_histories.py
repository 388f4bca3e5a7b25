"""Random histories of MongoDB collections against the reference: no document may differ."""

from __future__ import annotations

import itertools

import pytest
from pyspark.sql import SparkSession

from tests.property.documents import run_document_trial
from tests.property.test_histories import BATCHES as BATCHES_OF_GROUPS

pytestmark = pytest.mark.slow

GROUP = 50
_serial = itertools.count(1)


@pytest.mark.parametrize(
    ("first", "target"), [(1, "iceberg"), (51, "iceberg"), (101, "iceberg"), (151, "delta")]
)
def test_histories_of_documents(
    first: int,
    target: str,
    tmp_path_factory: pytest.TempPathFactory,
    spark_by_target: dict[str, SparkSession],
) -> None:
    schema = f"document_histories_{next(_serial)}"
    differences = run_document_trial(
        tmp_path_factory.mktemp(schema),
        spark_by_target[target],
        range(first, first + GROUP),
        schema=schema,
        target=target,
        most=BATCHES_OF_GROUPS,
    )
    assert not differences, "\n".join(map(str, differences[:10]))
