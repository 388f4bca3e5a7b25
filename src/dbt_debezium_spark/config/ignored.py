"""Landed records that the operator takes out: nothing is read from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.config.errors import (
    ConfigError,
    expect_known,
    expect_list,
    expect_mapping,
    expect_text,
)

KEYS = ("topic", "partition", "offset", "reason")
EXAMPLE = '{topic: dbserver1.public.orders, partition: 0, offset: 17, reason: "cut by a proxy"}'


@dataclass(frozen=True)
class IgnoredRecord:
    """One record, by where it lies in Kafka, and why it is taken out."""

    topic: str
    partition: int
    offset: int
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """Return the entry in the form it is configured in."""
        return {name: getattr(self, name) for name in KEYS}


def read_ignored(value: Any, where: str) -> tuple[IgnoredRecord, ...]:
    """Return the configured records in the order of where they lie.

    Raises:
        ConfigError: an entry does not name one record and a reason, or names one a second time.
    """
    entries = expect_list(value if value is not None else [], where)
    records = [_read_record(one, f"{where}[{number}]") for number, one in enumerate(entries)]
    records.sort(key=lambda one: (one.topic, one.partition, one.offset))
    places = [(one.topic, one.partition, one.offset) for one in records]
    for place in places:
        if places.count(place) > 1:
            raise ConfigError(f"{where} names the record {place} twice", "Remove one of them")
    return tuple(records)


def _read_record(value: Any, where: str) -> IgnoredRecord:
    entry = expect_mapping(value, where)
    expect_known(entry, KEYS, where)
    numbers = {name: _number(entry.get(name), f"{where}.{name}") for name in KEYS[1:3]}
    return IgnoredRecord(
        topic=expect_text(entry.get("topic"), f"{where}.topic", "dbserver1.public.orders"),
        **numbers,
        reason=expect_text(entry.get("reason"), f"{where}.reason", "cut by a proxy"),
    )


def _number(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ConfigError(f"{where} is {value!r}", f"Write a number from 0 up, as in `{EXAMPLE}`")
    return value
