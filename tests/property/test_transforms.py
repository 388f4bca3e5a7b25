"""What converters, transforms and routers do to records changes no row but as they say."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from dev.simulator import random_history
from dev.simulator.history import CONNECTORS
from reference import fold
from tests.support.transforms import TRANSFORMS, differing

HISTORIES = 6  # of each connector
LAST_SEED = 150


@pytest.mark.parametrize("name", TRANSFORMS)
def test_a_transform_of_the_records_changes_no_row_of_the_reference(name: str) -> None:
    met: Counter[str] = Counter()
    wrong = []
    for connector in CONNECTORS:
        for seed in range(LAST_SEED):
            history = random_history(seed, connector)
            if not history.records or not TRANSFORMS[name].applies(history):
                continue
            if met[connector] == HISTORIES:
                break
            config = history.config
            found = differing(
                name,
                history,
                lambda records, config=config: fold(records, config),
                random.Random(seed),
            )
            wrong += [(connector, seed, key) for key in found]
            met[connector] += 1
    assert wrong == []
    assert met
