"""The relations of an input: which there are, where Kafka's columns are, and which are unreadable.

A pattern is compared with names in Python and never becomes a part of SQL.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.errors import AnalysisException, PySparkException

from dbt_debezium_spark.config import TableInput
from dbt_debezium_spark.config.table_input import RelationPattern
from dbt_debezium_spark.landing.file_problems import short
from dbt_debezium_spark.landing.kafka_columns import ColumnProblem, KafkaColumns, kafka_columns
from dbt_debezium_spark.landing.record_values import REQUIRED
from dbt_debezium_spark.landing.relation_topics import topic_of
from dbt_debezium_spark.landing.table_progress import place_columns
from dbt_debezium_spark.text.sql_text import quoted_name

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_NAMES = [quoted_name(name) for name in REQUIRED]


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
        required = self.table.select(*[self.columns.column(name).alias(name) for name in REQUIRED])
        return required.selectExpr(f"{number} as _relation", *place_columns(*_NAMES))

    def rows(self) -> DataFrame:
        """Return the rows with Kafka's columns and their place."""
        return self.columns.select(self.table).selectExpr("*", *place_columns(*_NAMES))


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
                raise problem.error(source, table_input.relation) from problem
            problems[relation.name] = str(problem)
        except Exception as error:  # of py4j or Spark
            if table_input.relation is None:
                problems[relation.name] = f"cannot be read: {short(error)}"
            elif isinstance(error, AnalysisException):
                raise unreadable_relation(source, table_input, error) from error
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


def unreadable_relation(source: str, table_input: TableInput, error: Exception) -> ValueError:
    """Return the error for a relation that Spark cannot read."""
    return ValueError(
        f"debezium_spark: source `{source}` reads `{table_input.place}`, which Spark cannot:"
        f" {short(error)} Correct `input.relation`, or create it."
    )


def _opened(session: SparkSession, relation: Relation, table_input: TableInput) -> OpenRelation:
    table = session.table(relation.name)
    columns = kafka_columns(
        table.schema,
        table_input.columns,
        relation.topic,
        is_default_topic=relation.is_default_topic,
    )
    return OpenRelation(relation.name, table, columns)


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
