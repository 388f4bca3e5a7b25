"""Random histories of MongoDB collections whose versions are held against the reference."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dev.simulator.mongodb import DocumentHistory
from reference import KafkaRecord
from reference.as_of import document_cuts
from reference.document_versions import document_versions
from reference.versions import Options, Version
from tests.property.documents import document_histories, topics_of
from tests.property.histories import BATCHES, Difference, landings
from tests.property.version_trial import (
    TIMES,
    TOLD,
    configured,
    scd_id,
    told_of_version,
    version_difference,
    with_times,
)
from tests.support.documents import COLLECTION, LabDocuments, columns_of
from tests.support.lab import Lab, in_a_lab

# members of documents that histories have
FIELDS = [{"name": name, "path": name, "type": "json"} for name in ("n", "address", "tags")]
_MORE = ("key", "is_deleted", "unknown", "row")


@in_a_lab
def keep_document_versions(
    lab: Lab,
    seeds: Sequence[int],
    options: Options = Options(),  # noqa: B008
    *,
    most: int = BATCHES,
    late: bool = True,
    progress: Callable[[str], None] = lambda text: None,
) -> list[Difference]:
    """Keep the versions of the histories of these seeds, and return every difference.

    The arguments are those of `documents.run_document_trial`.
    """
    histories = document_histories(seeds)
    collection = LabDocuments(
        lab,
        topics=topics_of(histories),
        fields=FIELDS,
        options={"tables": {COLLECTION: {"history": configured(options)}}},
    )
    cuts = [landings(history, most, late=late) for history in histories]
    differences: list[Difference] = []
    for number in range(max(len(batches) for batches in cuts)):
        landed = [one for batches in cuts for one in (batches[number : number + 1] or [[]])[0]]
        collection.land(landed, number + 1)
        collection.run()
        collection.keep_versions()
        told = _told_versions(collection)
        by_key: dict[str, list[dict[str, Any]]] = {}
        found: dict[Any, Any] = {}
        for row in told:
            by_key.setdefault(row["key"], []).append(row)
            found[row["key"], row["version"], row["is_deleted"]] = row
        for history, batches in zip(histories, cuts, strict=True):
            said = [record for batch in batches[: number + 1] for record in batch]
            expected = document_versions(
                said, history.config, options, fields=[field["name"] for field in FIELDS]
            )
            for version in expected:
                key = (version.key, version.version, version.is_deleted)
                one, other = _expected(version), found.pop(key, None)
                if one != other:
                    differences.append(
                        version_difference(history.seed, number + 1, key, one, other, "mongodb")
                    )
            if number + 1 == len(batches) and options.track is None:
                keys = {version.key for version in expected}
                rows = [row for key in keys for row in by_key.get(key, ())]
                differences += _compare_as_of(history, said, rows)
        differences += [
            version_difference(-1, number + 1, key, None, other, "mongodb")
            for key, other in sorted(found.items())
        ]
        progress(f"batch {number + 1}: {len(landed)} records, {len(differences)} differences")
        if differences:
            break
    return differences


def _compare_as_of(
    history: DocumentHistory, landed: Sequence[KafkaRecord], rows: Sequence[Mapping[str, Any]]
) -> list[Difference]:
    """Return how documents as of drawn events' times differ from those of the log cut there."""
    rng = random.Random(f"as of {history.seed}")
    differences = []
    for instant, folded in document_cuts(
        landed, history.config, lambda instants: rng.sample(instants, min(2, len(instants)))
    ):
        wanted = {
            key: (document, key in folded.incomplete) for key, document in folded.documents.items()
        }
        shown: dict[str, Any] = {}
        for row in rows:
            holds = row["valid_from"] <= instant and not row["is_deleted"]
            if holds and (row["valid_to"] is None or instant < row["valid_to"]):
                assert row["key"] not in shown, f"two rows of {row['key']} at {instant}"
                shown[row["key"]] = (row["row"]["document"], "document" in row["unknown"])
        for key in sorted({*wanted, *shown}):
            if wanted.get(key) != shown.get(key):
                one, other = wanted.get(key), shown.get(key)
                differences.append(
                    Difference(history.seed, -1, f"{key} as of {instant}", one, other, "mongodb")
                )
    return differences


def _told_versions(collection: LabDocuments) -> list[dict[str, Any]]:
    """Return what the history shows; no two of its rows are one version."""
    rows = with_times(collection.versions())
    ids = [row["_cdc_scd_id"] for row in rows]
    assert len({*ids}) == len(ids), "a version is there twice"
    return [
        told_of_version(row) | {"row": {name: row[name] for name in columns_of(FIELDS)}}
        for row in rows
    ]


def _expected(version: Version) -> dict[str, Any]:
    said = {name: getattr(version, name) for name in (*TOLD, *TIMES, *_MORE)}
    said["scd_id"] = scd_id(version, version.key)
    said["unknown"] = sorted(version.unknown)
    return said
