"""Members of JSON texts as texts, each exactly as it was written.

The catalog contains parts of embedded schemas (`schema_json`, `default_value`) as Spark wrote them.
So a part is cut out of the text and not serialized again: `1.0E10` stays as it is. A value that is
no object has no members, as in Spark's `get_json_object`.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

# Spark also accepts control characters in texts.
_DECODER = json.JSONDecoder(strict=False)
_BLANKS = " \t\n\r"
_WHOLE_NUMBER = re.compile(r"-?[0-9]+")
_INT = range(-(2**31), 2**31)


def members(text: str | None) -> dict[str, str]:
    """Return the members of an object by name; none for another value.

    Args:
        text: valid JSON, or None.
    """
    if text is None or not text.lstrip().startswith("{"):
        return {}
    values = {}
    place = _skip(text, text.index("{") + 1)
    while text[place] != "}":
        name, place = _DECODER.raw_decode(text, place)
        start = _skip(text, _skip(text, place) + 1)  # after the colon
        _, place = _DECODER.raw_decode(text, start)
        values[name] = text[start:place]
        place = _after_comma(text, place)
    return values


def elements(text: str | None) -> list[str] | None:
    """Return the elements of an array; None for another value.

    Args:
        text: valid JSON, or None.
    """
    if text is None or not text.lstrip().startswith("["):
        return None
    values = []
    place = _skip(text, text.index("[") + 1)
    while text[place] != "]":
        _, end = _DECODER.raw_decode(text, place)
        values.append(text[place:end])
        place = _after_comma(text, end)
    return values


def as_text(value: str | None) -> str | None:
    """Return a value as Spark shows it: a string without quotes, other values as written."""
    if value is None or value == "null":
        return None
    if not value.startswith('"'):
        return value
    text, _ = _DECODER.raw_decode(value)
    # Spark replaces half of a surrogate pair by a question mark
    return str(text).encode("utf-8", "replace").decode("utf-8")


def as_texts(value: str | None) -> list[str | None] | None:
    """Return an array as texts; None for another value."""
    parts = elements(value)
    return None if parts is None else [as_text(part) for part in parts]


def as_int(value: str | None) -> int | None:
    """Return a number of Spark's type INT; None for another value."""
    if value is None or not _WHOLE_NUMBER.fullmatch(value) or int(value) not in _INT:
        return None
    return int(value)


def as_boolean(value: str | None) -> bool | None:
    """Return true or false; None for another value."""
    return {"true": True, "false": False}.get(value or "")


def _skip(text: str, place: int) -> int:
    while text[place] in _BLANKS:
        place += 1
    return place


def _after_comma(text: str, place: int) -> int:
    place = _skip(text, place)
    return _skip(text, place + 1) if text[place] == "," else place


# JSON as Spark writes it: without blanks, and without escapes for letters.
to_json: Any = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
