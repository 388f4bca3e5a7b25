"""Random histories behind ExtractNewRecordState, staged and folded, against the reference."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tests.property.documents import run_documents, topics_of
from tests.property.flattened import (
    ALL_FIELDS,
    IN_HEADERS,
    RENAMED,
    TOMBSTONES,
    WITH_TOMBSTONES,
    WITHOUT_OP,
    flattened_documents,
    flattened_group,
    options_of,
    transform_of,
)
from tests.property.groups import Group, draw
from tests.property.histories import KEYS, check
from tests.property.lab_trial import fold_together
from tests.support.documents import LabDocuments
from tests.support.lab import Lab

BATCHES = 3
KEYED = (
    (Group("postgresql", 1501, 30, {"key": "single", "truncates": False}), ALL_FIELDS),
    (Group("sqlserver", 1501, 25, {"key": "composite"}), IN_HEADERS),
    (Group("oracle", 1501, 25, {"key": "single", "truncates": False}), RENAMED),
    (Group("mysql", 1501, 25, {"key": "single", "compressed": False}), WITH_TOMBSTONES),
    (Group("mysql", 1601, 20, {"key": "single", "compressed": True}), ALL_FIELDS),
    (Group("mariadb", 1501, 25, {"key": "composite", "truncates": False}), WITHOUT_OP),
    (Group("sqlserver", 1601, 20, {"key": "single"}), TOMBSTONES),
)
KEYLESS = (
    (Group("postgresql", 1701, 20, {"key": "none", "toast": False}), ALL_FIELDS),
    (Group("oracle", 1701, 20, {"key": "none"}), IN_HEADERS),
    (Group("mariadb", 1701, 20, {"key": "none"}), RENAMED),
)


def _check(lab_spark: SparkSession, groups: tuple[tuple[Group, str], ...]) -> None:
    drawn = draw([group for group, _ in groups])
    forms = [form for _, form in groups]
    flattened = [flattened_group(*one) for one in zip(drawn, forms, strict=True)]

    check(fold_together(lab_spark, flattened, most=BATCHES))


@pytest.mark.covers("form flattened records: every input")
@pytest.mark.full
def test_flattened_histories_of_every_connector(lab_spark: SparkSession) -> None:
    _check(lab_spark, KEYED)


@pytest.mark.full
def test_flattened_histories_without_a_key_are_append_only(lab_spark: SparkSession) -> None:
    _check(lab_spark, KEYLESS)


@pytest.mark.full
def test_flattened_documents(lab_spark: SparkSession) -> None:
    transform = transform_of("mongodb", ALL_FIELDS)
    histories = [
        history
        for number, seed in enumerate(range(1501, 1561))
        if (
            history := flattened_documents(
                seed,
                topic=f"content.inventory.customers.h{seed}",
                key_base=number * KEYS,
                transform=transform,
            )
        )
    ]
    with Lab(lab_spark) as lab:
        collection = LabDocuments(
            lab,
            topics=topics_of(histories),
            options={"flattened": options_of(transform)},
            collection="inventory.customers",
        )
        differences = run_documents(collection, histories, most=BATCHES)

    assert len(histories) > 20
    assert not differences, "\n".join(map(str, differences[:10]))
