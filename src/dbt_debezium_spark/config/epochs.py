"""Epochs: source positions that started again without a snapshot, as the operator declares them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.config.errors import (
    ConfigError,
    expect_known,
    expect_list,
    expect_mapping,
    expect_text,
)
from dbt_debezium_spark.config.timestamps import utc_text

KEYS = ("from", "topic", "offsets")
REMEDY = 'Write `{from: "2026-01-31T12:00:00Z"}` or `{topic: <topic>, offsets: {"0": 123}}`'


@dataclass(frozen=True)
class EpochConfig:
    """One restart: from a record timestamp on, or from an offset on per partition of a topic."""

    from_: str | None = None
    topic: str | None = None
    offsets: Mapping[str, int] | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the entry in the form it is configured in."""
        if self.from_ is not None:
            return {"from": self.from_}
        return {"topic": self.topic, "offsets": dict(self.offsets or {})}


def read_epochs(value: Any, where: str) -> tuple[EpochConfig, ...]:
    """Return the configured epochs in the order they are written.

    Raises:
        ConfigError: an entry is neither of the two forms.
    """
    entries = expect_list(value if value is not None else [], where)
    return tuple(_read_epoch(one, f"{where}[{number}]") for number, one in enumerate(entries))


def _read_epoch(value: Any, where: str) -> EpochConfig:
    entry = expect_mapping(value, where)
    expect_known(entry, KEYS, where)
    if set(entry) == {"from"}:
        return EpochConfig(from_=utc_text(entry["from"], f"{where}.from"))
    if set(entry) != {"topic", "offsets"}:
        raise ConfigError(f"{where} is {dict(entry)!r}", REMEDY)
    topic = expect_text(entry["topic"], f"{where}.topic", "dbserver1.public.orders")
    offsets = entry["offsets"]
    if not isinstance(offsets, Mapping) or not offsets:
        raise ConfigError(f"{where}.offsets is {offsets!r}", REMEDY)
    checked = {}
    for partition, offset in offsets.items():
        # YAML reads an unquoted partition as a number; JSON knows text keys only.
        if isinstance(partition, bool) or not str(partition).isdecimal():
            raise ConfigError(
                f"{where}.offsets has the partition {partition!r}", "Write a number from 0 up"
            )
        if isinstance(offset, bool) or not isinstance(offset, int) or offset < 0:
            raise ConfigError(
                f"{where}.offsets.{partition} is {offset!r}", "Write an offset from 0 up"
            )
        checked[str(int(partition))] = offset
    return EpochConfig(topic=topic, offsets=checked)
