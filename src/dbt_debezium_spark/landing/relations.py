"""The relations of an input: which there are, where Kafka's columns are, and which are unreadable.

A pattern is compared with names in Python and never becomes a part of SQL.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import functions as F

from dbt_debezium_spark.config import TableInput
from dbt_debezium_spark.config.relation_pattern import RelationPattern
from dbt_debezium_spark.landing.kafka_columns import ColumnProblem, KafkaColumns, kafka_columns
from dbt_debezium_spark.landing.relation_topics import topic_of
from dbt_debezium_spark.sql_text import quoted_name

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession

# The place of a row, with types that a partition has. A row without a topic has an empty one, and
# without a partition a negative one, as no record has.
TOPIC, PARTITION, OFFSET = "_topic", "_partition", "_offset"
RELATION = "_relation"
NO_PARTITION = -1
_MAX_REASON_CHARACTERS = 300


@dataclass(frozen=True)
class Relation:
    """A relation, before Spark has seen it.

    Attributes:
        name: its name as Spark reads it.
        topic: topic of its rows; None if a column must name it.
        is_default_topic: whether a column comes before `topic`.
    """

    name: str
    topic: str | None
    is_default_topic: bool = False


@dataclass(frozen=True)
class OpenRelation:
    """A relation that Spark can read.

    Attributes:
        name: its name.
        table: its rows.
        columns: where Kafka's columns are.
    """

    name: str
    table: DataFrame
    columns: KafkaColumns

    def places(self, number: int) -> DataFrame:
        """Return the place of each row, of three narrow columns, with the relation's number."""
        return self.table.select(
            F.lit(number).alias(RELATION),
            *_place(*[self.columns.column(name) for name in ("topic", "partition", "offset")]),
        )

    def rows(self) -> DataFrame:
        """Return the rows with Kafka's columns and their place."""
        selected = self.columns.select(self.table)
        names = ("topic", "partition", "offset")
        return selected.select("*", *_place(*[F.col(name) for name in names]))


def relations_of(
    session: SparkSession, source: str, table_input: TableInput, topic_prefix: str
) -> list[Relation]:
    """Return the relations of an input, in order of name.

    Raises:
        ValueError: the schema of a pattern does not exist.
    """
    pattern = table_input.pattern
    if pattern is None:
        assert table_input.relation is not None
        return [Relation(table_input.relation, table_input.topic)]
    try:
        names = _names(session, pattern)
    except Exception as error:  # of py4j or Spark, by the catalog
        raise ValueError(
            f"debezium_spark: source `{source}` reads `{table_input.relations}`, whose schema Spark"
            f" cannot list: {short(error)} Correct `input.relations`, or create the schema."
        ) from error
    relations = []
    for name in sorted(names):
        matched = pattern.matched(name)
        if matched is not None:
            topic = topic_of(name, matched, table_input.topic, topic_prefix)
            full = ".".join(quoted_name(part) for part in (*pattern.schema, name))
            relations.append(Relation(full, topic, is_default_topic=table_input.topic is None))
    return relations


def open_relations(
    session: SparkSession, source: str, table_input: TableInput, relations: Iterable[Relation]
) -> tuple[list[OpenRelation], dict[str, str]]:
    """Open relations.

    Returns:
        Those that can be read, and by name the reason for each of the others.

    Raises:
        ValueError: the only relation does not exist, or lacks a column.
    """
    opened, problems = [], {}
    for relation in relations:
        try:
            opened.append(_opened(session, relation, table_input))
        except ColumnProblem as problem:
            if table_input.relation is not None:
                raise ValueError(
                    f"debezium_spark: source `{source}`: {problem.of(table_input.relation)}"
                ) from problem
            problems[relation.name] = str(problem)
        except Exception as error:  # of py4j or Spark
            if table_input.relation is None:
                problems[relation.name] = f"cannot be read: {short(error)}"
            elif isinstance(error, AnalysisException):
                raise ValueError(
                    f"debezium_spark: source `{source}` reads `{table_input.relation}`, which Spark"
                    f" cannot: {first_line(error)} Correct `input.relation`, or create it."
                ) from error
            else:
                raise
    return opened, problems


def unreadable(frames: dict[str, DataFrame]) -> dict[str, str]:
    """Return by name the reason for each frame that cannot be read to its end."""
    problems = {}
    for name, frame in frames.items():
        try:
            frame.write.format("noop").mode("overwrite").save()
        except Exception as error:  # of py4j or Spark
            problems[name] = f"cannot be read: {short(error)}"
    return problems


def first_line(error: BaseException) -> str:
    """Return the first line of an error's text."""
    return (str(error).splitlines() or [type(error).__name__])[0]


def short(error: BaseException) -> str:
    """Return the innermost cause in an error's text, else its first line, not too long."""
    causes = [line.strip() for line in str(error).splitlines() if "Caused by:" in line]
    text = causes[-1].removeprefix("Caused by: ") if causes else first_line(error)
    return text[:_MAX_REASON_CHARACTERS]


def _opened(session: SparkSession, relation: Relation, table_input: TableInput) -> OpenRelation:
    table = session.table(relation.name)
    columns = kafka_columns(
        table.schema,
        table_input.columns,
        relation.topic,
        is_default_topic=relation.is_default_topic,
    )
    return OpenRelation(relation.name, table, columns)


def _place(topic: Column, partition: Column, offset: Column) -> list[Column]:
    return [
        F.make_valid_utf8(F.coalesce(topic.cast("string"), F.lit(""))).alias(TOPIC),
        F.coalesce(partition.try_cast("int"), F.lit(NO_PARTITION)).alias(PARTITION),
        offset.try_cast("bigint").alias(OFFSET),
    ]


def _names(session: SparkSession, pattern: RelationPattern) -> set[str]:
    schema = ".".join(quoted_name(part) for part in pattern.schema)
    tables = session.sql(f"show tables in {schema}").collect()
    names = {row.tableName for row in tables if not row.isTemporary}
    try:
        views = session.sql(f"show views in {schema}").collect()
    except PySparkException:
        # The catalog has no views.
        return names
    return names | {row.viewName for row in views if not row.isTemporary}
