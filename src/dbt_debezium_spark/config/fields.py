"""Typed columns of a MongoDB collection, as the configuration names them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dbt_debezium_spark.config.errors import (
    ConfigError,
    expect_known,
    expect_mapping,
    expect_text,
    in_words,
)
from dbt_debezium_spark.mongodb.fields import PLAIN_TYPES, column_name, is_own_column, is_type

KEYS = ("type", "name")


@dataclass(frozen=True)
class FieldConfig:
    """A field of the documents: its dotted path, the type and the name of its column."""

    path: str
    type: str
    name: str


def read_fields(value: Any, where: str) -> tuple[FieldConfig, ...]:
    """Return the fields, in the order in which they are written.

    Args:
        value: mapping of dotted paths to a type, or to `{type, name}`.
        where: place in the configuration.

    Raises:
        ConfigError: a path, a type or a name that cannot be.
    """
    fields = []
    names: dict[str, str] = {}
    for path, described in expect_mapping(value, where).items():
        field = _read_field(path, described, f"{where}.{path}")
        other = names.get(field.name.lower())
        if other is not None:
            raise ConfigError(
                f"{where} gives `{other}` and `{path}` the column `{field.name}`",
                f"Name one of them: {path}: {{type: {field.type}, name: <column>}}",
            )
        names[field.name.lower()] = path
        fields.append(field)
    return tuple(fields)


def _read_field(path: Any, described: Any, where: str) -> FieldConfig:
    if not isinstance(path, str) or not all(path.split(".")):
        raise ConfigError(
            f"{where} is no path", "Write the names from the document's root, like `address.city`"
        )
    options = {"type": described} if isinstance(described, str) else described
    options = expect_mapping(options, where)
    expect_known(options, KEYS, where)
    kind = expect_text(options.get("type"), f"{where}.type", "string").lower().replace(" ", "")
    if not is_type(kind):
        raise ConfigError(
            f"{where}.type is `{kind}`", f"Use {in_words(PLAIN_TYPES)} or `decimal(p,s)`"
        )
    name = expect_text(options.get("name", column_name(path)), f"{where}.name", "city")
    if is_own_column(name):
        raise ConfigError(
            f"{where} would become the column `{name}`, which is one of ours",
            f"Choose another name: {path}: {{type: {kind}, name: <column>}}",
        )
    return FieldConfig(path, kind, name)
