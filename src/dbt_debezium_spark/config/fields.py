"""Configured columns of a MongoDB collection, with their types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from dbt_debezium_spark.config.block import Block, NamedBlock
from dbt_debezium_spark.config.errors import in_words, problem
from dbt_debezium_spark.config.values import as_mapping, as_text, text, unless_none
from dbt_debezium_spark.mongodb.fields import PLAIN_TYPES, column_name, is_own_column, is_type


def _type(value: Any) -> str:
    kind = as_text(value, "string").lower().replace(" ", "")
    if not is_type(kind):
        raise problem(f" is `{kind}`", f"Use {in_words(PLAIN_TYPES)} or `decimal(p,s)`")
    return kind


class FieldConfig(Block):
    """A field of documents: its dotted path, and the type and name of its column."""

    key_field = "path"

    path: str = Field(exclude=True)
    type: Annotated[str, BeforeValidator(_type)]
    name: Annotated[str, text("city")]

    @classmethod
    def prepare(
        cls, options: dict[str, Any], name: str, context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the options, with a name derived from the path."""
        if not all(name.split(".")):
            raise problem(
                " is no path", "Write the names from the document's root, like `address.city`"
            )
        return {"name": column_name(name)} | options

    @model_validator(mode="after")
    def _is_free(self) -> Self:
        if is_own_column(self.name):
            raise problem(
                f" would become the column `{self.name}`, which is one of ours",
                f"Choose another name: {self.path}: {{type: {self.type}, name: <column>}}",
            )
        return self


def _by_path(value: Any) -> dict[str, NamedBlock]:
    """Return each path with its options; a text is the type."""
    return {
        path: NamedBlock(path, {"type": one} if isinstance(one, str) else one)
        for path, one in as_mapping(value).items()
    }


def _with_unique_columns(fields: dict[str, FieldConfig] | None) -> dict[str, FieldConfig] | None:
    """Refuse two fields with one column name, which is case-insensitive in Spark.

    Raises:
        PydanticCustomError: two fields have the same column name.
    """
    names: dict[str, str] = {}
    for path, field in (fields or {}).items():
        other = names.get(field.name.lower())
        if other is not None:
            raise problem(
                f" gives `{other}` and `{path}` the column `{field.name}`",
                f"Name one of them: {path}: {{type: {field.type}, name: <column>}}",
            )
        names[field.name.lower()] = path
    return fields


Fields = Annotated[
    dict[str, FieldConfig] | None, unless_none(_by_path), AfterValidator(_with_unique_columns)
]
