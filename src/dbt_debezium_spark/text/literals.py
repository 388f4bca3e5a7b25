"""Texts as literals of Jinja, YAML and Python, for generated files.

Names, labels and comments come from strangers. Whatever they contain, every reader of a generated
file must read it as text. This is Python because a column needs dozens of literals, and calling a
macro under dbt costs more than the work. Macros call these functions as `adapter.debezium_…`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from unicodedata import category

# A member of a block that would exceed this column is written on several lines.
MOST_COLUMNS = 98
# Words that YAML does not read as text.
YAML_WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))

_JINJA_PLAIN = re.compile("[A-Za-z0-9_. ]*")
_YAML_PLAIN = re.compile("[A-Za-z0-9_. `,;:()<>-]*")
_YAML_BARE = re.compile("[A-Za-z_][A-Za-z0-9_]*")
# All delimiters of Jinja contain a brace, so a literal without braces is never Jinja.
_BRACES = str.maketrans({"{": "\\x7b", "}": "\\x7d"})
_ARGUMENT_CHARACTERS = frozenset("_ .,-")
_ARGUMENT_ESCAPE = re.compile(r"\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|U[0-9a-f]{8})")
# Characters with a meaning in HTML, Markdown or Jinja, and wide forms without one.
_WIDE = str.maketrans("<>[]{}`", "\uff1c\uff1e\uff3b\uff3d\uff5b\uff5d\uff40")
_ENTITY = re.compile("&(?=#?[A-Za-z0-9]+;)")


def jinja_text(text: str) -> str:
    """Return a text as a Jinja literal.

    Jinja reads Python's escapes, so quotes and line ends are safe.
    """
    if _JINJA_PLAIN.fullmatch(text):
        return f"'{text}'"
    return f"'{_escaped_text(text, chr(39)).translate(_BRACES)}'"


def python_text(text: str) -> str:
    """Return a text as a Python literal; dbt refuses a Python model that contains Jinja."""
    return f'"{_escaped_text(text, chr(34)).translate(_BRACES)}"'


def yaml_text(text: str) -> str:
    r"""Return a text as a YAML double-quoted scalar.

    dbt renders Jinja in most properties. A text with a brace becomes one Jinja literal, so that
    rendering gives exactly this text; so does a text with `\r`, which is a line end in Jinja. For
    values that dbt may render several times, see `argument_text`.
    """
    if _YAML_PLAIN.fullmatch(text):
        return f'"{text}"'
    if set(text) & set("{}\r"):
        text = f"{{{{ {jinja_text(text)} }}}}"
    return f'"{_escaped_text(text, chr(34))}"'


def yaml_name(text: str) -> str:
    """Return a name or a type in YAML, without quotes where that is safe."""
    if _YAML_BARE.fullmatch(text) and text.lower() not in YAML_WORDS:
        return text
    return yaml_text(text)


def is_plain(text: str) -> bool:
    """Return whether a text is its own `argument_text`."""
    return all(map(_is_argument_character, text))


def argument_text(text: str) -> str:
    r"""Return a text without characters that dbt, SQL or YAML interpret, for `read_argument`.

    dbt evaluates `var(…)` and `env_var(…)` in the arguments of a test, even without braces, and may
    render them more than once. So every character but letters, digits, `_`, `.`, `,`, `-` and
    blanks is escaped: `it's` is `it\x27s`. A plain text stays as it is.
    """
    return "".join(
        character if _is_argument_character(character) else _escape(character) for character in text
    )


def yaml_argument(text: str) -> str:
    """Return an `argument_text` as a YAML scalar."""
    return yaml_name(argument_text(text))


def read_argument(text: str) -> str:
    """Return the text that `argument_text` escaped."""
    return _ARGUMENT_ESCAPE.sub(lambda escape: chr(int(escape[0][2:], 16)), text)


def plain_words(text: str) -> str:
    """Return a stranger's text as part of a description: words on one line, without markup.

    dbt's documentation renders descriptions as Markdown and HTML. Characters of HTML, Markdown and
    Jinja are replaced by their wide forms, and invisible characters are removed.
    """
    words = "".join(
        " " if character.isspace() or category(character) == "Cc" else character
        for character in text
        if category(character) not in ("Cf", "Cs", "Co", "Cn")
    )
    return _ENTITY.sub("\uff06", " ".join(words.split()).translate(_WIDE))


def printable(text: str, keep: str = "") -> str:
    """Return a text that is safe on a terminal and in a log: invisible characters are escaped.

    Args:
        text: any text.
        keep: characters that stay, such as line ends in a message of several lines.
    """
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in keep else char.encode("unicode_escape").decode()
        for char in text
    )


def jinja_literal(value: Any) -> str:
    """Return a text, number, boolean, None, list or mapping as a Jinja literal on one line."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, str):
        return jinja_text(value)
    if isinstance(value, Mapping):
        members = (f"{jinja_text(name)}: {jinja_literal(member)}" for name, member in value.items())
        return "{" + ", ".join(members) + "}"
    return "[" + ", ".join(map(jinja_literal, value)) + "]"


def jinja_block(value: Any, indent: int) -> str:
    """Return a value as a Jinja literal that begins at column `indent`."""
    line = jinja_literal(value)
    fits = len(line) + indent <= MOST_COLUMNS
    if fits or not value or isinstance(value, str | int | float):
        return line
    inner = " " * (indent + 4)
    if isinstance(value, Mapping):
        members = [
            f"{inner}{jinja_text(name)}: {jinja_block(member, indent + 4)},"
            for name, member in value.items()
        ]
        return "\n".join(["{", *members, " " * indent + "}"])
    members = [f"{inner}{jinja_block(item, indent + 4)}," for item in value]
    return "\n".join(["[", *members, " " * indent + "]"])


def jinja_lines(values: list[Any], indent: int) -> str:
    """Return a list as a Jinja literal with one member per line.

    A changed column is then one changed line.
    """
    if not values:
        return "[]"
    lines = [f"{' ' * (indent + 4)}{jinja_block(value, indent + 4)}," for value in values]
    return "\n".join(["[", *lines, " " * indent + "]"])


def jinja_entry(members: Mapping[str, str], indent: int, on_lines: bool = False) -> str:
    """Return a mapping of Jinja expressions as an entry of a list that begins at column `indent`.

    Args:
        members: expressions by name.
        indent: column of the entry.
        on_lines: whether each member has a line of its own, also where one line has room for all.
    """
    texts = [f"'{name}': {expression}" for name, expression in members.items()]
    line = f"{{{', '.join(texts)}}},"
    if not on_lines and indent + len(line) <= 100:
        return line
    lines = [f"{' ' * (indent + 4)}{text}," for text in texts]
    return "\n".join(["{", *lines, " " * indent + "},"])


def _is_argument_character(character: str) -> bool:
    return character.isalnum() or character in _ARGUMENT_CHARACTERS


def _escaped_text(text: str, quote: str) -> str:
    """Escape backslash, the quote and unprintable characters, for both Python and YAML."""
    return printable(text.replace("\\", "\\\\").replace(quote, "\\" + quote))


def _escape(character: str) -> str:
    """Return the escape of a character that `_ARGUMENT_ESCAPE` matches."""
    if character.isascii():
        return f"\\x{ord(character):02x}"
    return character.encode("unicode_escape").decode()
