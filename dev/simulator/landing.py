"""How a log lands: cut into batches, late, twice; and as lines of JSON."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from typing import Any

from dev.simulator.history import iso
from reference import KafkaRecord


def split_into_batches(
    records: Sequence[KafkaRecord],
    rng: random.Random,
    *,
    late: bool = True,
    duplicates: bool = True,
    most: int = 6,
) -> list[list[KafkaRecord]]:
    """Cut a log into at most `most` landing batches; every record is in at least one of them.

    Args:
        records: the log.
        rng: decides.
        late: some records come in a later batch than their neighbours, and batches are shuffled.
        duplicates: some records land twice, in one batch or in two.
        most: highest number of batches.
    """
    count = rng.randint(1, most)
    cuts = sorted(rng.randint(0, len(records)) for _ in range(count - 1))
    batches = [
        list(records[start:end])
        for start, end in zip([0, *cuts], [*cuts, len(records)], strict=True)
    ]
    if late:
        for index, batch in enumerate(batches[:-1]):
            held_back = [record for record in batch if rng.random() < 0.1]
            batches[index] = [record for record in batch if record not in held_back]
            batches[rng.randint(index + 1, count - 1)].extend(held_back)
        if rng.random() < 0.5:
            rng.shuffle(batches)
        for batch in batches:
            if rng.random() < 0.5:
                rng.shuffle(batch)
    if duplicates:
        for record in records:
            if rng.random() < 0.1:
                rng.choice(batches).append(record)
    return [batch for batch in batches if batch]


def to_jsonl(records: Iterable[KafkaRecord], *, iso_timestamps: bool = False) -> str:
    """Return one line of JSON per record, with the columns of the raw contract.

    Timestamps are epoch milliseconds, or ISO texts in UTC.
    """
    return "".join(
        json.dumps(_line(record, iso_timestamps), ensure_ascii=False) + "\n" for record in records
    )


def _line(record: KafkaRecord, iso_timestamps: bool) -> dict[str, Any]:
    timestamp = iso(record.timestamp_ms) if iso_timestamps else record.timestamp_ms
    return {
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "timestamp": timestamp,
        "timestampType": 0,
        "key": record.key,
        "value": record.value,
        "headers": [{"key": key, "value": value} for key, value in record.headers],
    }
