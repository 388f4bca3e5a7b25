"""Typed columns of a MongoDB collection, as the configuration names them."""

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
    """A field of the documents: its dotted path, the type and the name of its column."""

    key_field = "path"

    path: str = Field(exclude=True)
    type: Annotated[str, BeforeValidator(_type)]
    name: Annotated[str, text("city")]

    @classmethod
    def prepare(
        cls, options: dict[str, Any], name: str, context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the options with the name that follows from the path."""
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
    """Return each path with its options; a word alone is the type."""
    return {
        path: NamedBlock(path, {"type": one} if isinstance(one, str) else one)
        for path, one in as_mapping(value).items()
    }


def _one_column_each(fields: dict[str, FieldConfig] | None) -> dict[str, FieldConfig] | None:
    """Refuse two fields for one column; Spark's columns have no case.

    Raises:
        PydanticCustomError: two fields have columns of one name.
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
    dict[str, FieldConfig] | None, unless_none(_by_path), AfterValidator(_one_column_each)
]
