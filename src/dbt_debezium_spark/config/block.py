"""What all blocks of the configuration have in common: they are models of pydantic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    SerializerFunctionWrapHandler,
    ValidationError,
    ValidationInfo,
    model_serializer,
    model_validator,
)

from dbt_debezium_spark.config.errors import config_error
from dbt_debezium_spark.config.values import as_mapping, refuse_unknown


class NamedBlock(NamedTuple):
    """A block whose name is the key under which it stands."""

    name: str
    options: Any


class Block(BaseModel):
    """A mapping of options; unknown names are refused before any value is read.

    Attributes:
        key_field: the field that holds the block's own name: see `NamedBlock`.
        unset: by field, the value that means nothing is set; `to_dict` leaves it out.
    """

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)
    key_field: ClassVar[str | None] = None
    unset: ClassVar[Mapping[str, Any]] = {}

    @classmethod
    def read(cls, value: Any, where: str, context: Mapping[str, Any] | None = None) -> Self:
        """Return the block.

        Args:
            value: the mapping, or a `NamedBlock` one.
            where: its place in the configuration.
            context: what validators of the block look up, like the source's connector.

        Raises:
            ConfigError: something in it is wrong.
        """
        try:
            return cls.model_validate(value, context=dict(context or {}))
        except ValidationError as error:
            options = value.options if isinstance(value, NamedBlock) else value
            wrong = config_error(error, options, where)
        # outside of `except`: pydantic's error, which quotes the values, is not its context
        raise wrong

    def to_dict(self) -> dict[str, Any]:
        """Return the block as plain JSON types, in the form it is configured in."""
        return self.model_dump(mode="json", by_alias=True)

    @classmethod
    def prepare(
        cls, options: dict[str, Any], name: str, context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the options, known by name, with the defaults that depend on each other.

        Args:
            options: as they are written.
            name: of a `NamedBlock` block.
            context: see `read`.

        Raises:
            PydanticCustomError: they do not go together.
        """
        return options

    @model_validator(mode="before")
    @classmethod
    def _options(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, cls):
            return value
        name, options = value if isinstance(value, NamedBlock) else ("", value)
        fields = {
            field.alias or one: field
            for one, field in cls.model_fields.items()
            if one != cls.key_field
        }
        options = as_mapping(options)
        refuse_unknown(options, fields)
        missing = {one: None for one, field in fields.items() if field.is_required()}
        own_name = {} if cls.key_field is None else {cls.key_field: name}
        return missing | cls.prepare(options, name, info.context or {}) | own_name

    @model_serializer(mode="wrap")
    def _serialize(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        described: dict[str, Any] = handler(self)
        for name, field in type(self).model_fields.items():
            if name in self.unset and getattr(self, name) == self.unset[name]:
                described.pop(field.alias or name, None)
        return described
