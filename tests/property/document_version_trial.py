"""Random histories of MongoDB collections whose versions are held against the reference."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pyspark.sql import SparkSession

from dev.simulator.mongodb import DocumentHistory
from reference import KafkaRecord
from reference.as_of import document_cuts
from reference.document_versions import document_versions
from reference.versions import Options, Version
from tests.property.documents import document_histories, topics_of
from tests.property.histories import BATCHES, Difference, landings
from tests.property.version_trial import TIMES, TOLD, configured
from tests.support.documents import COLLECTION, LabDocuments, columns_of
from tests.support.lab import Lab

# members of documents that histories have
FIELDS = [{"name": name, "path": name, "type": "json"} for name in ("n", "address", "tags")]
_MORE = ("key", "is_deleted", "unknown", "row")


def keep_document_versions(
    session: SparkSession,
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
    lab = Lab(session)
    try:
        collection = LabDocuments(
            lab,
            topics=topics_of(histories),
            fields=FIELDS,
            options={"tables": {COLLECTION: {"history": configured(options)}}},
        )
        return _keep(collection, histories, options, most, late, progress)
    finally:
        lab.drop()


def _keep(
    collection: LabDocuments,
    histories: Sequence[DocumentHistory],
    options: Options,
    most: int,
    late: bool,
    progress: Callable[[str], None],
) -> list[Difference]:
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
                    differences.append(_difference(history.seed, number + 1, key, one, other))
            if number + 1 == len(batches) and options.track is None:
                keys = {version.key for version in expected}
                rows = [row for key in keys for row in by_key.get(key, ())]
                differences += _compare_as_of(history, said, rows)
        differences += [
            _difference(-1, number + 1, key, None, other) for key, other in sorted(found.items())
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
    frame = collection.versions().selectExpr(
        *(f"unix_micros(_cdc_{name}) as micros_{name}" for name in TIMES), "*"
    )
    rows = frame.collect()
    ids = [row["_cdc_scd_id"] for row in rows]
    assert len({*ids}) == len(ids), "a version is there twice"
    told = []
    for row in rows:
        said = {name: row[f"_cdc_{name}"] for name in TOLD}
        said |= {name: row[f"micros_{name}"] for name in TIMES}
        said["key"] = row["_cdc_key"]
        said["is_deleted"] = "_cdc_is_deleted" in row and row["_cdc_is_deleted"]
        said["unknown"] = sorted(row["_cdc_unavailable"] or [])
        said["row"] = {name: row[name] for name in columns_of(FIELDS)}
        told.append(said)
    return told


def _expected(version: Version) -> dict[str, Any]:
    said = {name: getattr(version, name) for name in (*TOLD, *TIMES, *_MORE)}
    _, incarnation, event, *gap = version.scd_id
    found = hashlib.md5(f"{version.key}|{incarnation}|{event}".encode()).hexdigest()
    said["scd_id"] = f"{found}/deleted" if gap else found
    said["unknown"] = sorted(version.unknown)
    return said


def _difference(
    seed: int, batch: int, key: Any, one: Mapping[str, Any] | None, other: Mapping[str, Any] | None
) -> Difference:
    if one is not None and other is not None:
        names = [name for name in one if one[name] != other[name]]
        one, other = {n: one[n] for n in names}, {n: other[n] for n in names}
    return Difference(seed, batch, str(key), one, other, "version of mongodb")
