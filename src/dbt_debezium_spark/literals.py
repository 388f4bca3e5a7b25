"""Texts as literals of Jinja, YAML and Python, as the generator writes them.

Names, labels and comments come from strangers: whatever they hold, no reader of a generated file
may take it for more than text. In Python and not in macros: a column takes dozens of literals, and
a call of a macro under dbt costs more than the work. Macros reach them as `adapter.debezium_…`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from unicodedata import category

# A member of a block that would pass this column is written over several lines.
MOST_COLUMNS = 98
# What YAML would read as something else than a text.
YAML_WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))

_JINJA_PLAIN = re.compile("[A-Za-z0-9_. ]*")
_YAML_PLAIN = re.compile("[A-Za-z0-9_. `,;:()<>-]*")
_YAML_BARE = re.compile("[A-Za-z_][A-Za-z0-9_]*")
# Every mark of Jinja has a brace: a literal without any is none of its code, in whichever file.
_BRACES = str.maketrans({"{": "\\x7b", "}": "\\x7d"})
_ARGUMENT_SIGNS = frozenset("_ .,-")
_ARGUMENT_ESCAPE = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")
# What HTML, Markdown and Jinja read as signs, and a wide form that they do not.
_WIDE = str.maketrans("<>[]{}`", "\uff1c\uff1e\uff3b\uff3d\uff5b\uff5d\uff40")
_ENTITY = re.compile("&(?=#?[A-Za-z0-9]+;)")


def jinja_text(text: str) -> str:
    """Return a text as a Jinja literal.

    Jinja reads Python's escapes, so quotes and line ends are safe.
    """
    if _JINJA_PLAIN.fullmatch(text):
        return f"'{text}'"
    return f"'{_escaped(text, chr(39)).translate(_BRACES)}'"


def python_text(text: str) -> str:
    """Return a text as a Python literal; dbt refuses a Python model in which it finds Jinja."""
    return f'"{_escaped(text, chr(34)).translate(_BRACES)}"'


def yaml_text(text: str) -> str:
    r"""Return a text as a YAML double-quoted scalar.

    dbt renders Jinja in most properties. A text with a brace is one Jinja literal as a whole, so
    that what is rendered is ours to the last sign; so is one with `\r`, a line end to Jinja. For
    what dbt renders once: see `argument_text`.
    """
    if _YAML_PLAIN.fullmatch(text):
        return f'"{text}"'
    if set(text) & set("{}\r"):
        text = f"{{{{ {jinja_text(text)} }}}}"
    return f'"{_escaped(text, chr(34))}"'


def yaml_name(text: str) -> str:
    """Return a name or a type in YAML: bare where that is safe, so that files read well."""
    if _YAML_BARE.fullmatch(text) and text.lower() not in YAML_WORDS:
        return text
    return yaml_text(text)


def is_plain(text: str) -> bool:
    """Tell whether a text is its own `argument_text`."""
    return all(map(_is_argument_sign, text))


def argument_text(text: str) -> str:
    r"""Return a text without any sign that dbt, SQL or YAML read, for our macros to read back.

    dbt calls what looks like `var(…)` or `env_var(…)` among the arguments of a test, braces or not,
    and may render what it reads more than once. Here every sign but letters, digits, `_`, `.`, `,`,
    `-` and blanks is an escape: `it's` is `it\x27s`. A plain text stays as it is.
    """
    return "".join(one if _is_argument_sign(one) else _escape(one) for one in text)


def yaml_argument(text: str) -> str:
    """Return an `argument_text` as a YAML scalar."""
    return yaml_name(argument_text(text))


def read_argument(text: str) -> str:
    """Return the text of which `argument_text` made this one."""
    return _ARGUMENT_ESCAPE.sub(lambda one: chr(int(one[0][2:], 16)), text)


def plain_words(text: str) -> str:
    """Return a stranger's text as part of a description: words on one line, no signs of a markup.

    dbt's documentation shows descriptions as Markdown with whatever HTML they hold. Signs of HTML,
    Markdown and Jinja are written in their wide forms, what cannot be seen is left out.
    """
    words = "".join(
        " " if one.isspace() or category(one) == "Cc" else one
        for one in text
        if category(one) not in ("Cf", "Cs", "Co", "Cn")
    )
    return _ENTITY.sub("\uff06", " ".join(words.split()).translate(_WIDE))


def printable(text: str, keep: str = "") -> str:
    """Return a text that is safe on a terminal and in a log: what is no visible sign is escaped.

    Args:
        text: what is to be shown.
        keep: further signs that stay, as the line ends of a message of several lines.
    """
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or one in keep else one.encode("unicode_escape").decode()
        for one in text
    )


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


def _is_argument_sign(sign: str) -> bool:
    return sign.isalnum() or sign in _ARGUMENT_SIGNS


def _escaped(text: str, quote: str) -> str:
    """Escape backslash, the quote and what is not printable, as Python and YAML both read it."""
    return printable(text.replace("\\", "\\\\").replace(quote, "\\" + quote))


def _escape(sign: str) -> str:
    """Return a sign by its number, as `_ARGUMENT_ESCAPE` reads it."""
    return f"\\x{ord(sign):02x}" if sign.isascii() else sign.encode("unicode_escape").decode()
