"""Declared columns: of topics whose records have no schema, and of MongoDB's documents."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from dbt_debezium_spark.config.block import (
    Block,
    Flag,
    NamedBlock,
    as_mapping,
    as_one_of,
    as_text,
    first_repeated,
    one_of,
    text,
)
from dbt_debezium_spark.config.errors import in_words, problem
from dbt_debezium_spark.decode.document_fields import (
    PLAIN_TYPES,
    column_name,
    is_own_column,
    is_type,
)

CONNECT_TYPES = (
    *("int8", "int16", "int32", "int64", "float", "double", "boolean", "string", "bytes"),
    *("array", "map", "struct"),
)
DECIMAL = "org.apache.kafka.connect.data.Decimal"
# Options that `database_type` replaces: the handling modes of the source define the encoding.
ENCODING_KEYS = ("type", "semantic", "parameters", "items", "fields")


def _parameters(value: Any) -> dict[str, str]:
    # All parameters of Connect are text, but people write `scale: 2` in YAML.
    parameters = {}
    for name, parameter in as_mapping(value).items():
        if isinstance(parameter, bool) or not isinstance(parameter, str | int):
            raise problem(f".{name} is {parameter!r}", 'Write it as text, like "2"')
        parameters[name] = str(parameter)
    return parameters


def _named_once(columns: tuple[ColumnConfig, ...]) -> tuple[ColumnConfig, ...]:
    repeated = first_repeated(column.name for column in columns)
    if repeated is not None:
        raise problem(f" names the column `{repeated}` twice", "Remove one of them")
    return columns


class ItemConfig(Block):
    """The items of an array, or any value, as Kafka Connect describes them."""

    type: Annotated[str, one_of(CONNECT_TYPES)] = ""
    semantic: Annotated[str, text(DECIMAL)] | None = None
    parameters: Annotated[dict[str, str], BeforeValidator(_parameters)] | None = None
    optional: Flag = True
    items: ItemConfig | None = None
    fields: Annotated[tuple[ColumnConfig, ...], AfterValidator(_named_once)] = ()
    default: Any = None

    @model_validator(mode="after")
    def _is_complete(self) -> Self:
        self._check_type()
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

    def _check_type(self) -> None:
        as_one_of(self.type or None, CONNECT_TYPES, ".type")


class ColumnConfig(ItemConfig):
    """One column; one with a `database_type` has no `type`, because it is derived."""

    name: Annotated[str, text("id")]
    database_type: Annotated[str, text("numeric(10,2)")] | None = None

    def _check_type(self) -> None:
        if self.database_type is None:
            super()._check_type()
            return
        for option in ENCODING_KEYS:
            if option in self.model_fields_set:
                raise problem(
                    f" has `database_type` and `{option}`",
                    "Give one: how a database type is encoded follows from the handling modes",
                )


Columns = Annotated[tuple[ColumnConfig, ...], AfterValidator(_named_once)]


# -- fields of MongoDB's documents -----------------------------------------------------------------


def _field_type(value: Any) -> str:
    kind = as_text(value, "string").lower().replace(" ", "")
    if not is_type(kind):
        raise problem(f" is `{kind}`", f"Use {in_words(PLAIN_TYPES)} or `decimal(p,s)`")
    return kind


class FieldConfig(Block):
    """A field of documents: its dotted path, and the type and name of its column."""

    key_field = "path"

    path: str = Field(exclude=True)
    type: Annotated[str, BeforeValidator(_field_type)]
    name: Annotated[str, text("city")] = Field(
        default_factory=lambda data: column_name(data["path"])
    )

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
    fields = as_mapping(value)
    for path in fields:
        if not all(path.split(".")):
            raise problem(
                f".{path} is no path",
                "Write the names from the document's root, like `address.city`",
            )
    return {
        path: NamedBlock(path, {"type": options} if isinstance(options, str) else options)
        for path, options in fields.items()
    }


def _with_unique_columns(fields: dict[str, FieldConfig]) -> dict[str, FieldConfig]:
    """Refuse two fields with one column name, which is case-insensitive in Spark."""
    paths: dict[str, str] = {}
    for path, field in fields.items():
        other = paths.setdefault(field.name.lower(), path)
        if other != path:
            raise problem(
                f" gives `{other}` and `{path}` the column `{field.name}`",
                f"Name one of them: {path}: {{type: {field.type}, name: <column>}}",
            )
    return fields


Fields = Annotated[
    dict[str, FieldConfig], BeforeValidator(_by_path), AfterValidator(_with_unique_columns)
]
