"""The form of a table of database types with their encodings (spec §10).

The page docs/types.md is written from the same tables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from dbt_debezium_spark.catalog.column_definition import ColumnDefinition
from dbt_debezium_spark.catalog.connect_encoding import ConnectEncoding
from dbt_debezium_spark.catalog.handling_modes import ByDigits

Condition = Callable[[ColumnDefinition], bool]
SizeFormat = Literal["name", "precision", "length", "digits", "size"]


def _always(_: ColumnDefinition) -> bool:
    return True


@dataclass(frozen=True)
class TypeCase:
    """One encoding of a type, and the columns that have it.

    Attributes:
        encoding: encoding of these columns.
        description: the condition in words, for the page; None for the only case.
        applies: whether the case applies to a definition.
        maximum: largest number of digits or size, None for any.
        precision: precision of a decimal; None for the definition's length.
        scale: scale of a decimal; None for the definition's scale.
        usual_precision: precision of a decimal whose definition has no length.
    """

    encoding: ConnectEncoding
    description: str | None = None
    applies: Condition = _always
    maximum: int | None = None
    precision: int | None = None
    scale: int | None = None
    usual_precision: int | None = None


@dataclass(frozen=True)
class TypeEntry:
    """Types with one rule of encoding.

    Attributes:
        types: names, in the case that the connector's table compares.
        cases: the first one that applies decides.
        description: the condition `where` in words, for the page.
        where: whether the entry applies to a definition.
        jdbc: JDBC codes of this type, for names without an entry.
        size_format: form of the size after the name in DDL.
        default_size: size of a type without one in DDL (PostgreSQL).
    """

    types: tuple[str, ...]
    cases: tuple[TypeCase, ...]
    description: str | None = None
    where: Condition = _always
    jdbc: tuple[int, ...] = ()
    size_format: SizeFormat = "name"
    default_size: int | None = None


@dataclass(frozen=True)
class TypeTable:
    """The types of a connector whose tables the schema-change topic defines.

    Attributes:
        word: the part of a definition that is compared with the names of types.
        digits: digits of the fraction of seconds, or their default.
        entries: the first one that applies decides.
        unencoded: names that the connector omits, whatever their JDBC code is.
    """

    word: Callable[[ColumnDefinition], str]
    digits: Callable[[ColumnDefinition], int]
    entries: tuple[TypeEntry, ...]
    unencoded: tuple[str, ...] = ()


def only(encoding: ConnectEncoding) -> tuple[TypeCase, ...]:
    """Return the cases of a type with one encoding."""
    return (TypeCase(encoding),)


def by_digits(encodings: ByDigits) -> tuple[TypeCase, ...]:
    """Return the cases of a type whose encoding depends on its digits."""
    cases = []
    for number, (maximum, encoding) in enumerate(encodings, start=1):
        description = None
        if len(encodings) > 1:
            description = f"up to {maximum} digits" if number < len(encodings) else "more digits"
        cases.append(TypeCase(encoding, description=description, maximum=maximum))
    return tuple(cases)
