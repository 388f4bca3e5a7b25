"""How records in nested columns are read: the block `nested` of an input."""

from __future__ import annotations

from typing import Annotated

from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.values import one_of

COLUMNS, NONE = "columns", "none"
INSTANT, WALL_CLOCK = "instant", "wall_clock"


class NestedConfig(Block):
    """The meaning of the types of nested columns.

    Attributes:
        types: `columns` if they are the types of the source's columns; `none` if they only hold the
            numbers and texts of Debezium's JSON, and the types are known from elsewhere.
        timestamps: whether a TIMESTAMP is an `instant`, or a `wall_clock` time of a column without
            a zone, stored as if it was UTC.
    """

    types: Annotated[str, one_of((COLUMNS, NONE))] = COLUMNS
    timestamps: Annotated[str, one_of((INSTANT, WALL_CLOCK))] = INSTANT
