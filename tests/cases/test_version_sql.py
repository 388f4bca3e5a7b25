"""The SQL of histories and every case of them, in a lab: after each run as the reference says."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from reference.versions import versions
from tests.cases import listed
from tests.cases.case import Landing
from tests.cases.table import Story
from tests.cases.version_built import BuiltHistories
from tests.cases.version_case import VersionCase, place_of, stories, told_by, unmarked

STORIES = list(stories(listed.VERSIONS))


@pytest.fixture(scope="module")
def built_histories(request: pytest.FixtureRequest, lab_spark: SparkSession) -> BuiltHistories:
    """Keep the versions of the stories that are asked for."""
    items = [one for one in request.session.items if one.path == Path(__file__)]
    params = [one.callspec.params for one in items]  # type: ignore[attr-defined]
    return BuiltHistories(lab_spark, [(one["case"], one["story"]) for one in params])


@listed.each_story(STORIES)
def test_the_sql(
    built_histories: BuiltHistories, case: VersionCase, landing: Landing, story: Story
) -> None:
    columns = [column["name"] for column in case.told_on.columns]
    landed = []
    for run, batch in enumerate(story.batches, start=1):
        landed += batch
        found = built_histories.versions(case, story, run)
        if case.options.keep is None:  # it counts from the newest change of all stories
            told = versions(landed, case.config(), case.options)
            expected = sorted((told_by(one, columns) for one in told), key=place_of)
            assert sorted(found, key=place_of) == expected, f"batch {run}"
        if run - 1 in landing.after and case.options.keep is None:
            rows = case.rows_of([unmarked(one) for one in found])
            assert rows == landing.after[run - 1], f"batch {run}"
    case.check([unmarked(one) for one in found], landing.name)
