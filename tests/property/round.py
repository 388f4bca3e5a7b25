"""What one process stages and folds; a module that another process can import."""

from __future__ import annotations

import os
import random
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.property.document_version_trial import keep_document_versions
from tests.property.documents import fold_routed_documents, run_document_trial
from tests.property.groups import Group, by_kind, draw
from tests.property.histories import Difference
from tests.property.lab_trial import fold_together
from tests.property.version_trial import drawn_options, keep_together
from tests.property.whole_sources import fold_ended, fold_routed
from tests.support.lab_spark import start_lab
from tests.support.transforms import drawn


@dataclass(frozen=True)
class Round:
    """Histories that one process stages and folds together: `count` of each connector.

    `both_plans`: keys that can be are folded by the short plan, too.
    `versions`: their versions are kept, under options that the first seed draws.
    `whole`: how those of one connector are a source's, "routed" or "ended" (`whole_sources.py`).
    """

    connectors: tuple[str, ...]
    first: int
    count: int
    alone: bool = False
    both_plans: bool = False
    whole: str = ""
    versions: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a round found: texts of what differs, and how many histories have each transform."""

    differences: list[str]
    transforms: Counter[str]


def run_round(one: Round) -> Outcome:
    """Return what differs, in a process that may have run others."""
    drawn_before = drawn.copy()
    differences = _differences(one)
    return Outcome([str(difference) for difference in differences], drawn - drawn_before)


def _differences(one: Round) -> list[Difference]:
    session = start_lab(Path(tempfile.gettempdir()) / f"debezium-spark-lab-{os.getpid()}")
    if one.whole:
        (connector,) = one.connectors
        if connector == "mongodb":
            return fold_routed_documents(session, one.first, one.count)
        if one.whole == "routed":
            return fold_routed(session, connector, one.first, one.count)
        return fold_ended(session, connector, one.first, one.count)
    relational = [name for name in one.connectors if name != "mongodb"]
    histories = draw([_group(one, name) for name in relational], alone=one.alone)
    found: list[Difference] = []
    for groups in by_kind(histories):
        config = groups[0][0].config
        if one.versions:
            found += keep_together(session, groups, drawn_options(one.first))
            continue
        is_checked = one.both_plans and not config.keyless and not config.close_unseen
        found += fold_together(session, groups, in_order=_ignore if is_checked else None)
    seeds = range(one.first, one.first + one.count)
    if "mongodb" in one.connectors and one.versions:
        found += keep_document_versions(session, seeds, drawn_options(one.first, documents=True))
    elif "mongodb" in one.connectors:
        found += run_document_trial(session, seeds)
    return found


def _group(one: Round, connector: str) -> Group:
    """Return a group of a round; a table without a key has no history."""
    if not one.versions:
        return Group(connector, one.first, one.count)
    key = random.Random(f"{connector} {one.first}").choice(("single", "single", "composite"))
    return Group(connector, one.first, one.count, {"key": key})


def _ignore(count: int) -> None:
    """How many keys both plans fold is of no interest here."""
