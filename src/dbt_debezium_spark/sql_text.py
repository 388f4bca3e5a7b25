"""Texts as literals of Spark SQL: the twin of macro `text_literal`."""

from __future__ import annotations


def text_literal(text: str) -> str:
    r"""Return a text as a Spark string literal on one line, so that SQL around it may be indented.

    Backslashes are escapes in Spark's literals, unlike in the standard. Spark puts a variable of
    the session or the environment where it finds `${…}`, in literals too: it finds none here.
    """
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("${", "\\u0024{")
    return "'" + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\0", "\\u0000") + "'"
