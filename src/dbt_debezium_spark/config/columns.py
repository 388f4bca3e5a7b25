"""Declared columns, for topics whose records do not carry their schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, model_validator

from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.errors import problem
from dbt_debezium_spark.config.values import (
    as_list,
    as_mapping,
    as_one_of,
    as_text,
    flag,
    text,
    unless_none,
)

CONNECT_TYPES = (
    "int8",
    "int16",
    "int32",
    "int64",
    "float",
    "double",
    "boolean",
    "string",
    "bytes",
    "array",
    "map",
    "struct",
)
DECIMAL = "org.apache.kafka.connect.data.Decimal"
# What `database_type` stands for: the handling modes of the source say how it is encoded.
ENCODING_KEYS = ("type", "semantic", "parameters", "items", "fields")
# The items of an array are described like a column, but have no name.
_NAMELESS = object()
# The type of a column whose database type is given.
_FOLLOWS = object()


def _name(value: Any) -> str:
    return "" if value is _NAMELESS else as_text(value, "id")


def _items(value: Any) -> dict[str, Any]:
    """Return the items of an array as a column without a name, whatever name is written."""
    options = {**as_mapping(value), "name": _NAMELESS}
    options.pop("database_type", None)
    return options


def _type(value: Any) -> str:
    return "" if value is _FOLLOWS else as_one_of(value, CONNECT_TYPES)


def _parameters(value: Any) -> dict[str, str]:
    # Connect's parameters are all text; YAML authors write `scale: 2`.
    parameters = {}
    for name, one in as_mapping(value).items():
        if isinstance(one, bool) or not isinstance(one, str | int):
            raise problem(f".{name} is {one!r}", 'Write it as text, like "2"')
        parameters[name] = str(one)
    return parameters


def _each_once(columns: tuple[ColumnConfig, ...] | None) -> tuple[ColumnConfig, ...] | None:
    seen: set[str] = set()
    for column in columns or ():
        if column.name in seen:
            raise problem(f" names the column `{column.name}` twice", "Remove one of them")
        seen.add(column.name)
    return columns


class ColumnConfig(Block):
    """One column as Kafka Connect describes it; `name` is empty for the items of an array.

    A column given by its `database_type` has no `type`: the macros derive it.
    """

    unset = {
        "name": "",
        "database_type": None,
        "type": "",
        "semantic": None,
        "parameters": None,
        "optional": True,
        "items": None,
        "fields": (),
        "default": None,
    }

    name: Annotated[str, BeforeValidator(_name)]
    type: Annotated[str, BeforeValidator(_type)]
    database_type: Annotated[str | None, text("numeric(10,2)")] = None
    semantic: Annotated[str | None, unless_none(lambda one: as_text(one, DECIMAL))] = None
    parameters: Annotated[dict[str, str] | None, unless_none(_parameters)] = None
    optional: Annotated[bool, flag("Write true or false")] = True
    items: Annotated[ColumnConfig | None, unless_none(_items)] = None
    fields: Annotated[
        tuple[ColumnConfig, ...], BeforeValidator(as_list), AfterValidator(_each_once)
    ] = ()
    default: Any = None

    @classmethod
    def prepare(
        cls, options: dict[str, Any], name: str, context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the options of a column that is described in one way."""
        if "database_type" not in options:
            return options
        for key in ENCODING_KEYS:
            if key in options:
                raise problem(
                    f" has `database_type` and `{key}`",
                    "Give one: how a database type is encoded follows from the handling modes",
                )
        return options | {"type": _FOLLOWS}

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        if self.type == "bytes" and self.semantic == DECIMAL:
            if "scale" not in (self.parameters or {}):
                raise problem(
                    f" is a {DECIMAL} without a scale",
                    'Add `parameters: {scale: "2"}`; its bytes cannot be read without it',
                )
        if (self.type == "array") != (self.items is not None):
            raise problem(
                f" has type `{self.type}` and {'no `items`' if self.items is None else '`items`'}",
                "Give `items: {type: ...}` for type `array`, and for no other",
            )
        if (self.type == "struct") != bool(self.fields):
            raise problem(
                f" has type `{self.type}` and {'`fields`' if self.fields else 'no `fields`'}",
                "Give `fields: [{name: ..., type: ...}]` for type `struct`, and for no other",
            )
        return self


Columns = Annotated[
    tuple[ColumnConfig, ...] | None, unless_none(as_list), AfterValidator(_each_once)
]
