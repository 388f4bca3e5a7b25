"""Epochs: the operator declares where source positions restarted without a snapshot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.errors import problem
from dbt_debezium_spark.config.timestamps import utc_text
from dbt_debezium_spark.config.values import LIST, text

REMEDY = 'Write `{from: "2026-01-31T12:00:00Z"}` or `{topic: <topic>, offsets: {"0": 123}}`'


def _offsets(value: Any) -> dict[str, int]:
    if not isinstance(value, Mapping) or not value:
        raise problem(f" is {value!r}", REMEDY)
    offsets = {}
    for partition, offset in value.items():
        # YAML reads an unquoted partition as a number; JSON has only text keys.
        if isinstance(partition, bool) or not str(partition).isdecimal():
            raise problem(f" has the partition {partition!r}", "Write a number from 0 up")
        if isinstance(offset, bool) or not isinstance(offset, int) or offset < 0:
            raise problem(f".{partition} is {offset!r}", "Write an offset from 0 up")
        offsets[str(int(partition))] = offset
    return offsets


class EpochConfig(Block):
    """One restart: from a record timestamp, or from an offset in each partition of a topic."""

    unset = {"from_": None, "topic": None, "offsets": None}

    from_: Annotated[str | None, BeforeValidator(utc_text)] = Field(default=None, alias="from")
    topic: Annotated[str | None, text("dbserver1.public.orders")] = None
    offsets: Annotated[dict[str, int] | None, BeforeValidator(_offsets)] = None

    @classmethod
    def prepare(
        cls, options: dict[str, Any], name: str, context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the options of one of the two forms."""
        if set(options) not in ({"from"}, {"topic", "offsets"}):
            raise problem(f" is {options!r}", REMEDY)
        return options


Epochs = Annotated[tuple[EpochConfig, ...], LIST]
