"""At the end of every transaction, versions as of its position are the fold of what is up to it."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from dev.simulator.history import random_history
from reference import Folded, Row, fold
from reference.at_position import Places
from reference.transactions import up_to
from reference.versions import versions

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


def known(rows: Mapping[str, Row], expected: Folded) -> dict[str, Row]:
    """Return rows without values that no event up to the cut tells.

    A history may know one from an incremental read that arrived before the change, and lies behind.
    """
    return {
        key: {n: value for n, value in row.items() if n not in expected.unknown.get(key, ())}
        for key, row in rows.items()
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
            assert known(places.rows_at(found, end), expected) == known(expected.rows, expected), (
                f"seed {seed}, at {end}"
            )
            cuts += 1
    assert cuts > len(seeds)
