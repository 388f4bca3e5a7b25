"""Flattened histories, read by the reference, lead to the rows of the source tables."""

from __future__ import annotations

import random

import pytest

from dev.simulator import random_features, random_history
from reference import fold
from reference.documents import fold_documents
from tests.property.flattened import (
    ALL_FIELDS,
    FORMS,
    WITHOUT_OP,
    flattened_documents,
    flattened_history,
    transform_of,
)

HISTORIES = 16
CONNECTORS = ("postgresql", "sqlserver", "oracle", "mysql", "mariadb")
# Truncates are what no flattened record can tell: docs/flattened.md. Logs are compacted behind the
# transform, and simulated ones before it: a tombstone that is dropped here would be kept there.
_NOT_TOLD = {
    "key": "single", "truncates": False, "toast": False, "compressed": False, "compaction": False,
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("connector", CONNECTORS)
def test_flattened_records_lead_to_the_table(connector, form):
    compared = 0
    for seed in range(HISTORIES):
        rng = random.Random(seed)
        not_told = dict(_NOT_TOLD)
        if form == WITHOUT_OP:
            # an insert that was logged before the delete of its key looks like an old update
            not_told["late_births"] = False
        history = random_history(
            seed, connector, features=random_features(rng, connector, **not_told)
        )
        if not history.truth_holds or not history.complete:
            continue
        flattened = flattened_history(history, transform_of(connector, form))

        folded = fold(flattened.records, flattened.config)

        assert folded.rows == history.truth, f"seed {seed}"
        compared += 1
    assert compared > HISTORIES // 4


def test_flattened_documents_lead_to_the_collection():
    """A document has lost its BSON types: dates are numbers, and ids of all types texts."""
    transform = transform_of("mongodb", ALL_FIELDS)
    compared = 0
    for seed in range(120):
        history = flattened_documents(
            seed, topic="content.inventory.h", key_base=0, transform=transform
        )
        if history is None or history.doubts:
            continue

        folded = fold_documents(history.records, history.config)

        assert folded.documents == history.truth, f"seed {seed}"
        compared += 1
    assert compared > 20
