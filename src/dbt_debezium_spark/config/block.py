"""Blocks of the configuration, which are pydantic models, and the values of their options.

Values that pydantic would convert are refused: a number for a text, `1` for true.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Hashable, Iterable, Mapping
from typing import Annotated, Any, ClassVar, NamedTuple, Self, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_serializer,
    model_validator,
)

from dbt_debezium_spark.config.errors import BLOCK, config_error, in_words, nearest, problem

_Repeated = TypeVar("_Repeated", bound=Hashable)


class NamedBlock(NamedTuple):
    """A block whose name is its key in the enclosing mapping."""

    name: str
    options: Any


class Block(BaseModel):
    """A mapping of options. Unknown names are refused before any value is read.

    Attributes:
        key_field: the field for the name of a `NamedBlock`.
        shown: fields that `to_dict` has with their default, too; None: all.
        older_names: by older name of an option, its name.
        removed: by name of an option that dbt has itself, what to write there.
    """

    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)
    key_field: ClassVar[str | None] = None
    shown: ClassVar[Collection[str] | None] = ()
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

    @model_validator(mode="before")
    @classmethod
    def _options(cls, value: Any) -> Any:
        if isinstance(value, cls):
            return value
        name, options = value if isinstance(value, NamedBlock) else ("", value)
        options = cls._with_newer_names(as_mapping(options))
        fields = {
            field.alias or field_name: field
            for field_name, field in cls.model_fields.items()
            if field_name != cls.key_field
        }
        for option in cls.removed.keys() & options.keys():
            what = f" has the option `{option}`, which is dbt's"
            raise problem(what, cls.removed[option], BLOCK)
        refuse_unknown(options, fields)
        own_name = {} if cls.key_field is None else {cls.key_field: name}
        # a missing value is refused by the validator of the option, which knows an example
        missing = {option: None for option, field in fields.items() if field.is_required()}
        return missing | options | own_name

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
        shown = type(self).shown
        for name, field in type(self).model_fields.items():
            if shown is not None and name not in shown and getattr(self, name) == field.default:
                options.pop(field.alias or name, None)
        return options


def connector_name(info: ValidationInfo) -> str:
    """Return the connector, known or not, of the source to which a validated block belongs."""
    return str((info.context or {})["connector"])


# -- values ----------------------------------------------------------------------------------------

Flag = Annotated[bool, Field(strict=True)]


def as_text(value: Any, example: str, at: str = "") -> str:
    """Return `value` if it is non-empty text.

    Args:
        value: the value.
        example: a valid value, for the message.
        at: place of the value inside the validated one.

    Raises:
        PydanticCustomError: the value is missing, empty, or of another type.
    """
    if value is None:
        raise problem(f"{at} is missing", f"Write for example `{example}`")
    if not isinstance(value, str) or not value.strip():
        raise problem(f"{at} is {value!r}, not text", f"Write for example `{example}`")
    return value


def as_one_of(value: Any, allowed: Collection[str], at: str = "") -> str:
    """Return `value` if it is one of the allowed words.

    Args:
        value: the value.
        allowed: the words.
        at: place of the value inside the validated one.

    Raises:
        PydanticCustomError: the value is another one; the remedy lists the words.
    """
    if isinstance(value, str) and value in allowed:
        return value
    similar = nearest(value, allowed)
    hint = f"Did you mean `{similar}`? Allowed" if similar else "Allowed"
    raise problem(f"{at} is {value!r}", f"{hint}: {in_words(allowed)}")


def as_mapping(value: Any) -> dict[str, Any]:
    """Return `value` if it is a mapping with text keys.

    Raises:
        PydanticCustomError: the value is of another type.
    """
    if not isinstance(value, Mapping):
        raise problem(f" is {value!r}", "Write it as a mapping of names to values", BLOCK)
    for key in value:
        if not isinstance(key, str):
            raise problem(f" has the name {key!r}, which is not text", "Put it in quotes", BLOCK)
    return dict(value)


def refuse_unknown(names: Collection[str], known: Collection[str]) -> None:
    """Refuse unknown names, so that a misspelt option is not ignored.

    Raises:
        PydanticCustomError: a name is unknown; the remedy contains the most similar known one.
    """
    for name in names:
        if name not in known:
            similar = nearest(name, known)
            hint = f"Did you mean `{similar}`? Known" if similar else "Known"
            raise problem(f" has the unknown option `{name}`", f"{hint}: {in_words(known)}", BLOCK)


def first_repeated(values: Iterable[_Repeated]) -> _Repeated | None:
    """Return the first value that occurs again; None if each occurs once."""
    seen = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None


def moment(value: Any) -> dt.datetime | None:
    """Return an ISO text or a datetime, into which YAML turns unquoted ones; None for others."""
    if isinstance(value, dt.datetime):
        return value
    try:
        return dt.datetime.fromisoformat(value.strip()) if isinstance(value, str) else None
    except ValueError:
        return None


def moment_text(value: dt.datetime, separator: str = "T") -> str:
    """Return a moment in UTC as `YYYY-MM-DDTHH:MM:SS[.ffffff]`."""
    if value.tzinfo is not None:
        value = value.astimezone(dt.UTC).replace(tzinfo=None)
    return value.isoformat(separator, "microseconds" if value.microsecond else "seconds")


def utc_text(value: Any) -> str:
    """Return a timestamp as `YYYY-MM-DDTHH:MM:SS[.ffffff]Z`, in which texts sort by time.

    A timestamp without a time zone is refused, because it would depend on the machine that runs
    dbt.

    Raises:
        PydanticCustomError: the value is no timestamp, or has no time zone.
    """
    example = 'like "2026-02-01T00:00:00Z"'
    found = moment(value)
    if found is None:
        raise problem(f" is {value!r}, not a timestamp", f"Write ISO 8601 with a zone, {example}")
    if found.tzinfo is None:
        raise problem(f" is {value!r}, which has no time zone", f"Add one, {example}")
    return moment_text(found) + "Z"


# -- validators ------------------------------------------------------------------------------------

Moment = Annotated[str, BeforeValidator(utc_text)]
# A list or mapping that is null is empty.
EMPTY_LIST = BeforeValidator(lambda value: () if value is None else value)


def text(example: str) -> BeforeValidator:
    """Return a validator of non-empty text."""
    return BeforeValidator(lambda value: as_text(value, example))


def matching(pattern: str, example: str, remedy: str) -> BeforeValidator:
    """Return a validator of text that matches a regular expression."""

    def check(value: Any) -> str:
        found = as_text(value, example)
        if not re.fullmatch(pattern, found):
            raise problem(f" is {found!r}", remedy)
        return found

    return BeforeValidator(check)


def one_of(allowed: Collection[str]) -> BeforeValidator:
    """Return a validator of one of the allowed words."""
    return BeforeValidator(lambda value: as_one_of(value, allowed))


def otherwise(remedy: str) -> WrapValidator:
    """Return a validator that gives a remedy for whatever pydantic refuses."""

    def check(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        try:
            return handler(value)
        except ValidationError:
            raise problem(f" is {value!r}", remedy) from None

    return WrapValidator(check)
