"""Texts as literals of Spark SQL, like the macro `text_literal`."""

from __future__ import annotations


def text_literal(text: str) -> str:
    r"""Return a text as a Spark string literal on one line, so that SQL around it can be indented.

    Unlike in standard SQL, backslashes are escapes in Spark's literals. Spark substitutes `${…}` by
    variables of the session or the environment, even in literals, so `$` is escaped there.
    """
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("${", "\\u0024{")
    return "'" + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\0", "\\u0000") + "'"
