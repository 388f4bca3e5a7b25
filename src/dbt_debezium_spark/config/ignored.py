"""Landed records that the operator excludes from all models."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BeforeValidator

from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.errors import problem
from dbt_debezium_spark.config.values import LIST, text, whole_number

EXAMPLE = '{topic: dbserver1.public.orders, partition: 0, offset: 17, reason: "cut by a proxy"}'
_FROM_0_UP = BeforeValidator(whole_number(f"Write a number from 0 up, as in `{EXAMPLE}`", 0))


class IgnoredRecord(Block):
    """One record, by its place in Kafka, and the reason for its exclusion."""

    topic: Annotated[str, text("dbserver1.public.orders")]
    partition: Annotated[int, _FROM_0_UP]
    offset: Annotated[int, _FROM_0_UP]
    reason: Annotated[str, text("cut by a proxy")]


def _by_place(entries: tuple[IgnoredRecord, ...]) -> tuple[IgnoredRecord, ...]:
    """Return the records in the order of their places.

    Raises:
        PydanticCustomError: a record is listed twice.
    """
    records = sorted(entries, key=lambda one: (one.topic, one.partition, one.offset))
    places = [(record.topic, record.partition, record.offset) for record in records]
    for place in places:
        if places.count(place) > 1:
            raise problem(f" names the record {place} twice", "Remove one of them")
    return tuple(records)


IgnoredRecords = Annotated[tuple[IgnoredRecord, ...], LIST, AfterValidator(_by_place)]
