"""Declared columns, for topics whose records do not carry their schema."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.config.errors import (
    ConfigError,
    expect_known,
    expect_list,
    expect_mapping,
    expect_one_of,
    expect_text,
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
KEYS = (
    "name",
    "type",
    "database_type",
    "semantic",
    "parameters",
    "optional",
    "items",
    "fields",
    "default",
)
# What `database_type` stands for: the handling modes of the source say how it is encoded.
ENCODING_KEYS = ("type", "semantic", "parameters", "items", "fields")


@dataclass(frozen=True)
class ColumnConfig:
    """One column as Kafka Connect describes it; `name` is empty for the items of an array.

    A column given by its `database_type` has no `type`: the macros derive it.
    """

    name: str
    type: str
    semantic: str | None = None
    parameters: Mapping[str, str] | None = None
    optional: bool = True
    items: ColumnConfig | None = None
    fields: tuple[ColumnConfig, ...] = ()
    default: Any = None
    database_type: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the column as the generated models write it: what is not set is left out."""
        described: dict[str, Any] = {"name": self.name} if self.name else {}
        if self.database_type is not None:
            described["database_type"] = self.database_type
        else:
            described["type"] = self.type
        if self.semantic is not None:
            described["semantic"] = self.semantic
        if self.parameters is not None:
            described["parameters"] = dict(self.parameters)
        if not self.optional:
            described["optional"] = False
        if self.items is not None:
            described["items"] = self.items.to_dict()
        if self.fields:
            described["fields"] = [one.to_dict() for one in self.fields]
        if self.default is not None:
            described["default"] = self.default
        return described


def read_column(value: Any, where: str, *, named: bool = True) -> ColumnConfig:
    """Return one declared column.

    Args:
        value: the mapping as configured.
        where: path of it, for messages.
        named: false for the items of an array, which have no name.

    Raises:
        ConfigError: a wrong name, type, or combination.
    """
    mapping = expect_mapping(value, where)
    expect_known(mapping, KEYS, where)
    name = expect_text(mapping.get("name"), f"{where}.name", "id") if named else ""
    if name:
        where = f"{where} (`{name}`)"
    if named and "database_type" in mapping:
        return _read_by_database_type(mapping, name, where)
    kind = expect_one_of(mapping.get("type"), CONNECT_TYPES, f"{where}.type")
    semantic = mapping.get("semantic")
    if semantic is not None:
        expect_text(semantic, f"{where}.semantic", DECIMAL)
    parameters = _parameters(mapping.get("parameters"), f"{where}.parameters")
    if semantic == DECIMAL and kind == "bytes" and "scale" not in (parameters or {}):
        raise ConfigError(
            f"{where} is a {DECIMAL} without a scale",
            'Add `parameters: {scale: "2"}`; its bytes cannot be read without it',
        )
    optional = _optional(mapping, where)
    items = mapping.get("items")
    if (kind == "array") != (items is not None):
        raise ConfigError(
            f"{where} has type `{kind}` and {'no `items`' if items is None else '`items`'}",
            "Give `items: {type: ...}` for type `array`, and for no other",
        )
    fields = expect_list(mapping.get("fields", []), f"{where}.fields")
    if (kind == "struct") != bool(fields):
        raise ConfigError(
            f"{where} has type `{kind}` and {'`fields`' if fields else 'no `fields`'}",
            "Give `fields: [{name: ..., type: ...}]` for type `struct`, and for no other",
        )
    return ColumnConfig(
        name=name,
        type=kind,
        semantic=semantic,
        parameters=parameters,
        optional=optional,
        items=None if items is None else read_column(items, f"{where}.items", named=False),
        fields=read_columns(fields, f"{where}.fields"),
        default=mapping.get("default"),
    )


def read_columns(value: Any, where: str) -> tuple[ColumnConfig, ...]:
    """Return a list of declared columns.

    Raises:
        ConfigError: not a list, a wrong column, or a name used twice.
    """
    columns = tuple(
        read_column(one, f"{where}[{number}]")
        for number, one in enumerate(expect_list(value, where))
    )
    seen: set[str] = set()
    for column in columns:
        if column.name in seen:
            raise ConfigError(
                f"{where} names the column `{column.name}` twice", "Remove one of them"
            )
        seen.add(column.name)
    return columns


def _read_by_database_type(mapping: Mapping[str, Any], name: str, where: str) -> ColumnConfig:
    for key in ENCODING_KEYS:
        if key in mapping:
            raise ConfigError(
                f"{where} has `database_type` and `{key}`",
                "Give one: how a database type is encoded follows from the handling modes",
            )
    return ColumnConfig(
        name=name,
        type="",
        optional=_optional(mapping, where),
        default=mapping.get("default"),
        database_type=expect_text(
            mapping["database_type"], f"{where}.database_type", "numeric(10,2)"
        ),
    )


def _optional(mapping: Mapping[str, Any], where: str) -> bool:
    optional = mapping.get("optional", True)
    if not isinstance(optional, bool):
        raise ConfigError(f"{where}.optional is {optional!r}", "Write true or false")
    return optional


def _parameters(value: Any, where: str) -> dict[str, str] | None:
    if value is None:
        return None
    # Connect's parameters are all text; YAML authors write `scale: 2`.
    parameters = {}
    for name, one in expect_mapping(value, where).items():
        if isinstance(one, bool) or not isinstance(one, str | int):
            raise ConfigError(f"{where}.{name} is {one!r}", 'Write it as text, like "2"')
        parameters[name] = str(one)
    return parameters
