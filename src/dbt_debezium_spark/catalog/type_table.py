"""The shape of a table of database types: how a connector encodes each of them (spec §10).

The page docs/types.md is made of the same tables.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from dbt_debezium_spark.catalog.column_definition import ColumnDefinition
from dbt_debezium_spark.catalog.connect_encoding import ConnectEncoding
from dbt_debezium_spark.catalog.handling_modes import ByDigits

Condition = Callable[[ColumnDefinition], bool]
Shown = Literal["name", "precision", "length", "digits", "size"]


def _always(_: ColumnDefinition) -> bool:
    return True


@dataclass(frozen=True)
class TypeCase:
    """One encoding of a type, and which of its columns have it.

    Attributes:
        encoding: of these columns.
        says: the condition in words, for the page; none where it is the only case.
        holds: whether the case is that of a definition.
        most: largest number of digits or size, none for any.
        precision: of a decimal; none: the definition's length.
        scale: of a decimal; none: the definition's scale.
        usual_precision: of a decimal whose definition has no length.
    """

    encoding: ConnectEncoding
    says: str | None = None
    holds: Condition = _always
    most: int | None = None
    precision: int | None = None
    scale: int | None = None
    usual_precision: int | None = None


@dataclass(frozen=True)
class TypeEntry:
    """Types that one rule encodes.

    Attributes:
        types: names, in the letters that the connector's table compares.
        cases: the first that fits decides.
        says: what `where` asks, in words for the page.
        where: whether the entry is that of a definition.
        jdbc: JDBC codes that mean this type under a name that is in no entry.
        shown: what follows the name in the DDL.
        bare: size of a type that is written without one (PostgreSQL).
    """

    types: tuple[str, ...]
    cases: tuple[TypeCase, ...]
    says: str | None = None
    where: Condition = _always
    jdbc: tuple[int, ...] = ()
    shown: Shown = "name"
    bare: int | None = None


@dataclass(frozen=True)
class TypeTable:
    """The types of a connector whose tables the schema-change topic defines.

    Attributes:
        word: what of a definition is compared with the names of types.
        digits: digits of the fraction of seconds, the default filled in.
        entries: the first that fits decides.
        unencoded: names that the connector leaves out, whatever their JDBC code.
    """

    word: Callable[[ColumnDefinition], str]
    digits: Callable[[ColumnDefinition], int]
    entries: tuple[TypeEntry, ...]
    unencoded: tuple[str, ...] = ()


def only(encoding: ConnectEncoding) -> tuple[TypeCase, ...]:
    """Return the cases of a type that has one encoding."""
    return (TypeCase(encoding),)


def by_digits(encodings: ByDigits) -> tuple[TypeCase, ...]:
    """Return the cases of a type whose digits choose the encoding."""
    cases = []
    for number, (most, encoding) in enumerate(encodings, start=1):
        says = None
        if len(encodings) > 1:
            says = f"up to {most} digits" if number < len(encodings) else "more digits"
        cases.append(TypeCase(encoding, says=says, most=most))
    return tuple(cases)
