"""The base class of all blocks of the configuration, which are pydantic models."""

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

from dbt_debezium_spark.config.errors import BLOCK, config_error, problem
from dbt_debezium_spark.config.values import as_mapping, refuse_unknown


class NamedBlock(NamedTuple):
    """A block whose name is its key in the enclosing mapping."""

    name: str
    options: Any


class Block(BaseModel):
    """A mapping of options. Unknown names are refused before any value is read.

    Attributes:
        key_field: the field for the name of a `NamedBlock`.
        unset: by field, the value of an option that is not set; `to_dict` omits it.
        older_names: by older name of an option, its name.
        removed: by name of an option that dbt has itself, what to write there.
    """

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)
    key_field: ClassVar[str | None] = None
    unset: ClassVar[Mapping[str, Any]] = {}
    older_names: ClassVar[Mapping[str, str]] = {}
    removed: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def read(cls, value: Any, where: str, context: Mapping[str, Any] | None = None) -> Self:
        """Return the block.

        Args:
            value: the mapping, or a `NamedBlock`.
            where: its place in the configuration.
            context: values for validators of the block, such as the source's connector.

        Raises:
            ConfigError: the block is invalid.
        """
        try:
            return cls.model_validate(value, context=dict(context or {}))
        except ValidationError as error:
            options = value.options if isinstance(value, NamedBlock) else value
            wrong = config_error(error, options, where)
        # outside of `except`, because pydantic's error quotes the values and would be the context
        raise wrong

    def to_dict(self) -> dict[str, Any]:
        """Return the block as plain JSON types, in the form of the configuration."""
        return self.model_dump(mode="json", by_alias=True)

    @classmethod
    def prepare(
        cls, options: dict[str, Any], name: str, context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the options with defaults that depend on other options.

        Args:
            options: the configured options, with known names.
            name: name of a `NamedBlock`.
            context: see `read`.

        Raises:
            PydanticCustomError: the options exclude each other.
        """
        return options

    @model_validator(mode="before")
    @classmethod
    def _options(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, cls):
            return value
        name, options = value if isinstance(value, NamedBlock) else ("", value)
        fields = {
            field.alias or field_name: field
            for field_name, field in cls.model_fields.items()
            if field_name != cls.key_field
        }
        options = cls._with_newer_names(as_mapping(options))
        for option in cls.removed.keys() & options.keys():
            what = f" has the option `{option}`, which is dbt's"
            raise problem(what, cls.removed[option], BLOCK)
        refuse_unknown(options, fields)
        missing = {option: None for option, field in fields.items() if field.is_required()}
        own_name = {} if cls.key_field is None else {cls.key_field: name}
        return missing | cls.prepare(options, name, info.context or {}) | own_name

    @classmethod
    def _with_newer_names(cls, options: dict[str, Any]) -> dict[str, Any]:
        for older, name in cls.older_names.items():
            if older in options and name in options:
                raise problem(
                    f" has `{name}` and `{older}`, which are one option", f"Remove `{older}`", BLOCK
                )
        return {cls.older_names.get(name, name): value for name, value in options.items()}

    @model_serializer(mode="wrap")
    def _serialize(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        options: dict[str, Any] = handler(self)
        for name, field in type(self).model_fields.items():
            if name in self.unset and getattr(self, name) == self.unset[name]:
                options.pop(field.alias or name, None)
        return options
