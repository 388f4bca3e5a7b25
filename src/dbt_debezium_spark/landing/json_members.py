"""Members and items of JSON texts, each exactly as it was written.

Standard library only: the text of this module runs on Spark's workers (`exact_lines`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NoReturn

_SPACE = re.compile(r"[ \t\n\r]*")


def _refuse(constant: str) -> NoReturn:
    raise json.JSONDecodeError(f"{constant} is not JSON", constant, 0)


# Numbers stay text: only the end of a value matters here, and Python refuses very long integers.
_DECODER = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=_refuse)


def members_of(text: str) -> list[tuple[str, str]]:
    """Return the name and raw text of each member of a JSON object.

    Raises:
        JSONDecodeError: the text is not exactly one object.
        RecursionError: a value is nested too deeply.
    """
    start = _skip_space(text, 0)
    if text[start : start + 1] != "{":
        raise json.JSONDecodeError("Expecting an object", text, start)
    members, end = object_at(text, start)
    end = _skip_space(text, end)
    if end != len(text):
        raise json.JSONDecodeError("Extra data after the object", text, end)
    return members


def value_of(text: str) -> str:
    """Return the raw text of a JSON value, without the blanks around it.

    Raises:
        JSONDecodeError: the text is not exactly one value.
        RecursionError: the value is nested too deeply.
    """
    start = _skip_space(text, 0)
    _, end = _DECODER.raw_decode(text, start)
    if _skip_space(text, end) != len(text):
        raise json.JSONDecodeError("Extra data after the value", text, end)
    return text[start:end]


def object_at(text: str, start: int) -> tuple[list[tuple[str, str]], int]:
    """Return the members of the object that begins at `start`, and the position after it.

    Raises:
        JSONDecodeError: there is no object.
    """
    members: list[tuple[str, str]] = []
    position = _skip_space(text, start + 1)
    if text[position : position + 1] == "}":
        return members, position + 1
    while True:
        if text[position : position + 1] != '"':
            raise json.JSONDecodeError("Expecting a member name in double quotes", text, position)
        name, position = _DECODER.raw_decode(text, position)
        position = _skip_space(text, position)
        if text[position : position + 1] != ":":
            raise json.JSONDecodeError("Expecting ':'", text, position)
        begin = _skip_space(text, position + 1)
        _, end = _DECODER.raw_decode(text, begin)
        members.append((name, text[begin:end]))
        position = _skip_space(text, end)
        after = text[position : position + 1]
        if after == "}":
            return members, position + 1
        if after != ",":
            raise json.JSONDecodeError("Expecting ',' or '}'", text, position)
        position = _skip_space(text, position + 1)


def items_of(text: str) -> Iterator[str]:
    """Yield the raw text of each item of a well-formed JSON array."""
    position = _skip_space(text, 1)
    while text[position] != "]":
        _, end = _DECODER.raw_decode(text, position)
        yield text[position:end]
        position = _skip_space(text, end)
        if text[position] == ",":
            position = _skip_space(text, position + 1)


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position
