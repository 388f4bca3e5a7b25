"""Simulated tables: their columns, their key, and the Connect schemas their records carry."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dev.simulator.columns import PLACEHOLDER, Column, integers, texts
from dev.simulator.connect_schema import field, fields, struct
from dev.simulator.features import Features

Row = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """A table of the source database.

    `database` and `schema` as the connector's `source` block names them; `key` lists key columns,
    empty for a table without one; `full` is PostgreSQL's REPLICA IDENTITY FULL.
    """

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    database: str = "shop"
    schema: str = "public"
    full: bool = False

    @property
    def toasted(self) -> tuple[Column, ...]:
        """The columns whose unchanged values an update may leave out."""
        return tuple(column for column in self.columns if column.toast)

    def column(self, name: str) -> Column:
        """Return a column by its name."""
        return next(column for column in self.columns if column.name == name)

    def random_value(self, column: Column, rng: random.Random) -> Any:
        """Draw a value the column may hold."""
        return None if column.optional and rng.random() < 0.2 else column.values(rng)

    def random_row(self, key: Mapping[str, Any], rng: random.Random) -> Row:
        """Draw a row with these values in its key columns."""
        return {
            column.name: (
                key[column.name] if column.name in key else self.random_value(column, rng)
            )
            for column in self.columns
        }

    def key_of(self, row: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the record key of a row, None for a table without a key."""
        return {name: row[name] for name in self.key} or None

    def partial_before(self, row: Mapping[str, Any]) -> Row:
        """Return `before` under REPLICA IDENTITY DEFAULT: the key, and inventions for NOT NULL."""
        return {
            column.name: (
                row[column.name]
                if column.name in self.key
                else None
                if column.optional
                else column.invented()
            )
            for column in self.columns
        }

    def without_unchanged(
        self, row: Row, unchanged: frozenset[str], text: str = PLACEHOLDER
    ) -> Row:
        """Return a row image with placeholders in the columns that were not sent."""
        return {
            name: self.column(name).placeholder(text) if name in unchanged else value
            for name, value in row.items()
        }

    def key_schema(self, topic: str) -> dict[str, Any]:
        """Return the schema of the record key."""
        members = [self.column(name).connect_schema() for name in self.key]
        return struct(members, f"{topic}.Key")

    def envelope_schema(
        self, topic: str, source: dict[str, Any], times: tuple[str, ...]
    ) -> dict[str, Any]:
        """Return the schema of the record value.

        Args:
            topic: the record topic.
            source: the schema of the source block.
            times: the connector's own time fields.
        """
        columns = [column.connect_schema() for column in self.columns]
        images = [
            struct(columns, f"{topic}.Value", True, field=image) for image in ("before", "after")
        ]
        orders = {"total_order": "int64", "data_collection_order": "int64"}
        block = struct(
            fields({"id": "string"} | orders, False),
            "event.block",
            True,
            version=1,
            field="transaction",
        )
        op = field("op", "string", False)
        members = [*images, source, block, op, *fields(dict.fromkeys(times, "int64"))]
        return struct(members, f"{topic}.Envelope", version=1)


def standard_table(
    features: Features,
    name: str,
    values: tuple[Column, ...],
    *,
    schema: str,
    database: str = "shop",
    full: bool = True,
    code: Column | None = None,
) -> Table:
    """Return a connector's standard table: the same columns whatever the features, but for the key.

    Args:
        features: say which key it has.
        name: of the table.
        values: the columns besides those of the key.
        schema: of the table.
        database: of the table.
        full: see `Table`.
        code: the second column of a key of two.
    """
    key = [Column("id", "int32", integers(32), optional=features.key == "none")]
    if features.key == "composite":
        key.append(code or Column("code", "string", texts, optional=False))
    names = () if features.key == "none" else tuple(column.name for column in key)
    return Table(name, (*key, *values), names, database, schema, full)
