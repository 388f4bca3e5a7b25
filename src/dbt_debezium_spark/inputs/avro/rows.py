"""Decode rows with keys and values in Avro to rows with text, before anything else reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from dbt_debezium_spark.config.records import TEXT
from dbt_debezium_spark.inputs.avro import AvroSettings
from dbt_debezium_spark.inputs.avro.decode import SIDES, decode
from dbt_debezium_spark.landing.nested.records import PROBLEM
from dbt_debezium_spark.landing.schemas import BYTES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_NAMES = ("topic", "partition", "offset", "key", "value")


@dataclass(frozen=True)
class AvroRows:
    """A decoder of a source's records in Avro.

    Attributes:
        settings: the block `avro` of the source.
        table: quoted name of `raw_<source>__schemas`.
        file_format: of that table.
    """

    settings: AvroSettings
    table: str
    file_format: str

    def applies(self, rows: DataFrame) -> bool:
        """Return whether rows have a side to decode; a nested side was decoded by its writer."""
        if PROBLEM not in rows.columns:
            return True
        sides = _bytes_in(rows)
        return "value" in sides or ("key" in sides and self.settings.key != TEXT)

    def decode(self, session: SparkSession, rows: DataFrame) -> DataFrame:
        """Return rows with key and value as text, their bytes, and a `reason` if decoding failed.

        Args:
            session: Spark.
            rows: with Kafka's columns, key and value as bytes; they are read twice.

        Raises:
            RegistryError: a schema is not cached and the registry does not return it.
            TypeError: key or value is text.
        """
        lower = {name: name.lower() for name in rows.columns if name.lower() in _NAMES}
        rows = rows.withColumnsRenamed(lower).drop("reason")
        if "key" not in rows.columns:
            rows = rows.withColumn("key", F.lit(None).cast("binary"))
        texts: dict[str, str] = {}
        if PROBLEM in rows.columns:
            texts = {side: f"_{side}_text" for side in SIDES if side not in _bytes_in(rows)}
        for side, copy in texts.items():
            rows = rows.withColumn(copy, F.col(side).cast("string"))
            rows = rows.withColumn(side, F.lit(None).cast("binary"))
        with_bytes = rows.select("*", *[F.col(name).alias(copy) for name, copy in BYTES.items()])
        decoded = decode(
            session,
            with_bytes,
            settings=self.settings,
            table=self.table,
            file_format=self.file_format,
        )
        for side, copy in texts.items():
            decoded = decoded.withColumns(
                {side: F.col(copy), BYTES[side]: F.col(copy).cast("binary")}
            )
        return decoded.drop(*texts.values())

    def has_bytes(self, rows: DataFrame) -> bool:
        """Return whether there are bytes to decode; text was decoded by the writer of the rows."""
        return "value" in _bytes_in(rows) or (PROBLEM in rows.columns and self.applies(rows))


def _bytes_in(rows: DataFrame) -> set[str]:
    return {
        column.name.lower()
        for column in rows.schema
        if column.name.lower() in SIDES and isinstance(column.dataType, T.BinaryType)
    }
