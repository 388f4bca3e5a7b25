"""The replica identities of a PostgreSQL table, which no record contains, with their start."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainSerializer,
    ValidationInfo,
)

from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.errors import problem
from dbt_debezium_spark.config.timestamps import utc_text
from dbt_debezium_spark.config.values import as_one_of, one_of, unless_none

REPLICA_IDENTITIES = ("default", "full", "index", "nothing")


class ReplicaIdentity(Block):
    """One identity, for records from a timestamp on, or from the first record on."""

    unset = {"from_": None}

    is_: Annotated[str, one_of(REPLICA_IDENTITIES)] = Field(alias="is")
    from_: Annotated[str | None, unless_none(utc_text)] = Field(default=None, alias="from")


def _entries(value: Any, info: ValidationInfo) -> list[Any] | None:
    """Return the entries of the option.

    Args:
        value: one identity for all records, or a list of `{is, from}` in the order of `from`, which
            is a record timestamp. The first entry may omit `from`.
        info: context with the source's connector.

    Raises:
        PydanticCustomError: the connector has no replica identities, or the list is empty.
    """
    if value is None:
        return None
    connector = (info.context or {})["connector"]
    if connector != "postgresql":
        raise problem(
            f" is set for the connector `{connector}`",
            "Remove it: only PostgreSQL has replica identities",
        )
    if not isinstance(value, list | tuple):
        return [{"is": as_one_of(value, REPLICA_IDENTITIES)}]
    if not value:
        raise problem(" is an empty list", "Write an identity or a list of entries, or remove it")
    return list(value)


def _in_order(entries: tuple[ReplicaIdentity, ...] | None) -> tuple[ReplicaIdentity, ...] | None:
    """Refuse timestamps that do not increase.

    Raises:
        PydanticCustomError: an entry after the first has no timestamp, or no later one.
    """
    for number, entry in enumerate(entries or ()):
        if number == 0:
            continue
        if entry.from_ is None:
            raise problem(
                f"[{number}].from is missing",
                "Add the record timestamp from which it applies: only the first entry may omit it",
            )
        if entry.from_ <= ((entries or ())[number - 1].from_ or ""):
            raise problem(
                f"[{number}].from is `{entry.from_}`, not after the entry before it",
                "Order the entries by `from`",
            )
    return entries


def _serialized_entries(entries: tuple[ReplicaIdentity, ...] | None) -> Any:
    if entries is not None and len(entries) == 1 and entries[0].from_ is None:
        return entries[0].is_
    return None if entries is None else [entry.to_dict() for entry in entries]


ReplicaIdentities = Annotated[
    tuple[ReplicaIdentity, ...] | None,
    BeforeValidator(_entries),
    AfterValidator(_in_order),
    PlainSerializer(_serialized_entries),
]
