"""Sources with several tables that report transactions, and what the reference makes of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from dev.simulator.landing import split_into_batches
from dev.simulator.several_tables import NAMES, SeveralTables
from reference import KafkaRecord
from reference.transactions import Cut, Transaction, cut, landed_by, transactions
from tests.support.blocks import source_options

STEPS = 8
NOT_MODELLED = "notes"
# Records of the topic that are no boundaries.
ODD = (
    "no json",
    '{"status":"ABORT","id":"7"}',
    '{"status":"BEGIN"}',
    '{"status":"END","id":"9"}',
    "[]",
)


@dataclass
class Source:
    """A source and what lands of it when."""

    seed: int
    made: SeveralTables
    batches: list[list[KafkaRecord]]
    modelled: tuple[str, ...]

    @property
    def config(self) -> dict[str, Any]:
        """Its block in `debezium_sources`."""
        return source_options(self.made.name, self.made.prefix, provide_transaction_metadata=True)

    def expected(self, count: int) -> tuple[dict[Any, Transaction], list[KafkaRecord], Cut]:
        """Return what the reference makes of the first batches."""
        landed = landed_by(self.batches, count)
        names = {self.made.table_name(name): name for name in self.modelled}
        topics = {self.made.topic(name): self.made.table_name(name) for name in self.modelled}
        records: dict[str, list[KafkaRecord]] = {table: [] for table in names}
        for record in landed:
            if record.topic in topics:
                records[topics[record.topic]].append(record)
        found, odd = transactions(
            [record for record in landed if record.topic == self.made.transaction_topic],
            records,
            {table: self.made.configs()[table] for table in names},
            {self.made.collection(name): table for table, name in names.items()},
        )
        return found, odd, cut(found, self.made.name)


def draw_source(seed: int, connector: str, *, most: int, late: bool, **options: Any) -> Source:
    """Return the source of a seed."""
    rng = random.Random(f"{connector} {seed}")
    drawn = {"partitions": rng.choice((1, 1, 2)), "keeps_counters": rng.random() < 0.7}
    made = SeveralTables(seed, connector, prefix=f"bank{seed}", **(drawn | options))
    made.run(STEPS, ends=rng.random() < 0.5)
    log = list(made.log)
    topic = made.boundaries[0].topic
    for number, text in enumerate(rng.sample(ODD, rng.randint(0, 2))):
        record = KafkaRecord(topic, 0, 100_000 + number, log[-1].timestamp_ms, None, text, ())
        log.insert(rng.randrange(len(log)), record)
    batches = split_into_batches(log, rng, late=late, duplicates=False, most=most)
    leaves_out = rng.random() < 0.5
    modelled = tuple(name for name in NAMES if not (leaves_out and name == NOT_MODELLED))
    return Source(seed, made, batches, modelled)


def lacking_at_the_cut(source: Source) -> Iterator[str]:
    """Yield transactions within a cut of which events had not landed yet."""
    whole, _, _ = source.expected(len(source.batches))
    for batch in range(1, len(source.batches) + 1):
        found, _, reached = source.expected(batch)
        if reached.position is None:
            continue
        for key, one in whole.items():
            landed = found[key].landed if key in found else {}
            if one.high is not None and one.high <= reached.position and landed != one.landed:
                yield f"seed {source.seed}, batch {batch}, {key}: {landed} of {one.landed}"
