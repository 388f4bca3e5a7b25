"""Random histories of whole sources: catalogued, generated, staged and folded, batch by batch.

Two things need more than one model reading its own topics: tables that share a topic, and tables
whose ends are told by the topic of schema changes.
"""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pyspark.sql import SparkSession

from dev.simulator import History
from reference import KafkaRecord, fold
from tests.property.histories import KEYS, Difference, compare, histories_of, landings, name_of
from tests.property.plain_values import comparable
from tests.property.shared_topics import Landed, Place, share_topic
from tests.support.lab import Lab
from tests.support.lab_source import LabSource
from tests.support.table_columns import is_of_table

SOURCE, PREFIX = "sim", "simulated"
WITH_ENDS = ("mysql", "mariadb", "oracle")
# what binds a whole source, or another topic
_ALONE: dict[str, Any] = {
    "second_topic": False,
    "recreate_topic": False,
    "restore": "no",
    # an embedded schema calls bytes that are written as texts a string
    "binary": "bytes",
    # records are rewritten as those of topics and tables that they share
    "transforms": False,
}


@dataclass
class Told:
    """A history of one of a source's tables, and what the reference reads of all that landed."""

    history: History
    read: Callable[[Landed], list[KafkaRecord]]

    @property
    def table(self) -> str:
        """The name of its table."""
        return f"{self.history.table.schema}.{self.history.table.name}"


def fold_routed(
    session: SparkSession, connector: str, first: int, count: int, *, most: int = 3
) -> list[Difference]:
    """Fold `count` topics, each with a history of two tables that have the same keys.

    A tombstone says no table: the rule of shared topics, docs/schema-changes.md, is that of `read`.
    """
    ours = _drawn(connector, range(first, first + count))
    others = _drawn(connector, range(first + 50_000, first + 50_000 + count), like=ours[0])
    told: list[Told] = []
    batches: list[list[list[KafkaRecord]]] = []
    for one, other in zip(ours, others, strict=True):
        both = (one, _in_table(other, "journals", one.topic))
        shared = share_topic({of.table.name: of.records for of in both}, random.Random(one.seed))
        batches.append(landings(replace(one, records=shared.records), most))
        told += [Told(of, shared.reader(of.table.name)) for of in both]
    return _fold(session, Lab(session), told, batches)


def fold_ended(
    session: SparkSession, connector: str, first: int, count: int, *, most: int = 3
) -> list[Difference]:
    """Fold `count` tables whose truncates are told as DROP or TRUNCATE by the schema-change topic.

    The reference reads each as a truncate at that record's own place (docs/semantics.md).
    """
    assert connector in WITH_ENDS
    told, batches = [], []
    offsets = itertools.count()
    for number, drawn in enumerate(
        _drawn(connector, range(first, first + count), truncates=True, compaction=False)
    ):
        history = _in_table(drawn, f"articles_{number}", drawn.topic)
        records, truncates = _with_definitions(history, offsets)
        batches.append(landings(replace(history, records=records), most))
        told.append(Told(history, _with_truncates(history, truncates)))
    return _fold(session, _WholeTables(session), told, batches)


def _drawn(
    connector: str, seeds: Sequence[int], like: History | None = None, **fixed: Any
) -> list[History]:
    if like is not None:
        features = like.features
        fixed |= {name: getattr(features, name) for name in ("key", "full_identity")}
        fixed["compressed"] = features.compressed
    topic = f"{PREFIX}.all.{connector}"
    return histories_of(seeds, connector, topic=topic, alone=False, **_ALONE, **fixed)


def _in_table(history: History, name: str, topic: str) -> History:
    """Return the history as that of a table of another name, in another topic."""
    old, new = (f'"table":{json.dumps(one)}' for one in (history.table.name, name))
    records = []
    for record in history.records:
        value = record.value
        if value is not None and '"source"' in value:
            assert old in value, value
            value = value.replace(old, new)
        records.append(replace(record, topic=topic, value=value))
    return replace(history, topic=topic, table=replace(history.table, name=name), records=records)


