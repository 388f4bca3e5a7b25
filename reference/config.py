"""What the records cannot tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from reference.epochs import Epoch
from reference.flattened import Flattened


@dataclass(frozen=True)
class Config:
    """The configuration of one table and its source.

    `incarnations` are record timestamps in milliseconds. `columns` gives each column's Connect type
    (`type`, `semantic`, `items`), used to recognise placeholders exactly. `key` names the key's
    columns, used when a record's key is a bare scalar.
    """

    connector: str
    placeholder: str = "__debezium_unavailable_value"
    epochs: tuple[Epoch, ...] = ()
    incarnations: tuple[int, ...] = ()
    complete_before: bool = False
    close_unseen: bool = False
    keyless: bool = False
    key: tuple[str, ...] = ()
    columns: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    binlog_transaction_compression: bool = False
    flattened: Flattened | None = None
