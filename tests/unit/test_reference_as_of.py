"""At the end of every transaction, versions as of its position are the fold of what is up to it."""

from __future__ import annotations

import pytest

from dev.simulator.history import random_history
from tests.reference import fold
from tests.reference.as_of import Places
from tests.reference.transactions import up_to
from tests.reference.versions import versions

# A blocking snapshot reads what is later than the place that it names ("behind"): what it reads is
# then told twice, and the changes count. A restored or compacted log has no prefix to fold.
FIXED = {
    "transaction_metadata": True,
    "restore": "no",
    "recreate_topic": False,
    "compaction": False,
    "compressed": False,
    "open_questions": False,
    "close_unseen": False,
    "blocking": "no",
}


@pytest.mark.parametrize("connector", ["postgresql", "sqlserver", "mysql", "mariadb"])
@pytest.mark.parametrize(
    "seeds",
    [
        pytest.param(range(1, 7), id="few"),
        pytest.param(range(101, 301), id="many", marks=pytest.mark.full),
    ],
)
def test_every_transaction_is_a_cut(connector: str, seeds: range) -> None:
    cuts = 0
    for seed in seeds:
        history = random_history(seed, connector, **FIXED)
        if history.config.keyless:
            continue
        places = Places(history.records, history.config)
        found = versions(history.records, history.config)
        for end in places.ends():
            expected = fold(up_to(history.records, history.config, end), history.config)
            assert places.rows_at(found, end) == expected.rows, (connector, seed, end)
            cuts += 1
    assert cuts > len(seeds)
