"""All cases: importing this module lists them."""

from collections.abc import Sequence

import pytest

from tests.cases import (
    arrival,
    closing,
    epochs,
    events,
    fold_plans,
    fold_plans_of_repeats,
    histories,
    key_changes,
    keyless,
    positions,
    reads,
    record_keys,
    recorded,
    replays,
    tombstones,
    truncates,
    unavailable,
)
from tests.cases.case import CASES, Case, Landing
from tests.cases.table import Story
from tests.cases.version_case import VERSIONS

__all__ = [
    "CASES",
    "VERSIONS",
    "arrival",
    "closing",
    "epochs",
    "events",
    "fold_plans",
    "fold_plans_of_repeats",
    "histories",
    "key_changes",
    "keyless",
    "positions",
    "reads",
    "record_keys",
    "recorded",
    "replays",
    "tombstones",
    "truncates",
    "unavailable",
]


def each_story(stories: Sequence[tuple[Case, Landing, Story]]) -> pytest.MarkDecorator:
    """Run a test for each story; those that are not quick are left to `make test-all`."""
    return pytest.mark.parametrize(
        ("case", "landing", "story"),
        [
            pytest.param(*one, marks=() if one[0].is_quick(one[1]) else pytest.mark.full)
            for one in stories
        ],
        ids=[f"{case.name}: {landing.name}" for case, landing, _ in stories],
    )
