"""Read Parquet files with Kafka's columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

from dbt_debezium_spark.config.table_input import NestedConfig
from dbt_debezium_spark.flattened.recognised import row_columns
from dbt_debezium_spark.landing.kafka_columns import KafkaColumns, kafka_columns
from dbt_debezium_spark.landing.nested.records import texts_of, with_texts
from dbt_debezium_spark.landing.origin import Decoder
from dbt_debezium_spark.landing.row_rules import as_candidates, missing_columns
from dbt_debezium_spark.landing.schemas import PLACE

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql import types as T


@dataclass(frozen=True)
class ParquetColumns:
    """Where a record is in the columns of Parquet files.

    Attributes:
        names: by our name the name of Kafka's column in the files, where it differs.
        nested: how nested columns are read.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    nested: NestedConfig = NestedConfig()

    def located(self, schema: T.StructType) -> KafkaColumns | None:
        """Return where Kafka's columns are; None if they have our names.

        Raises:
            ColumnProblem: a column does not exist.
        """
        if not self.names and not missing_columns(schema.names) and not row_columns(schema.names):
            return None
        return kafka_columns(schema, self.names)

    def check(self, schema: T.StructType) -> None:
        """Check that files with this schema contain records.

        Raises:
            ColumnProblem: a column does not exist.
            UnsupportedType: a nested column is of a type that no record has.
        """
        texts_of(self.schema(schema), self.nested)

    def schema(self, schema: T.StructType) -> T.StructType:
        """Return the schema of Kafka's columns in files with a schema."""
        located = self.located(schema)
        return schema if located is None else located.schema(schema)

    def records(self, rows: DataFrame) -> DataFrame:
        """Return rows with Kafka's columns, key and value as text or bytes, and their `PLACE`.

        Raises:
            ColumnProblem: a column does not exist.
            UnsupportedType: a nested column is of a type that no record has.
        """
        places = [F.col("_metadata.file_path"), F.col("_metadata.row_index")]
        placed = [place.alias(name) for place, name in zip(places, PLACE.values(), strict=True)]
        located = self.located(rows.schema)
        if located is None:
            return with_texts(rows.select("*", *placed), self.nested)
        return with_texts(located.select(rows, placed), self.nested)


def schema_of(session: SparkSession, paths: list[str]) -> T.StructType:
    """Return the merged schema of Parquet files.

    Raises:
        Exception: Spark's error, if one file is not Parquet or two types differ.
    """
    return open_parquet(session, paths).schema


def open_parquet(session: SparkSession, paths: list[str]) -> DataFrame:
    """Return the rows of Parquet files with compatible schemas, as they are.

    Args:
        session: Spark.
        paths: files, wildcard characters escaped.
    """
    # Without recursiveFileLookup, a folder `date=2026-01-01` would add a column.
    options = {"mergeSchema": "true", "recursiveFileLookup": "true"}
    return session.read.options(**options).parquet(*paths)


def read_parquet(
    session: SparkSession,
    rows: DataFrame,
    columns: ParquetColumns,
    decoder: Decoder | None = None,
) -> DataFrame:
    """Return every row of Parquet files as a record or a rejection.

    Args:
        session: Spark.
        rows: result of `open_parquet`.
        columns: where the records are.
        decoder: decodes keys and values that are bytes.

    Returns:
        Candidates; `seq` is the row's number in its file, from 0.
    """
    rows = columns.records(rows)
    if decoder is not None and decoder.has_bytes(rows):
        rows = decoder.decode(session, rows)
    return as_candidates(rows, path=PLACE["path"], seq=PLACE["seq"])
