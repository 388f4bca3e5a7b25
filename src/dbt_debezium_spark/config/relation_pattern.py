"""A pattern of relations: names with `*`, in one schema of a catalog."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dbt_debezium_spark.config.errors import problem

EXAMPLE = "bronze.dbserver1_*"
# A part of a name: in backquotes, where two stand for one, or without dots and backquotes.
_PART = re.compile(r"`((?:[^`]|``)+)`|([^`.]+)")


@dataclass(frozen=True)
class RelationPattern:
    """The relations of a schema whose names match.

    Attributes:
        schema: parts of the schema's name, those of its catalog first.
        name: the relation's name, in which `*` stands for any characters.
    """

    schema: tuple[str, ...]
    name: str

    @property
    def wildcards(self) -> int:
        """The number of `*`."""
        return self.name.count("*")

    def matched(self, name: str) -> tuple[str, ...] | None:
        """Return the texts that `*` stands for in a name; None if the name does not match.

        Letters match in both cases, as names do in Spark.
        """
        pattern = "(.*)".join(re.escape(part) for part in self.name.split("*"))
        match = re.fullmatch(pattern, name, re.IGNORECASE | re.DOTALL)
        return None if match is None else match.groups()


def parse_pattern(text: str) -> RelationPattern:
    """Return a pattern from its text, in which names with dots are in backquotes.

    Raises:
        PydanticCustomError: it is no name, has no schema, or a `*` in the name of the schema.
    """
    parts: list[str] = []
    rest = text
    while True:
        match = _PART.match(rest)
        if match is None:
            raise problem(
                f" is `{text}`, not a name in a schema",
                f"Write for example `{EXAMPLE}`, names with dots in backquotes",
            )
        quoted, plain = match.groups()
        parts.append(plain.strip() if quoted is None else quoted.replace("``", "`"))
        rest = rest[match.end() :]
        if not rest:
            break
        if not rest.startswith("."):
            raise problem(
                f" is `{text}`, with `{rest[0]}` behind a name", "Write a dot between two names"
            )
        rest = rest[1:]
    *schema, name = parts
    if not schema:
        raise problem(f" is `{text}`, without a schema", f"Name the schema: `<schema>.{text}`")
    if any("*" in part for part in schema):
        raise problem(
            f" is `{text}`, with `*` in the name of the schema",
            "Use one source for each schema, or `relation: <view>` over all of them",
        )
    return RelationPattern(tuple(schema), name)
