"""The reference of histories, and every case of them."""

from __future__ import annotations

from itertools import groupby

import pytest

from reference import fold
from reference.versions import versions
from tests.cases.listed import VERSIONS
from tests.cases.version_case import VersionCase, told_by

COLUMNS = ("id", "v", "w")


@pytest.mark.parametrize("case", VERSIONS, ids=lambda case: case.name)
def test_the_reference(case: VersionCase) -> None:
    config, records = case.config(), case.records
    found = versions(records, config, case.options)
    case.check([told_by(one, COLUMNS) for one in found])
    for landing in case.all_landings():
        for number, rows in landing.after.items():
            landed = [records[place] for batch in landing.batches[: number + 1] for place in batch]
            told = [told_by(one, COLUMNS) for one in versions(landed, config, case.options)]
            assert case.rows_of(told) == rows, f"{landing.name}, batch {number + 1}"
    assert versions([*records[::-1], *records], config, case.options) == found
    assert len({one.scd_id for one in found}) == len(found)
    assert {one.key: one.row for one in found if one.is_current} == fold(records, config).rows
    assert not any(one.is_deleted and one.is_current for one in found)
    for instant in (one.valid_from for one in found):
        holding = [one for one in found if one.holds_at(instant)]
        assert not any(one.is_deleted or one.valid_to == instant for one in holding)
        assert all(len([*of_key]) == 1 for _, of_key in groupby(holding, lambda one: one.key))
