"""How records name their table: see macros/envelope/origins.sql."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict


class Included(TypedDict):
    """One entry of the option `includes`: records with `members` belong to the table with `own`."""

    table: str
    own: dict[str, str]
    members: dict[str, str]


class OriginRules(TypedDict):
    """How records of a source name their table.

    `members` are members of a source block, `columns` the catalog's columns of each (the first one
    has its value), `included` the entries of the option `includes`.
    """

    members: Sequence[str]
    columns: Mapping[str, Sequence[str]]
    included: Sequence[Included]
