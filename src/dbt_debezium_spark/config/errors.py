"""Errors in the configuration: the value, what is wrong with it, and the remedy.

Pydantic finds what is wrong. Validators say more with `problem`; `config_error` makes one message
of either.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

SIMILARITY = 0.6
# Errors of an option's value, and of a block before its options are read.
VALUE, BLOCK = "value", "block"
# Remedies by pydantic's own type of error.
_REMEDIES = {
    "bool_type": "Use true or false",
    "tuple_type": "Write it as a list",
    "dict_type": "Write it as a mapping of names to values",
}
_COLUMN_LISTS = ("columns", "fields")


class ConfigError(ValueError):
    """An invalid configuration; the message contains the problem and the remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        """Create the message, and keep both parts for callers.

        Args:
            what: what is wrong, with the value, without a full stop.
            remedy: what to do, without a full stop.
        """
        super().__init__(f"debezium_spark: {what}. {remedy}.")
        self.what = what
        self.remedy = remedy


def problem(what: str, remedy: str, kind: str = VALUE) -> PydanticCustomError:
    """Return the error that a validator raises; pydantic adds the place of the value.

    Args:
        what: what is wrong, as text after the place: ` is missing`, `.from is missing`.
        remedy: what to do, without a full stop.
        kind: `VALUE`, or `BLOCK` if no option of the block was read.
    """
    return PydanticCustomError(kind, "{what}", {"what": what, "remedy": remedy})


def config_error(error: ValidationError, value: Any, where: str) -> ConfigError:
    """Return the first of pydantic's errors as a `ConfigError`.

    Args:
        error: pydantic's error.
        value: the validated value; the place of a column in it is shown with its name.
        where: place of the value in the configuration.
    """
    first = error.errors(include_url=False)[0]
    path, steps = where, first["loc"]
    for number, step in enumerate(steps):
        value = _inside(value, step)
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
        name = value.get("name") if isinstance(value, Mapping) else None
        is_column = number > 0 and steps[number - 1] in _COLUMN_LISTS and isinstance(step, int)
        is_unread = number + 1 == len(steps) and first["type"] == BLOCK
        if is_column and isinstance(name, str) and name.strip() and not is_unread:
            path += f" (`{name}`)"
    context = first.get("ctx", {})
    what = context.get("what", f" is {first['input']!r}")
    return ConfigError(
        path + what, context.get("remedy") or _REMEDIES.get(first["type"], first["msg"])
    )


def _inside(value: Any, step: int | str) -> Any:
    if isinstance(step, str):
        return value.get(step) if isinstance(value, Mapping) else None
    return value[step] if isinstance(value, list | tuple) and step < len(value) else None


def in_words(names: Iterable[str]) -> str:
    """Return names as a list for messages."""
    return ", ".join(f"`{name}`" for name in names)


def nearest(name: object, known: Collection[str]) -> str | None:
    """Return the most similar known name, None if no name is similar.

    Dots and hyphens count as `_`, because Debezium's own options contain them.
    """
    normal = str(name).strip().lower().replace(".", "_").replace("-", "_")
    candidates = {candidate.lower().replace("-", "_"): candidate for candidate in known}
    matches = difflib.get_close_matches(normal, candidates, n=1, cutoff=SIMILARITY)
    return candidates[matches[0]] if matches else None


class InputError(RuntimeError):
    """What records need cannot be had now, so the run must end: no record is at fault."""
