"""Declared columns, for topics whose records have no schema."""

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
# Options that `database_type` replaces: the handling modes of the source define the encoding.
ENCODING_KEYS = ("type", "semantic", "parameters", "items", "fields")
# The name of the items of an array, which are described like a column.
_NO_NAME = object()
# The type of a column with a database type.
_DERIVED_TYPE = object()


def _name(value: Any) -> str:
    return "" if value is _NO_NAME else as_text(value, "id")


def _items(value: Any) -> dict[str, Any]:
    """Return the items of an array as a column without a name."""
    options = {**as_mapping(value), "name": _NO_NAME}
    options.pop("database_type", None)
    return options


def _type(value: Any) -> str:
    return "" if value is _DERIVED_TYPE else as_one_of(value, CONNECT_TYPES)


def _parameters(value: Any) -> dict[str, str]:
    # All parameters of Connect are text, but people write `scale: 2` in YAML.
    parameters = {}
    for name, parameter in as_mapping(value).items():
        if isinstance(parameter, bool) or not isinstance(parameter, str | int):
            raise problem(f".{name} is {parameter!r}", 'Write it as text, like "2"')
        parameters[name] = str(parameter)
    return parameters


def _without_duplicates(
    columns: tuple[ColumnConfig, ...] | None,
) -> tuple[ColumnConfig, ...] | None:
    names: set[str] = set()
    for column in columns or ():
        if column.name in names:
            raise problem(f" names the column `{column.name}` twice", "Remove one of them")
        names.add(column.name)
    return columns


class ColumnConfig(Block):
    """One column as in Kafka Connect; `name` is empty for the items of an array.

    A column with a `database_type` has no `type`, because it is derived.
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
        tuple[ColumnConfig, ...], BeforeValidator(as_list), AfterValidator(_without_duplicates)
    ] = ()
    default: Any = None

    @classmethod
    def prepare(
        cls, options: dict[str, Any], name: str, context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the options; `database_type` excludes those that describe the encoding."""
        if "database_type" not in options:
            return options
        for key in ENCODING_KEYS:
            if key in options:
                raise problem(
                    f" has `database_type` and `{key}`",
                    "Give one: how a database type is encoded follows from the handling modes",
                )
        return options | {"type": _DERIVED_TYPE}

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
    tuple[ColumnConfig, ...] | None, unless_none(as_list), AfterValidator(_without_duplicates)
]
