"""Texts as literals of Spark SQL, like the macro `text_literal`, and names as identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable

_EXACT_TIME = r"'yyyy-MM-dd\'T\'HH:mm:ss.SSSSSS'"
_PART = re.compile(r"`(?:[^`]|``)+`|[^.`]+")
_PATH = re.compile(rf"(?:{_PART.pattern})(?:\.(?:{_PART.pattern}))*")


def text_literal(text: str) -> str:
    r"""Return a text as a Spark string literal on one line, so that SQL around it can be indented.

    Unlike in standard SQL, backslashes are escapes in Spark's literals. Spark substitutes `${…}` by
    variables of the session or the environment, even in literals, so `$` is escaped there.
    """
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("${", "\\u0024{")
    return "'" + escaped.replace("\n", "\\n").replace("\r", "\\r").replace("\0", "\\u0000") + "'"


def text_literals(texts: Iterable[str]) -> str:
    """Return texts as Spark string literals, with commas between them."""
    return ", ".join(map(text_literal, texts))


def exact_json(struct: str) -> str:
    """Return SQL: JSON text that differs for different structs; Spark's default cuts times."""
    return (
        f"to_json({struct}, map('timestampFormat', {_EXACT_TIME},"
        f" 'timestampNTZFormat', {_EXACT_TIME}, 'ignoreNullFields', 'false'))"
    )


def quoted_name(name: str) -> str:
    """Return a name as a Spark SQL identifier."""
    return "`" + name.replace("`", "``") + "`"


def quoted_path(path: str) -> str:
    """Return a name of several parts as a Spark SQL identifier: `lake.debezium`.

    Dots separate parts, except in a part in backticks.
    """
    return ".".join(quoted_name(part) for part in path_parts(path))


def path_parts(path: str) -> list[str]:
    """Return the parts of a name: three of ``lake.bronze.`kafka.records` ``.

    A text that is no such name is its one part.
    """
    if not _PATH.fullmatch(path):
        return [path]
    return [
        part[1:-1].replace("``", "`") if part.startswith("`") else part
        for part in _PART.findall(path)
    ]
