"""Members of JSON texts as texts, each exactly as it was written.

The catalog shows parts of embedded schemas (`schema_json`, `default_value`) as Spark wrote them, so
a part is cut out of the text and not written anew: `1.0E10` stays what it is. What is no object has
no members, as in Spark's `get_json_object`.
"""

from __future__ import annotations

import json
import re
from functools import partial
from typing import Any

# Spark reads control characters in texts, too.
_DECODER = json.JSONDecoder(strict=False)
_BLANKS = " \t\n\r"
_WHOLE_NUMBER = re.compile(r"-?[0-9]+")
_INT = range(-(2**31), 2**31)


def members(text: str | None) -> dict[str, str]:
    """Return the members of an object by name; nothing of another value.

    Args:
        text: valid JSON, or none.
    """
    if text is None or not text.lstrip().startswith("{"):
        return {}
    found = {}
    place = _skip(text, text.index("{") + 1)
    while text[place] != "}":
        name, place = _DECODER.raw_decode(text, place)
        start = _skip(text, _skip(text, place) + 1)  # behind the colon
        _, place = _DECODER.raw_decode(text, start)
        found[name] = text[start:place]
        place = _behind_comma(text, place)
    return found


def elements(text: str | None) -> list[str] | None:
    """Return the elements of an array; none for another value.

    Args:
        text: valid JSON, or none.
    """
    if text is None or not text.lstrip().startswith("["):
        return None
    found = []
    place = _skip(text, text.index("[") + 1)
    while text[place] != "]":
        _, end = _DECODER.raw_decode(text, place)
        found.append(text[place:end])
        place = _behind_comma(text, end)
    return found


def as_text(value: str | None) -> str | None:
    """Return a value as Spark shows it: a text without its quotes, others as written."""
    if value is None or value == "null":
        return None
    if not value.startswith('"'):
        return value
    text, _ = _DECODER.raw_decode(value)
    # half of a surrogate pair is no character: Spark shows a question mark
    return str(text).encode("utf-8", "replace").decode("utf-8")


def as_texts(value: str | None) -> list[str | None] | None:
    """Return an array as texts; none for another value."""
    parts = elements(value)
    return None if parts is None else [as_text(part) for part in parts]


def as_int(value: str | None) -> int | None:
    """Return a number of Spark's type INT, none for another value."""
    if value is None or not _WHOLE_NUMBER.fullmatch(value) or int(value) not in _INT:
        return None
    return int(value)


def as_boolean(value: str | None) -> bool | None:
    """Return true or false, none for another value."""
    return {"true": True, "false": False}.get(value or "")


def _skip(text: str, place: int) -> int:
    while text[place] in _BLANKS:
        place += 1
    return place


def _behind_comma(text: str, place: int) -> int:
    place = _skip(text, place)
    return _skip(text, place + 1) if text[place] == "," else place


# As Spark writes JSON: without blanks, and every letter as itself.
to_json: Any = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
