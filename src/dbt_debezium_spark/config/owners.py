"""Owners, groups and exposures: who answers for the tables of a source, and who uses them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, model_validator

from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.errors import problem
from dbt_debezium_spark.config.values import (
    LIST,
    as_list,
    as_one_of,
    as_text,
    one_of,
    unless_none,
)

# dbt's words
EXPOSURE_TYPES = ("dashboard", "notebook", "analysis", "ml", "application")
MATURITIES = ("high", "medium", "low")
# dbt warns of other names of exposures; that of a group is part of a file's name.
NAME = re.compile(r"[A-Za-z0-9_]+")


def _name(value: Any, example: str) -> str:
    name = as_text(value, example)
    if not NAME.fullmatch(name):
        raise problem(f" is {name!r}", "Use letters, digits and `_`")
    return name


class OwnerConfig(Block):
    """The owner of a group or of an exposure: a name, an address, or both."""

    unset = {"name": None, "email": None}

    name: Annotated[str | None, unless_none(lambda value: as_text(value, "Finance"))] = None
    email: Annotated[
        str | None, unless_none(lambda value: as_text(value, "finance@example.com"))
    ] = None

    @model_validator(mode="after")
    def _is_somebody(self) -> Self:
        if self.name is None and self.email is None:
            raise problem(
                " names nobody", "Write a name, an address or both: `{email: finance@example.com}`"
            )
        return self


class GroupConfig(Block):
    """The group of a source's models.

    Attributes:
        owner: its owner, which makes this its definition; None if it is defined elsewhere.
    """

    unset = {"owner": None}

    name: Annotated[str, BeforeValidator(lambda value: _name(value, "finance"))]
    owner: OwnerConfig | None = None


def _group(value: Any) -> Any:
    """Return a group as a mapping; its name alone means that it is defined elsewhere."""
    return {"name": value} if isinstance(value, str) else value


Group = Annotated[GroupConfig | None, unless_none(_group)]


def _tables(value: Any) -> tuple[str, ...]:
    names = as_list(value)
    if not names:
        raise problem(" is empty", "Name tables, or leave it out to mean all of the source")
    return tuple(as_text(one, "public.orders", f"[{i}]") for i, one in enumerate(names))


class ExposureConfig(Block):
    """Something that reads the current tables of a source, such as a dashboard.

    Attributes:
        tables: the source tables that it reads; None for all.
    """

    unset = {
        "label": None, "description": None, "url": None, "maturity": None, "tables": None,
    }  # fmt: skip

    name: Annotated[str, BeforeValidator(lambda value: _name(value, "sales_dashboard"))]
    type: Annotated[str, one_of(EXPOSURE_TYPES)]
    owner: OwnerConfig
    label: Annotated[str | None, unless_none(lambda one: as_text(one, "Sales by day"))] = None
    description: Annotated[str | None, unless_none(lambda one: as_text(one, "Read daily."))] = None
    url: Annotated[str | None, unless_none(lambda one: as_text(one, "https://bi.example/1"))] = None
    maturity: Annotated[str | None, unless_none(lambda one: as_one_of(one, MATURITIES))] = None
    tables: Annotated[tuple[str, ...] | None, unless_none(_tables)] = None


def _with_unique_names(exposures: tuple[ExposureConfig, ...]) -> tuple[ExposureConfig, ...]:
    """Refuse two exposures with one name.

    Raises:
        PydanticCustomError: a name occurs twice.
    """
    names = [one.name for one in exposures]
    for name in names:
        if names.count(name) > 1:
            raise problem(f" has the exposure `{name}` twice", "Give each its own name")
    return exposures


Exposures = Annotated[tuple[ExposureConfig, ...], LIST, AfterValidator(_with_unique_names)]


def refuse_shared_names(name: str, sources: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return what is wrong, and the remedy, if another source defines the same group or exposure.

    dbt knows each of them by its name alone.

    Args:
        name: a source.
        sources: the var `debezium_sources`, not validated.
    """
    for kind, names_of in (("group", defined_groups), ("exposure", _exposure_names)):
        own = names_of(sources[name])
        for other, options in sources.items():
            shared = sorted(own & names_of(options)) if other != name else []
            if shared:
                remedy = (
                    f"Define its owner in one of them, and write `group: {shared[0]}` in the other"
                    if kind == "group"
                    else "Give each its own name"
                )
                return (
                    f"the {kind} `{shared[0]}` is defined in debezium_sources.{name} and in"
                    f" debezium_sources.{other}",
                    remedy,
                )
    return None


def defined_groups(options: Any) -> set[str]:
    """Return the name of the group that the options of a source define, not validated."""
    group = options.get("group") if isinstance(options, Mapping) else None
    if not isinstance(group, Mapping) or group.get("owner") is None:
        return set()
    return {str(group.get("name"))}


def _exposure_names(options: Any) -> set[str]:
    exposures = options.get("exposures") if isinstance(options, Mapping) else None
    blocks = exposures if isinstance(exposures, list | tuple) else []
    return {str(one.get("name")) for one in blocks if isinstance(one, Mapping)}
