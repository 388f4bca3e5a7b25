"""Tables or views that somebody else fills, as a source's input, and columns of Kafka in them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, model_validator

from dbt_debezium_spark.config.block import (
    Block,
    as_mapping,
    as_text,
    one_of,
    refuse_unknown,
    text,
)
from dbt_debezium_spark.config.errors import problem

# Kafka's columns, with the names of Spark's Kafka source and the raw table.
KAFKA_COLUMNS = (
    *("topic", "partition", "offset", "timestamp", "timestampType", "key", "value", "headers"),
)


def _kafka_columns(value: Any) -> dict[str, str]:
    columns = as_mapping(value or {})
    refuse_unknown(columns, KAFKA_COLUMNS)
    return {name: as_text(column, f"kafka_{name}", f".{name}") for name, column in columns.items()}


# By our name of a column of Kafka the name in the input, also of a member: `redpanda.offset`.
ColumnNames = Annotated[dict[str, str], BeforeValidator(_kafka_columns)]

COLUMNS, NONE = "columns", "none"
INSTANT, WALL_CLOCK = "instant", "wall_clock"


class NestedConfig(Block):
    """How records in nested columns are read: the meaning of the types of these columns.

    Attributes:
        types: `columns` if they are the types of the source's columns; `none` if they only hold the
            numbers and texts of Debezium's JSON, and the types are known from elsewhere.
        timestamps: whether a TIMESTAMP is an `instant`, or a `wall_clock` time of a column without
            a zone, stored as if it was UTC.
    """

    shown = None

    types: Annotated[str, one_of((COLUMNS, NONE))] = COLUMNS
    timestamps: Annotated[str, one_of((INSTANT, WALL_CLOCK))] = INSTANT


# -- relations -------------------------------------------------------------------------------------

# The languages of a raw model.
LANDINGS = ("python", "sql")
_RELATIONS = "bronze.dbserver1_*"
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
    rest = "." + text
    while rest:
        if not rest.startswith("."):
            raise problem(
                f" is `{text}`, with `{rest[0]}` behind a name", "Write a dot between two names"
            )
        match = _PART.match(rest, 1)
        if match is None:
            raise problem(
                f" is `{text}`, not a name in a schema",
                f"Write for example `{_RELATIONS}`, names with dots in backquotes",
            )
        quoted, plain = match.groups()
        parts.append(plain.strip() if quoted is None else quoted.replace("``", "`"))
        rest = rest[match.end() :]
    *schema, name = parts
    if not schema:
        raise problem(f" is `{text}`, without a schema", f"Name the schema: `<schema>.{text}`")
    if any("*" in part for part in schema):
        raise problem(
            f" is `{text}`, with `*` in the name of the schema",
            "Use one source for each schema, or `relation: <view>` over all of them",
        )
    return RelationPattern(tuple(schema), name)


def _relations(value: Any) -> str:
    parse_pattern(as_text(value, _RELATIONS))
    return str(value)


class TableInput(Block):
    """Relations of Spark.

    Attributes:
        relation: one relation with the records of all topics.
        relations: or a pattern of relations, usually one for each topic.
        topic: name of a relation's topic; `*` stands for what `*` of `relations` matched.
        columns: maps Kafka's columns to those of the relations.
        nested: how nested columns are read.
        landing: language of the raw model.
    """

    shown = ("type", "columns")

    type: Literal["table"] = "table"
    relation: Annotated[str, text("bronze.kafka_records")] | None = None
    relations: Annotated[str, BeforeValidator(_relations)] | None = None
    topic: Annotated[str, text("dbserver1.public.*")] | None = None
    columns: ColumnNames = {}
    nested: NestedConfig = NestedConfig()
    landing: Annotated[str, one_of(LANDINGS)] = "python"

    @model_validator(mode="after")
    def _names_one_place(self) -> Self:
        if self.relation is None and self.relations is None:
            raise problem(
                ".relation is missing",
                f"Write for example `bronze.kafka_records`, or `relations: {_RELATIONS}`",
            )
        if self.relation is not None and self.relations is not None:
            raise problem(" has `relation` and `relations`", "Write one of them, or two sources")
        for option in ("relations", "topic", "nested"):
            is_set = option in self.model_fields_set and getattr(self, option) is not None
            if self.landing == "sql" and is_set:
                raise problem(
                    f".landing is `sql`, and `{option}` is set",
                    "Remove one of them: SQL lands one relation with Kafka's columns",
                )
        return self

    @model_validator(mode="after")
    def _names_the_topic(self) -> Self:
        if self.topic is None:
            return self
        if "topic" in self.columns:
            raise problem(" has `topic` and `columns.topic`", "Write one of them")
        if self.topic.count("*") != (self.relations or "").count("*"):
            raise problem(
                f".topic is `{self.topic}`, with another number of `*` than `{self.relations}`"
                if self.relations
                else f".topic is `{self.topic}`, with `*` for a single relation",
                "Each `*` stands for the text that the `*` of `relations` in its place matched",
            )
        return self

    @property
    def pattern(self) -> RelationPattern | None:
        """The pattern in `relations`."""
        return None if self.relations is None else parse_pattern(self.relations)

    @property
    def place(self) -> str:
        """The relation, or the pattern of relations."""
        return self.relation or self.relations or ""
