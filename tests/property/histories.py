"""Random histories that fit into one table, what of them lands when, and where rows differ."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dev.simulator import History, random_features, random_history, split_into_batches
from dev.simulator.mongodb import DocumentHistory
from reference import Epoch, Folded, KafkaRecord
from tests.property.plain_values import comparable, exact_text, plain_value
from tests.support.transforms import transformed

BATCHES = 4  # into which a history is cut, at most
KEYS = 1000  # ids of one history: from its number times this


@dataclass
class Difference:
    """A row of a history that Spark and the reference see differently."""

    seed: int
    batch: int
    key: str
    expected: Any
    found: Any
    where: str = ""

    def __str__(self) -> str:
        """Say what differs, for a person."""
        return (
            f"{self.where} seed {self.seed}, after batch {self.batch}, key {self.key}:"
            f"\n  reference {self.expected}\n  found     {self.found}"
        )


def check(differences: Sequence[Any]) -> None:
    """Fail with the first differences; each names the connector's seed, the batch and the key."""
    assert not differences, "\n".join(map(str, differences[:10]))


def histories_of(
    seeds: Sequence[int],
    connector: str,
    *,
    topic: str = "simulated.public.articles",
    number: int = 0,
    alone: bool | None = None,
    transforms: bool = True,
    **fixed: Any,
) -> list[History]:
    """Return one history per seed; all fit into one table with one configuration.

    The first seed draws what the table and the source have in common.

    Args:
        seeds: of the histories.
        connector: of all of them.
        topic: what their topics begin with.
        number: of the first history, which says its ids: no two of a table have the same.
        alone: the source has no other history, which may then use what binds a whole source.
        transforms: each history has a transform of its records (`tests/support/transforms.py`).
        fixed: switches of `Features` that are not drawn.
    """
    rng = random.Random(f"{connector} {seeds[0]}")
    common: dict[str, Any] = {
        "key": rng.choice(("single", "single", "composite", "none")),
        "full_identity": rng.random() < 0.3,
    }
    if connector == "oracle":
        common["binary"] = rng.choice(("bytes", "hex", "base64", "base64-url-safe"))
    if connector == "mysql":
        common["compressed"] = rng.random() < 0.3
    alone = len(seeds) == 1 if alone is None else alone
    if not alone:
        # boundaries hold for a whole source, by time
        common["recreate_topic"] = False
    common |= fixed
    histories = []
    for place, seed in enumerate(seeds):
        own = random.Random(seed)
        history = random_history(
            seed,
            connector,
            topic=f"{topic}.h{seed}",
            key_base=(number + place) * KEYS,
            keys=own.randint(2, 7),
            steps=own.randint(1, 40),
            features=random_features(own, connector, **common),
        )
        if not alone:
            history.config = replace(history.config, epochs=tuple(_by_offset(history)))
        histories.append(transformed(history) if transforms else history)
    return histories


def _by_offset(history: History) -> Iterator[Epoch]:
    """Yield the history's epochs as offsets of its own topics, so that they bind no other."""
    for epoch in history.config.epochs:
        if epoch.from_ms is None:
            yield epoch
            continue
        later = [record for record in history.records if record.timestamp_ms >= epoch.from_ms]
        for topic in history.topics:
            offsets: dict[int, int] = {}
            for record in later:
                if record.topic == topic:
                    first = offsets.get(record.partition, record.offset)
                    offsets[record.partition] = min(record.offset, first)
            if offsets:
                yield replace(epoch, from_ms=None, topic=topic, offsets=offsets)


def landings(
    history: History | DocumentHistory, most: int, *, late: bool = True
) -> list[list[KafkaRecord]]:
    """Cut a history into batches of what each landing run adds: a record lands once.

    How it is cut depends on its seed and on how many batches there are at most.
    """
    rng = random.Random(history.seed)
    # what lands twice may land early
    batches = split_into_batches(history.records, rng, late=late, duplicates=late, most=most)
    landed: set[tuple[Any, ...]] = set()
    once = []
    for batch in batches:
        fresh = []
        for record in batch:
            place = (record.topic, record.partition, record.offset)
            identity = (*place, record.timestamp_ms, record.value)
            if identity not in landed:
                landed.add(identity)
                fresh.append(record)
        once.append(fresh)
    return once


def source_block(histories: Sequence[History]) -> dict[str, Any]:
    """Return the configuration of a source that has these histories, without its input."""
    block = histories[0].source_config()
    epochs = [epoch for history in histories for epoch in history.source_config().get("epochs", [])]
    block.pop("epochs", None)
    return block | ({"epochs": epochs} if epochs else {})


def expected_values(history: History, row: Mapping[str, Any]) -> dict[str, str]:
    """Return what Spark must show of a row of raw JSON values, as comparable texts."""
    values = {}
    for column in history.declared_columns():
        raw = row.get(column["name"])
        values[column["name"]] = comparable(plain_value(column, raw))
        semantic = column.get("semantic") or ""
        zoned = semantic.endswith("ZonedTimestamp") and history.connector in ("sqlserver", "oracle")
        if zoned or semantic.endswith("NanoTimestamp"):
            values[f"_cdc_text_{column['name']}"] = comparable(exact_text(column, raw))
        elif semantic.endswith("time.Date") and history.connector == "postgresql":
            # infinite dates are beyond the type, and histories have none
            values[f"_cdc_text_{column['name']}"] = comparable(None)
    return values


def name_of(history: History, values: Mapping[str, str]) -> str:
    """Return what names a row: its key's columns, or all of it where the table has none."""
    if history.table.key:
        return json.dumps([values[name] for name in history.table.key])
    return json.dumps(values, sort_keys=True)


def compare(
    history: History,
    batch: int,
    expected: Folded,
    found: Mapping[str, Any],
    *,
    by_record_key: bool = False,
) -> Iterator[Difference]:
    """Yield rows that differ.

    `found`: values by record key or by the key's columns, or how often, of a table without a key.
    """
    wanted: dict[str, Any] = {}
    if history.table.key:
        for key, row in expected.rows.items():
            values = expected_values(history, row)
            wanted[key if by_record_key else name_of(history, values)] = values
    else:
        for text, count in expected.multiset.items():
            wanted[name_of(history, expected_values(history, json.loads(text)))] = count
    for key in sorted(set(wanted) | set(found)):
        if wanted.get(key) != found.get(key):
            yield Difference(history.seed, batch, key, *_differing(wanted.get(key), found.get(key)))


def _differing(expected: Any, found: Any) -> tuple[Any, Any]:
    if not (isinstance(expected, dict) and isinstance(found, dict)):
        return expected, found
    names = [name for name in expected if expected[name] != found.get(name)]
    return {n: expected[n] for n in names}, {n: found.get(n) for n in names}
