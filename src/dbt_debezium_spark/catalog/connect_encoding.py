"""The encoding of a database type: a type of Connect, its schema name and parameters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dbt_debezium_spark.decode.semantic_types import DECIMAL

BITS = "io.debezium.data.Bits"


@dataclass(frozen=True)
class ConnectEncoding:
    """A Connect schema as the tables of database types describe it.

    Attributes:
        type: literal type.
        name: schema name of Debezium or Connect, if any.
        parameters: parameters of all columns of the type. Precision, scale and length come from
            the column's definition.
    """

    type: str
    name: str | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_decimal(self) -> bool:
        """Whether the schema has a scale parameter."""
        return self.name == DECIMAL

    @property
    def is_bits(self) -> bool:
        """Whether the schema has a parameter for the number of bits."""
        return self.name == BITS
