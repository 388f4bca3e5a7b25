"""Validators of single values, with messages of this package.

They refuse values that pydantic would convert: a number for a text, `1` for true, a text for a list
of letters. A missing value arrives as None: see `block.Block`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from pydantic import BeforeValidator

from dbt_debezium_spark.config.errors import BLOCK, in_words, nearest, problem


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
    meant = nearest(value, allowed)
    hint = f"Did you mean `{meant}`? Allowed" if meant else "Allowed"
    raise problem(f"{at} is {value!r}", f"{hint}: {in_words(allowed)}")


def as_list(value: Any) -> list[Any]:
    """Return `value` if it is a list.

    Raises:
        PydanticCustomError: the value is of another type; text is no list of letters.
    """
    if not isinstance(value, list | tuple):
        raise problem(f" is {value!r}", "Write it as a list")
    return list(value)


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
            meant = nearest(name, known)
            hint = f"Did you mean `{meant}`? Known" if meant else "Known"
            raise problem(f" has the unknown option `{name}`", f"{hint}: {in_words(known)}", BLOCK)


def text(example: str) -> BeforeValidator:
    """Return a validator of text."""
    return BeforeValidator(lambda value: as_text(value, example))


def one_of(allowed: Collection[str]) -> BeforeValidator:
    """Return a validator of one of the allowed words."""
    return BeforeValidator(lambda value: as_one_of(value, allowed))


def as_flag(value: Any, remedy: str = "Use true or false") -> bool:
    """Return `value` if it is true or false.

    Raises:
        PydanticCustomError: the value is of another type.
    """
    if not isinstance(value, bool):
        raise problem(f" is {value!r}", remedy)
    return value


def flag(remedy: str) -> BeforeValidator:
    """Return a validator of booleans."""
    return BeforeValidator(lambda value: as_flag(value, remedy))


def whole_number(remedy: str, lowest: int, highest: int | None = None) -> Callable[[Any], int]:
    """Return a function that checks a whole number in a range."""

    def check(value: Any) -> int:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if not is_number or value < lowest or (highest is not None and value > highest):
            raise problem(f" is {value!r}", remedy)
        return int(value)

    return check


def unless_none(check: Callable[[Any], Any]) -> BeforeValidator:
    """Return a validator that also accepts null."""
    return BeforeValidator(lambda value: None if value is None else check(value))


# A missing list is empty.
LIST = BeforeValidator(lambda value: as_list([] if value is None else value))
