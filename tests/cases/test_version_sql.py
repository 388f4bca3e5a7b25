"""The SQL of histories and every case of them, in a lab: after each run as the reference says."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from reference.versions import versions
from tests.cases import histories  # noqa: F401
from tests.cases.version_built import BuiltHistories
from tests.cases.version_case import VERSIONS, VersionCase, place_of, told_by, unmarked

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def built_histories(request: pytest.FixtureRequest, lab_spark: SparkSession) -> BuiltHistories:
    """Keep the versions of the cases that are asked for."""
    items = [one for one in request.session.items if one.path == Path(__file__)]
    return BuiltHistories(lab_spark, [one.callspec.params["case"] for one in items])  # type: ignore[attr-defined]


@pytest.mark.parametrize("case", VERSIONS, ids=lambda case: case.name)
def test_the_sql(built_histories: BuiltHistories, case: VersionCase) -> None:
    columns = [column["name"] for column in case.told_on.columns]
    stories = built_histories.stories[case]
    for landing, story in zip(case.all_landings(), stories, strict=True):
        landed = []
        for run, batch in enumerate(story.batches, start=1):
            landed += batch
            found = built_histories.versions(case, story, run)
            if case.options.keep is None:  # it counts from the newest change of all stories
                told = versions(landed, case.config(), case.options)
                expected = sorted((told_by(one, columns) for one in told), key=place_of)
                assert sorted(found, key=place_of) == expected, f"{landing.name}, batch {run}"
            if run - 1 in landing.after and case.options.keep is None:
                rows = case.rows_of([unmarked(one) for one in found])
                assert rows == landing.after[run - 1], f"{landing.name}, batch {run}"
        case.check([unmarked(one) for one in found], landing.name)
