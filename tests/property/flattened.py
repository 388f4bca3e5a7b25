"""Random histories behind Debezium's ExtractNewRecordState."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import replace

from dbt_debezium_spark.flattened.fields import flattened_fields
from dbt_debezium_spark.flattened.positions import recommended_fields
from dev.simulator import History, mongodb
from dev.simulator.flatten import Transform
from dev.simulator.flatten_documents import flatten_document, plain_value
from dev.simulator.mongodb import DocumentHistory
from reference import canonical_json
from reference.flattened import Flattened

# What `add.fields` can look like, as functions of the recommended fields.
ALL_FIELDS = "all fields"
WITHOUT_OP = "without op"
IN_HEADERS = "in headers"
RENAMED = "renamed"
WITH_TOMBSTONES = "with tombstones"
TOMBSTONES = "tombstones with headers"
FORMS = (ALL_FIELDS, WITHOUT_OP, IN_HEADERS, RENAMED, WITH_TOMBSTONES, TOMBSTONES)


def transform_of(connector: str, form: str) -> Transform:
    """Return the transform's options in one form."""
    paths = [*recommended_fields(connector), "transaction.id", "transaction.total_order"]
    fields = ",".join(paths)
    if form == WITHOUT_OP:
        return Transform(add_fields=",".join(path for path in paths if path != "op"), is_old=True)
    if form == IN_HEADERS:
        return Transform(add_fields="op,ts_ms", add_headers=fields)
    if form == RENAMED:
        named = ",".join(f"{path}:N{number}" for number, path in enumerate(paths))
        return Transform(add_fields=named, prefix="added_")
    if form == WITH_TOMBSTONES:
        return Transform(add_fields=fields, mode="rewrite-with-tombstone")
    if form == TOMBSTONES:
        return Transform(add_headers=fields, mode="tombstone", header_prefix="h_")
    return Transform(add_fields=fields)


def options_of(transform: Transform) -> dict[str, str]:
    """Return the block `flattened` for a transform."""
    options = {
        "add_fields": transform.add_fields,
        "add_headers": transform.add_headers,
        "add_headers_prefix": transform.header_prefix,
    }
    if transform.prefix != "__":
        options["add_fields_prefix"] = transform.prefix
    return {name: text for name, text in options.items() if text}


def flattened_history(history: History, transform: Transform) -> History:
    """Return a history as its records look behind the transform."""
    records = [found for one in history.records if (found := transform.flatten(one)) is not None]
    prefix = history.topic.split(".")[0]
    names = flattened_fields({"connector": history.connector, "flattened": _all_options(transform)})
    assert names is not None
    fields = {name: path for path, one in names["members"].items() for name in one["fields"]}
    headers = {name: path for path, one in names["members"].items() for name in one["headers"]}
    return replace(
        history,
        records=records,
        config=replace(
            history.config,
            complete_before=False,
            flattened=Flattened(history.connector, prefix, fields, headers),
        ),
        flattened=options_of(transform),
    )


def flattened_group(histories: Sequence[History], form: str) -> list[History]:
    """Return histories that share models behind one transform."""
    transform = transform_of(histories[0].connector, form)
    return [flattened_history(history, transform) for history in histories]


def flattened_documents(
    seed: int, *, topic: str, key_base: int, transform: Transform
) -> DocumentHistory | None:
    """Return a history of whole documents behind the transform; None for one of changes.

    A change that the transform writes without its document looks like a document.
    """
    simulation = mongodb.Simulation(random.Random(seed), topic, key_base)
    if simulation.line.style != "streams":
        return None
    simulation.capture = "post_image"
    history = simulation.run(seed)
    records = []
    for record in history.records:
        found = flatten_document(transform, record)
        if found is not None:
            records.append(found)
    names = flattened_fields({"connector": "mongodb", "flattened": _all_options(transform)})
    assert names is not None
    fields = {name: path for path, one in names["members"].items() for name in one["fields"]}
    truth = {
        json.dumps(plain_value(json.loads(key)), separators=(",", ":"), ensure_ascii=False):
            canonical_json(plain_value(json.loads(text)))
        for key, text in history.truth.items()
    }  # fmt: skip
    flattened = Flattened("mongodb", topic.split(".")[0], fields, {})
    return replace(
        history, records=records, truth=truth, config=replace(history.config, flattened=flattened)
    )


def _all_options(transform: Transform) -> dict[str, str]:
    return {
        "add_fields": transform.add_fields,
        "add_fields_prefix": transform.prefix,
        "add_headers": transform.add_headers,
        "add_headers_prefix": transform.header_prefix,
    }
