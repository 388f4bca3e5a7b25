"""Texts as literals of Jinja and YAML, as the generator writes them.

In Python and not in macros: a column takes dozens of them, and a call of a macro under dbt costs
more than the work. Macros reach them as `adapter.debezium_…`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# A member of a block that would pass this column is written over several lines.
MOST_COLUMNS = 98
# What YAML would read as something else than a text.
YAML_WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))

_JINJA_PLAIN = re.compile("[A-Za-z0-9_. ]*")
_YAML_PLAIN = re.compile("[A-Za-z0-9_. `,;:()<>-]*")
_YAML_BARE = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_UNPRINTABLE = re.compile(
    "[\\x00-\\x1f\\x7f-\\xa0\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\ufeff\\ufffe\\uffff]"
)
_JINJA_MARKS = ("{{", "{%", "{#")


def jinja_text(text: str) -> str:
    """Return a text as a Jinja literal.

    Jinja reads Python's escapes, so quotes and line ends are safe.
    """
    if _JINJA_PLAIN.fullmatch(text):
        return f"'{text}'"
    return f"'{_escaped(text, chr(39))}'"


def yaml_text(text: str) -> str:
    """Return a text as a YAML double-quoted scalar.

    dbt renders Jinja in most properties, descriptions too: a comment from a database must not
    become code.
    """
    if _YAML_PLAIN.fullmatch(text):
        return f'"{text}"'
    # `{{` first: what replaces it holds neither of the others
    for mark in _JINJA_MARKS:
        text = text.replace(mark, f"{{{{ '{mark}' }}}}")
    return f'"{_escaped(text, chr(34))}"'


def yaml_name(text: str) -> str:
    """Return a name or a type in YAML: bare where that is safe, so that files read well."""
    if _YAML_BARE.fullmatch(text) and text.lower() not in YAML_WORDS:
        return text
    return yaml_text(text)


def jinja_literal(value: Any) -> str:
    """Return a text, number, truth, none, list or mapping as a Jinja literal on one line."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return jinja_text(value)
    if isinstance(value, Mapping):
        members = (f"{jinja_text(name)}: {jinja_literal(one)}" for name, one in value.items())
        return "{" + ", ".join(members) + "}"
    return "[" + ", ".join(map(jinja_literal, value)) + "]"


def jinja_block(value: Any, indent: int) -> str:
    """Return the same, over several lines where one is too long; `indent` is where it starts."""
    line = jinja_literal(value)
    fits = len(line) + indent <= MOST_COLUMNS
    if fits or not value or isinstance(value, str | int | float):
        return line
    inner = " " * (indent + 4)
    if isinstance(value, Mapping):
        members = [
            f"{inner}{jinja_text(name)}: {jinja_block(one, indent + 4)},"
            for name, one in value.items()
        ]
        return "\n".join(["{", *members, " " * indent + "}"])
    members = [f"{inner}{jinja_block(one, indent + 4)}," for one in value]
    return "\n".join(["[", *members, " " * indent + "]"])


def jinja_lines(values: list[Any], indent: int) -> str:
    """Return a list with one member per line, whatever its length.

    A changed column is then a changed line.
    """
    if not values:
        return "[]"
    lines = [f"{' ' * (indent + 4)}{jinja_block(one, indent + 4)}," for one in values]
    return "\n".join(["[", *lines, " " * indent + "]"])


def _escaped(text: str, quote: str) -> str:
    """Escape backslash, the quote and what is not printable, as Python and YAML both read it."""
    text = text.replace("\\", "\\\\").replace(quote, "\\" + quote)
    return _UNPRINTABLE.sub(lambda one: one[0].encode("unicode_escape").decode(), text)
