"""Decode rows with keys and values in Avro to rows with text, before anything else reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as F
from pyspark.sql import types as T

from dbt_debezium_spark.avro import AvroSettings
from dbt_debezium_spark.avro.decode import decode

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

# The bytes of a row, for its rejection: `decode` returns null where it cannot read them.
BYTES = {"key": "_key_bytes", "value": "_value_bytes"}
# The place of a row, for origins whose own columns for it do not survive a projection.
PLACE = {"path": "_path", "seq": "_seq"}
OWN_COLUMNS = {"reason", *BYTES, *BYTES.values(), *PLACE.values()}
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
        with_bytes = rows.select("*", *[F.col(name).alias(copy) for name, copy in BYTES.items()])
        return decode(
            session,
            with_bytes,
            settings=self.settings,
            table=self.table,
            file_format=self.file_format,
        )

    @staticmethod
    def has_bytes(rows: DataFrame) -> bool:
        """Return whether the values are bytes; text was decoded by the writer of the rows."""
        kind = next(
            (column.dataType for column in rows.schema if column.name.lower() == "value"), None
        )
        return isinstance(kind, T.BinaryType)
