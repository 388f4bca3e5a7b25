"""The reference and every case."""

from __future__ import annotations

import json
from typing import Any

import pytest

from reference import Folded, fold
from reference.envelope import read_event
from tests.cases import listed
from tests.cases.case import Case


@pytest.mark.parametrize("case", listed.CASES, ids=lambda case: case.name)
def test_the_reference(case: Case) -> None:
    records, config = case.records, case.config()
    for landing in case.all_landings():
        for number, rows in landing.after.items():
            landed = [records[place] for batch in landing.batches[: number + 1] for place in batch]
            found = case.told(_rows(fold(landed, config)))
            assert found == rows, f"{landing.name}, batch {number + 1}"
    folded = fold(records, config)
    assert case.told(_rows(folded)) == case.rows
    twice = fold([*records[::-1], *records], config)
    assert (twice.rows, twice.multiset, twice.replays) == (
        folded.rows,
        folded.multiset,
        folded.replays,
    )
    if case.replays is not None:
        counts = (folded.replays.total(), folded.unexplained.total())
        assert counts == case.replays
    if case.told_on.key:
        unknown = {json.loads(key)[case.told_on.key[0]]: of for key, of in folded.unknown.items()}
        assert unknown == case.unknown
    for place, told in case.staged.items():
        event = read_event(records[place], config)
        if told is None or told.get("_cdc_key", "") is None:
            assert event is None
        elif "_cdc_op" in told:
            assert (event.op if event else None) == told["_cdc_op"]


def _rows(folded: Folded) -> list[dict[str, Any]]:
    keyless = [json.loads(text) for text, count in folded.multiset.items() for _ in range(count)]
    return [*folded.rows.values(), *keyless]
