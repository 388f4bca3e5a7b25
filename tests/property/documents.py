"""Random histories of MongoDB collections, staged and folded, held against the reference.

Several histories share the models of one collection, each with its own topic and its own ids.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pyspark.sql import SparkSession

from tests.property.histories import BATCHES, KEYS, Difference, landings
from tests.reference import KafkaRecord
from tests.reference.documents import fold_documents
from tests.simulator.mongodb import DocumentHistory, document_history
from tests.support.documents import Documents, LabDocuments
from tests.support.lab import Lab


def run_document_trial(
    session: SparkSession,
    seeds: Sequence[int],
    *,
    most: int = BATCHES,
    collection: Callable[[Sequence[str]], Documents] | None = None,
    progress: Callable[[str], None] = lambda text: None,
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
    """
    histories = [
        document_history(seed, topic=f"content.inventory.h{seed}", key_base=number * KEYS)
        for number, seed in enumerate(seeds)
    ]
    topics = [history.topic for history in histories]
    if collection is not None:
        return _run(collection(topics), histories, most, progress)
    lab = Lab(session)
    try:
        return _run(LabDocuments(lab, topics=topics), histories, most, progress)
    finally:
        lab.drop()


def _run(
    collection: Documents,
    histories: Sequence[DocumentHistory],
    most: int,
    progress: Callable[[str], None],
) -> list[Difference]:
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
        if found:
            key = sorted(found)[0]
            differences.append(Difference(-1, number + 1, key, None, found[key]))
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
