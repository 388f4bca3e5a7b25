"""Tables or views that somebody else fills, as a source's input."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator

from dbt_debezium_spark.config.block import Block
from dbt_debezium_spark.config.errors import problem
from dbt_debezium_spark.config.nested import NestedConfig
from dbt_debezium_spark.config.relation_pattern import EXAMPLE, RelationPattern, parse_pattern
from dbt_debezium_spark.config.values import (
    as_mapping,
    as_text,
    one_of,
    refuse_unknown,
    unless_none,
)

# The languages of a raw model.
LANDINGS = ("python", "sql")
# Kafka's columns, with the names of Spark's Kafka source and the raw table.
COLUMNS = ("topic", "partition", "offset", "timestamp", "timestampType", "key", "value", "headers")
_RELATION = "bronze.kafka_records"


def _columns(value: Any) -> dict[str, str]:
    columns = as_mapping(value or {})
    refuse_unknown(columns, COLUMNS)
    return {name: as_text(column, f"kafka_{name}", f".{name}") for name, column in columns.items()}


def _pattern(value: Any) -> str:
    text = as_text(value, EXAMPLE)
    parse_pattern(text)
    return text


# By our name of a column of Kafka the name in the input, also of a member: `redpanda.offset`.
ColumnNames = Annotated[dict[str, str], BeforeValidator(_columns)]


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

    unset: ClassVar[Mapping[str, Any]] = {
        "relation": None,
        "relations": None,
        "topic": None,
        "nested": NestedConfig(),
        "landing": "python",
    }

    type: Literal["table"] = "table"
    relation: Annotated[str | None, unless_none(lambda value: as_text(value, _RELATION))] = None
    relations: Annotated[str | None, unless_none(_pattern)] = None
    topic: Annotated[
        str | None, unless_none(lambda value: as_text(value, "dbserver1.public.*"))
    ] = None
    columns: ColumnNames = {}
    nested: NestedConfig = NestedConfig()
    landing: Annotated[str, one_of(LANDINGS)] = "python"

    @classmethod
    def prepare(
        cls, options: dict[str, Any], name: str, context: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the options.

        Raises:
            PydanticCustomError: there is no relation, or the options exclude each other.
        """
        relation, relations = options.get("relation"), options.get("relations")
        if relation is None and relations is None:
            raise problem(
                ".relation is missing",
                f"Write for example `{_RELATION}`, or `relations: {EXAMPLE}`",
            )
        if relation is not None and relations is not None:
            raise problem(" has `relation` and `relations`", "Write one of them, or two sources")
        if options.get("landing") == "sql":
            for option in ("relations", "topic", "nested"):
                if options.get(option) is not None:
                    raise problem(
                        f".landing is `sql`, and `{option}` is set",
                        "Remove one of them: SQL lands one relation with Kafka's columns",
                    )
        topic = options.get("topic")
        if isinstance(topic, str):
            _check_topic(topic, relations if isinstance(relations, str) else "", options)
        return options

    @property
    def pattern(self) -> RelationPattern | None:
        """The pattern in `relations`."""
        return None if self.relations is None else parse_pattern(self.relations)

    @property
    def place(self) -> str:
        """The relation, or the pattern of relations."""
        return self.relation or self.relations or ""

    def check(self, where: str, project_dir: str) -> None:
        """Do nothing: landing finds out whether the relation exists."""


def _check_topic(topic: str, relations: str, options: Mapping[str, Any]) -> None:
    columns = options.get("columns")
    if isinstance(columns, Mapping) and "topic" in columns:
        raise problem(" has `topic` and `columns.topic`", "Write one of them")
    names = relations.count("*")
    if topic.count("*") != names:
        raise problem(
            f".topic is `{topic}`, with another number of `*` than `{relations}`"
            if relations
            else f".topic is `{topic}`, with `*` for a single relation",
            "Each `*` stands for the text that the `*` of `relations` in its place matched",
        )
