"""How a wrong configuration is reported: what is wrong with which value, and the remedy."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import PydanticCustomError

SIMILARITY = 0.6
# Errors of an option's value, and of a block before its options are read.
VALUE, BLOCK = "value", "block"
_COLUMN_LISTS = ("columns", "fields")


class ConfigError(ValueError):
    """A configuration that cannot be used; the message says what is wrong and what to do."""

    def __init__(self, what: str, remedy: str) -> None:
        """Keep both halves, so that callers can show them apart.

        Args:
            what: what is wrong, with the value; no full stop.
            remedy: what to do; no full stop.
        """
        super().__init__(f"debezium_spark: {what}. {remedy}.")
        self.what = what
        self.remedy = remedy


def problem(what: str, remedy: str, kind: str = VALUE) -> PydanticCustomError:
    """Return the error that a validator raises; pydantic knows the place of the value.

    Args:
        what: what is wrong, as it follows the place: ` is missing`, `.from is missing`.
        remedy: what to do; no full stop.
        kind: `VALUE`, or `BLOCK` when no option of the block was read.
    """
    return PydanticCustomError(kind, "{what}", {"what": what, "remedy": remedy})


def config_error(error: ValidationError, value: Any, where: str) -> ConfigError:
    """Return the first of pydantic's errors in our form.

    Args:
        error: what pydantic raised; each error in it is a `problem`.
        value: what was validated: a column's place is shown with its name.
        where: place of the value in the configuration.
    """
    first = error.errors(include_url=False, include_input=False)[0]
    path, steps = where, first["loc"]
    for number, step in enumerate(steps):
        value = _inside(value, step)
        path += f"[{step}]" if isinstance(step, int) else f".{step}"
        name = value.get("name") if isinstance(value, Mapping) else None
        is_column = number > 0 and steps[number - 1] in _COLUMN_LISTS and isinstance(step, int)
        is_unread = number + 1 == len(steps) and first["type"] == BLOCK
        if is_column and isinstance(name, str) and name.strip() and not is_unread:
            path += f" (`{name}`)"
    return ConfigError(path + first["ctx"]["what"], first["ctx"]["remedy"])


def _inside(value: Any, step: int | str) -> Any:
    if isinstance(step, str):
        return value.get(step) if isinstance(value, Mapping) else None
    return value[step] if isinstance(value, list | tuple) and step < len(value) else None


def in_words(names: Iterable[str]) -> str:
    """Return names as they are listed in messages."""
    return ", ".join(f"`{name}`" for name in names)


def nearest(name: object, known: Collection[str]) -> str | None:
    """Return the known name that was most likely meant, if one is near enough.

    Debezium writes its options with dots; people copy them, so dots and hyphens count as `_`.
    """
    written = str(name).strip().lower().replace(".", "_").replace("-", "_")
    folded = {one.lower().replace("-", "_"): one for one in known}
    found = difflib.get_close_matches(written, folded, n=1, cutoff=SIMILARITY)
    return folded[found[0]] if found else None
