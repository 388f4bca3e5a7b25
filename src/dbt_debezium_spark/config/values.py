"""Checks of single values, as validators of pydantic with our messages.

Each refuses what pydantic would convert: a number where a text belongs, `1` for true, a text for a
list of letters. A value that is missing arrives as None: see `block.Block`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from pydantic import BeforeValidator

from dbt_debezium_spark.config.errors import BLOCK, in_words, nearest, problem


def as_text(value: Any, example: str, at: str = "") -> str:
    """Return `value` when it is non-empty text.

    Args:
        value: the value.
        example: a right one, for the message.
        at: place of the value below the one that is validated.

    Raises:
        PydanticCustomError: it is missing, empty, or of another type.
    """
    if value is None:
        raise problem(f"{at} is missing", f"Write for example `{example}`")
    if not isinstance(value, str) or not value.strip():
        raise problem(f"{at} is {value!r}, not text", f"Write for example `{example}`")
    return value


def as_one_of(value: Any, allowed: Collection[str], at: str = "") -> str:
    """Return `value` when it is one of the allowed words.

    Args:
        value: the value.
        allowed: the words.
        at: place of the value below the one that is validated.

    Raises:
        PydanticCustomError: it is not; the remedy lists them.
    """
    if isinstance(value, str) and value in allowed:
        return value
    meant = nearest(value, allowed)
    hint = f"Did you mean `{meant}`? Allowed" if meant else "Allowed"
    raise problem(f"{at} is {value!r}", f"{hint}: {in_words(allowed)}")


def as_list(value: Any) -> list[Any]:
    """Return `value` when it is a list.

    Raises:
        PydanticCustomError: it is something else; text is not taken for a list of letters.
    """
    if not isinstance(value, list | tuple):
        raise problem(f" is {value!r}", "Write it as a list")
    return list(value)


def as_mapping(value: Any) -> dict[str, Any]:
    """Return `value` when it is a mapping with text keys.

    Raises:
        PydanticCustomError: it is something else.
    """
    if not isinstance(value, Mapping):
        raise problem(f" is {value!r}", "Write it as a mapping of names to values", BLOCK)
    for key in value:
        if not isinstance(key, str):
            raise problem(f" has the name {key!r}, which is not text", "Put it in quotes", BLOCK)
    return dict(value)


def refuse_unknown(names: Collection[str], known: Collection[str]) -> None:
    """Refuse names that nothing reads: a misspelt option must not pass as its default.

    Raises:
        PydanticCustomError: a name is unknown; the remedy names the nearest known one.
    """
    for name in names:
        if name not in known:
            meant = nearest(name, known)
            hint = f"Did you mean `{meant}`? Known" if meant else "Known"
            raise problem(f" has the unknown option `{name}`", f"{hint}: {in_words(known)}", BLOCK)


def text(example: str) -> BeforeValidator:
    """Return the validator of a text."""
    return BeforeValidator(lambda value: as_text(value, example))


def one_of(allowed: Collection[str]) -> BeforeValidator:
    """Return the validator of a word."""
    return BeforeValidator(lambda value: as_one_of(value, allowed))


def flag(remedy: str) -> BeforeValidator:
    """Return the validator of true or false."""

    def check(value: Any) -> bool:
        if not isinstance(value, bool):
            raise problem(f" is {value!r}", remedy)
        return value

    return BeforeValidator(check)


def whole_number(remedy: str, lowest: int, highest: int | None = None) -> Callable[[Any], int]:
    """Return the check of a whole number in a range."""

    def check(value: Any) -> int:
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if not is_number or value < lowest or (highest is not None and value > highest):
            raise problem(f" is {value!r}", remedy)
        return int(value)

    return check


def unless_none(check: Callable[[Any], Any]) -> BeforeValidator:
    """Return the validator of an option that null switches off."""
    return BeforeValidator(lambda value: None if value is None else check(value))


# Nothing written is an empty list.
LIST = BeforeValidator(lambda value: as_list([] if value is None else value))
