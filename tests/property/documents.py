"""Random histories of MongoDB collections, staged and folded, held against the reference.

Several histories share the models of one collection, each with its own topic and its own ids.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pyspark.sql import SparkSession

from dev.simulator.mongodb import DocumentHistory, document_history
from reference import KafkaRecord
from reference.documents import fold_documents
from tests.property.feed import FeedConsumer
from tests.property.histories import BATCHES, KEYS, Difference, landings
from tests.property.shared_topics import share_topic
from tests.support.blocks import source_options
from tests.support.documents import COLLECTION, Documents, LabDocuments
from tests.support.lab import Lab
from tests.support.lab_source import LabSource
from tests.support.transforms import transformed

PREFIX = "content"
SHARING = ("customers", "journals")
_COLLECTION = re.compile(r'("collection":\s*)"customers"')


def document_histories(seeds: Sequence[int]) -> list[DocumentHistory]:
    """Return a history per seed, with a transform of its records; all fit into one collection."""
    return [
        transformed(
            document_history(seed, topic=f"content.inventory.h{seed}", key_base=number * KEYS)
        )
        for number, seed in enumerate(seeds)
    ]


def topics_of(histories: Iterable[DocumentHistory]) -> list[str]:
    """Return the topics of all histories."""
    return [topic for history in histories for topic in history.topics]


def run_document_trial(
    session: SparkSession,
    seeds: Sequence[int],
    *,
    most: int = BATCHES,
    collection: Callable[[Sequence[str]], Documents] | None = None,
    progress: Callable[[str], None] = lambda text: None,
    feed: bool = False,
) -> list[Difference]:
    """Fold the histories of these seeds, batch by batch, and return every difference.

    How a history is cut depends on its seed and on how many batches there are at most: one of a
    group fails alone as it did there.

    Args:
        session: of a lab.
        seeds: of the histories.
        most: batches into which a history is cut, at most.
        collection: makes the tables for records of these topics; by default in a lab.
        progress: is told what was done.
        feed: a copy follows the change feed, in a lab.
    """
    histories = document_histories(seeds)
    topics = topics_of(histories)
    if collection is not None:
        return run_documents(collection(topics), histories, most, progress)
    options = {"tables": {COLLECTION: {"feed": True}}} if feed else {}
    with Lab(session) as lab:
        documents = LabDocuments(lab, topics=topics, options=options)
        return run_documents(documents, histories, most, progress, feed)


def fold_routed_documents(
    session: SparkSession, first: int, count: int, *, most: int = BATCHES
) -> list[Difference]:
    """Fold `count` topics, each with a history of two collections that have the same ids."""
    source = LabSource(session, "sim", source_options("mongodb", PREFIX))
    source.lab.models = [
        {"name": name, "meta": {"debezium_spark": {"source": "sim", "table": f"inventory.{name}"}}}
        for name in SHARING
    ]
    pairs = []
    for number, seed in enumerate(range(first, first + count)):
        topic = f"{PREFIX}.shared.h{seed}"
        told = {
            name: _told(seed + 50_000 * place, topic, number * KEYS, name)
            for place, name in enumerate(SHARING)
        }
        logs = {name: history.records for name, history in told.items()}
        pairs.append((told, share_topic(logs, random.Random(seed))))
    topics = [shared.records[0].topic for _, shared in pairs]
    labs = [Lab(session) for _ in SHARING]
    collections = {
        name: _sharing(lab, source, name, topics) for name, lab in zip(SHARING, labs, strict=True)
    }
    cuts = [
        landings(replace(told[SHARING[0]], records=shared.records), most) for told, shared in pairs
    ]
    landed: list[KafkaRecord] = []
    differences: list[Difference] = []
    try:
        for batch in range(1, max(map(len, cuts)) + 1):
            new = [one for parts in cuts for part in parts[batch - 1 : batch] for one in part]
            landed += new
            source.land(new)
            for name, collection in collections.items():
                collection.land(new, batch)
                collection.run()
                found = _found(collection)
                for told, shared in pairs:
                    said = shared.reader(name)(landed)
                    differences += _compare(told[name], batch, said, found)
                differences += _of_no_history(found, batch)
            if differences:
                break
    finally:
        for lab in (source.lab, *labs):
            lab.drop()
    return differences


def _told(seed: int, topic: str, key_base: int, name: str) -> DocumentHistory:
    """Return a history of a collection of that name, in a topic with other offsets.

    An epoch names an offset: the next history without one, and with one topic, is taken.
    """
    histories = (
        document_history(one, topic=topic, key_base=key_base) for one in itertools.count(seed, 500)
    )
    history = next(
        one for one in histories if not one.config.epochs and one.records and one.topics == [topic]
    )
    records = []
    for record in history.records:
        value = record.value
        if value is not None and '"source"' in value:
            value, found = _COLLECTION.subn(rf'\1"{name}"', value)
            assert found == 1, value
        records.append(replace(record, value=value))
    return replace(history, seed=seed, records=records)


def _sharing(lab: Lab, source: LabSource, name: str, topics: Sequence[str]) -> LabDocuments:
    lab.models = source.lab.models
    return LabDocuments(
        lab,
        topics=topics,
        collection=f"inventory.{name}",
        origins=[{"name": PREFIX, "db": "inventory", "collection": name}],
        schemas=source.lab.name("schemas"),
    )


def _of_no_history(found: Mapping[str, tuple[Any, ...]], batch: int) -> list[Difference]:
    return [Difference(-1, batch, key, None, found[key]) for key in sorted(found)[:1]]


def run_documents(
    collection: Documents,
    histories: Sequence[DocumentHistory],
    most: int,
    progress: Callable[[str], None] = lambda text: None,
    feed: bool = False,
) -> list[Difference]:
    """Land histories in the tables of one collection, and return every difference.

    Args:
        collection: the tables.
        histories: with topics and ids of their own.
        most: batches into which a history is cut, at most.
        progress: is told what was done.
        feed: a copy follows the change feed.
    """
    consumer = FeedConsumer(lambda state: collection.rows("all"), lambda key: -1)
    cuts = [landings(history, most) for history in histories]
    differences: list[Difference] = []
    for number in range(max(len(batches) for batches in cuts)):
        landed = [one for batches in cuts for one in (batches[number : number + 1] or [[]])[0]]
        collection.land(landed, number + 1)
        collection.run()
        found = _found(collection)
        for history, batches in zip(histories, cuts, strict=True):
            said = [record for batch in batches[: number + 1] for record in batch]
            differences += _compare(history, number + 1, said, found)
        differences += _of_no_history(found, number + 1)
        if feed:
            differences += consumer.follow(number + 1)
        progress(f"batch {number + 1}: {len(landed)} records")
        if differences:
            break
    return differences


def _found(collection: Documents) -> dict[str, tuple[Any, ...]]:
    """Return by key: the document, whether it is incomplete, replays, unexplained ones."""
    documents, incomplete = collection.documents(), collection.incomplete()
    replays = collection.replays()
    return {
        key: (documents.get(key), key in incomplete, *replays.get(key, (0, 0)))
        for key in {*documents, *incomplete, *replays}
    }


def _compare(
    history: DocumentHistory,
    batch: int,
    said: list[KafkaRecord],
    found: dict[str, tuple[Any, ...]],
) -> list[Difference]:
    """Compare the keys of a history, and take them out of what was found."""
    folded = fold_documents(said, history.config)
    differences = []
    for key in {*folded.documents, *folded.replays}:
        expected = (
            folded.documents.get(key),
            key in folded.incomplete,
            folded.replays[key],
            folded.unexplained[key],
        )
        own = found.pop(key, (None, False, 0, 0))
        if own != expected:
            differences.append(Difference(history.seed, batch, key, expected, own))
    return differences