def _with_definitions(
    history: History, offsets: Iterator[int]
) -> tuple[list[KafkaRecord], dict[Place, KafkaRecord]]:
    """Return the log with definitions in place of truncates, and those truncates by their place."""
    rng = random.Random(history.seed)
    records, truncates = [], {}
    for record in history.records:
        event = json.loads(record.value) if record.value else None
        event = event.get("payload", event) if isinstance(event, dict) else None
        if not isinstance(event, dict) or event.get("op") != "t":
            records.append(record)
            continue
        place = replace(record, topic=PREFIX, partition=0, offset=next(offsets), headers=())
        definition = _definition(history, event, rng)
        records.append(replace(place, key='{"databaseName":"shop"}', value=json.dumps(definition)))
        truncates[place.topic, 0, place.offset] = replace(
            place, key=None, value=json.dumps(event), headers=record.headers
        )
    return records, truncates


def _definition(history: History, event: Mapping[str, Any], rng: random.Random) -> dict[str, Any]:
    table, source = history.table, event["source"]
    dropped = {"type": "DROP", "id": f'"{table.database}"."{table.schema}"."{table.name}"'}
    if history.connector != "oracle":
        dropped["id"] = f'"{table.schema}"."{table.name}"'
    ddl = rng.choice([f'DROP TABLE "{table.name}"', f'TRUNCATE TABLE "{table.name}"'])
    return {
        "source": source,
        "ts_ms": event.get("ts_ms"),
        "databaseName": source.get("db"),
        "schemaName": source.get("schema"),
        "ddl": ddl,
        "tableChanges": [{**dropped, "table": None}] if ddl.startswith("DROP") else [],
    }


def _with_truncates(
    history: History, truncates: Mapping[Place, KafkaRecord]
) -> Callable[[Landed], list[KafkaRecord]]:
    def read(landed: Landed) -> list[KafkaRecord]:
        own = [record for record in landed if record.topic == history.topic]
        places = [(record.topic, record.partition, record.offset) for record in landed]
        return own + [truncates[place] for place in places if place in truncates]

    return read


class _WholeTables(Lab):
    """A lab in which a truncate is of all topics of a model, as in dbt."""

    has_many_tables = False


def _fold(
    session: SparkSession,
    lab: Lab,
    told: Sequence[Told],
    batches: Sequence[Sequence[list[KafkaRecord]]],
) -> list[Difference]:
    """Land batch by batch, generate and run, and hold every table against the reference."""
    block = dict(told[0].history.source_config())
    block |= {"topic_prefix": PREFIX, "tables": {one.table: _declared(one) for one in told}}
    source = LabSource(session, SOURCE, block, lab)
    landed: list[KafkaRecord] = []
    differences: list[Difference] = []
    try:
        for batch in range(1, max(map(len, batches)) + 1):
            new = [
                record for parts in batches for part in parts[batch - 1 : batch] for record in part
            ]
            landed += new
            source.land(new)
            source.build()
            found = _found(source, [one.history for one in told])
            for one in told:
                expected = fold(one.read(landed), one.history.config)
                own = found.get((one.table, one.history.key_base // KEYS), {})
                differences += compare(one.history, batch, expected, own)
            if differences:
                break
    finally:
        lab.drop()
    return differences


def _declared(one: Told) -> dict[str, Any]:
    table = one.history.source_config()["tables"][one.table]
    return {**table, "key": list(one.history.table.key)} if one.history.table.key else table


def _found(
    source: LabSource, histories: Sequence[History]
) -> dict[tuple[str, int], dict[str, Any]]:
    """Return what is there by table, number of the history, and what names a row."""
    found: dict[tuple[str, int], dict[str, Any]] = {}
    by_table = {f"{one.table.schema}.{one.table.name}": one for one in histories}
    for table in {one["table"] for one in source.models.values()} & by_table.keys():
        history = by_table[table]
        for row in source.state(table):
            if row["_cdc_is_deleted"] or row["_cdc_key"].startswith("!"):
                continue
            values = {name: comparable(row[name]) for name in row.asDict() if is_of_table(name)}
            own = found.setdefault((table, row["id"] // KEYS), {})
            name = name_of(history, values)
            own[name] = values if history.table.key else row["_cdc_count"]
    return found
