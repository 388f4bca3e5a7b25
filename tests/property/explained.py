"""The verdicts and outcomes that `explain` shows, against those of the reference."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pyspark.sql import SparkSession

from dbt_debezium_spark.explain.documents import walked
from dbt_debezium_spark.explain.events import of_events, read
from dev.simulator import History
from reference import KafkaRecord, canonical_json, fold
from reference.documents import fold_documents, read_document_event
from reference.envelope import read_event
from reference.event import Event
from reference.folded import Folded
from reference.walk import distinct_events, walks_of_keys
from tests.property.documents import document_histories, topics_of
from tests.property.histories import KEYS, Difference, landings
from tests.property.lab_trial import FOLDED, Folder, staged_groups, union
from tests.support.documents import LabDocuments
from tests.support.lab import Lab, in_a_lab

NO_FACTS: dict[str, Sequence[str]] = {
    "state": (),
    "quarantined": (),
    "ignored": (),
    "searched": ('{"records": 0, "without_key": 0}',),
}
Told = dict[tuple[str, int, int], str]  # verdicts by topic, partition and offset


def verdicts_of(records: Iterable[KafkaRecord], config: Any, documents: bool = False) -> Told:
    """Return the reference's verdict on each event of a key."""
    read_one = read_document_event if documents else read_event
    told: dict[str, list[tuple[Event, str]]] = {}
    events = distinct_events(records, config, read_one)
    walks_of_keys(events, Folded(), births_can_be_late=not documents, told=told)
    return {
        (event.record.topic, event.record.partition, event.record.offset): verdict
        for of_key in told.values()
        for event, verdict in of_key
    }


def shown_verdicts(events: Iterable[Mapping[str, Any]]) -> Told:
    """Return the verdicts that are shown."""
    return {
        (event["topic"], event["partition"], event["offset"]): event["verdict"] for event in events
    }


@in_a_lab
def explain_together(lab: Lab, groups: Sequence[Sequence[History]]) -> list[Difference]:
    """Stage the histories of all groups, explain every row, and return every difference."""
    parts, batches, differences = staged_groups(lab, groups, 1, False, lambda text: None)
    if differences:
        return differences
    lab.put("stg", union(parts))
    folder = Folder(lab, parts)
    macros = lab.macros(folder._sources, "none")
    config = macros.source_config("sim")
    keyless = not groups[0][0].table.key
    model = {
        **{"source": "sim", "table": FOLDED, "columns": folder._columns},
        **{"staging": lab.name("stg"), "types": macros.column_types(lab.name("stg"))},
    }
    if keyless:
        sql = macros.explained_values_sql(config, model)
    else:
        # what rows held, the fold's own trials compare
        plan = macros.whole_plan(config, FOLDED, folder._columns) | {
            **{"lookup_columns": [], "follows_origins": False, "has_partners": False},
            "log": model["staging"],
        }
        sql = macros.explained_events(config, model, plan)
    by_number: dict[int, list[dict[str, Any]]] = {}
    for event in read(row[0] for row in lab.session.sql(sql).collect()):
        if keyless:
            number = json.loads(event["row"])[folder._id] // KEYS
        else:
            number = json.loads(event["row_key"])["id"] // KEYS
        by_number.setdefault(number, []).append(event)
    for number, (_, history) in folder._of_history.items():
        landed = [record for batch in batches[history.topic] for record in batch]
        expected, events = fold(landed, history.config), by_number.get(number, [])
        compare = _of_values if keyless else _of_rows
        differences += compare(history, landed, expected, events)
    return differences


def _of_rows(
    history: History, landed: Sequence[KafkaRecord], expected: Folded, events: Sequence[Any]
) -> list[Difference]:
    differences = _unlike(history.seed, verdicts_of(landed, history.config), shown_verdicts(events))
    model = {"source": "sim", "table": "any"}
    for key, of_key in itertools.groupby(events, key=lambda event: event["row_key"]):
        shown = [event | {"row": {}} for event in of_key]
        what = of_events(model, key, shown, NO_FACTS, None)["outcome"]["what"]
        stands = canonical_json(json.loads(key)) in expected.rows
        if stands != (what == "stands"):
            differences.append(Difference(history.seed, 1, key, stands, what, "outcome"))
    return differences


def _of_values(
    history: History, landed: Sequence[KafkaRecord], expected: Folded, events: Sequence[Any]
) -> list[Difference]:
    counts: Counter[str] = Counter()
    for event in events:
        counts[event["row"]] += event["change"]
    wanted = sorted(count for count in expected.multiset.values() if count > 0)
    found = sorted(count for count in counts.values() if count > 0)
    return [] if wanted == found else [Difference(history.seed, 1, "counts", wanted, found)]


def _unlike(seed: int, wanted: Told, found: Told) -> list[Difference]:
    return [
        Difference(seed, 1, str(place), wanted.get(place), found.get(place), "verdict")
        for place in sorted({*wanted, *found})
        if wanted.get(place) != found.get(place)
    ]


def explain_documents(session: SparkSession, seeds: Sequence[int]) -> list[Difference]:
    """Stage the histories of documents, explain every one, and return every difference."""
    histories = document_histories(seeds)
    with Lab(session) as lab:
        documents = LabDocuments(lab, topics=topics_of(histories))
        cuts = {history.seed: landings(history, 1, late=False) for history in histories}
        documents.land([one for cut in cuts.values() for batch in cut for one in batch], 1)
        documents.run()
        macros = lab.macros(documents._sources, "none")
        sql = macros.documents_to_explain(macros.source_config("sim"), lab.name("stg"))
        staged = read(row[0] for row in lab.session.sql(sql).collect())
    explained: dict[str, list[dict[str, Any]]] = {}
    for key, of_key in itertools.groupby(staged, key=lambda event: event["row_key"]):
        explained[key] = walked(list(of_key))
    differences = []
    for history in histories:
        landed = [record for batch in cuts[history.seed] for record in batch]
        wanted = verdicts_of(landed, history.config, documents=True)
        own = {
            key: events for key, events in explained.items() if events[0]["topic"] in history.topics
        }
        shown = shown_verdicts(event for events in own.values() for event in events)
        differences += _unlike(history.seed, wanted, shown)
        live = set(fold_documents(landed, history.config).documents)
        found = {
            key
            for key, events in own.items()
            if of_events({"source": "s", "table": "t"}, key, events, NO_FACTS, None)["outcome"][
                "what"
            ]
            == "stands"
        }
        differences += [
            Difference(history.seed, 1, key, key in live, key in found, "outcome")
            for key in sorted(live ^ found)
        ]
    return differences
