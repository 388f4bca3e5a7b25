"""Read Avro container files: Python takes them apart, Spark decodes their records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from dbt_debezium_spark.inputs.avro.decode import connect_text, from_avro
from dbt_debezium_spark.inputs.avro.errors import UnsupportedSchema
from dbt_debezium_spark.inputs.avro.package import load_avro
from dbt_debezium_spark.inputs.avro.parsing import Avro, parse
from dbt_debezium_spark.inputs.avro.reader_schema import (
    END,
    END_BYTES,
    PAYLOAD,
    Shape,
    items_schema,
)
from dbt_debezium_spark.inputs.sinks import avro_container
from dbt_debezium_spark.landing.exact_lines import carried
from dbt_debezium_spark.landing.scratch import Scratch

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import Column, DataFrame, SparkSession

_BLOCKS = "path string, schema string, first bigint, records bigint, data binary, problem string"
# Arrow's batches go to the JVM whole.
_BATCH_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True)
class AvroItems:
    """Records of one Avro schema.

    Attributes:
        tree: type of a record.
        shape: its form in JSON.
        rows: `path`, `seq` (number of the record in its file, from 0) and `item`; `reason` if some
            cannot land.
    """

    tree: Avro
    shape: Shape
    rows: DataFrame

    def text(self) -> Column:
        """Return an item as Connect's converters would write it, null for a null item."""
        return connect_text(F.col("item"), self.tree, self.shape)


@dataclass
class AvroReading:
    """Container files as Spark reads them.

    Attributes:
        blocks: the persisted blocks.
        items: records by schema.
        problems: `path`, `seq` of the first record that cannot be read, and `reason`.
    """

    blocks: DataFrame
    items: list[AvroItems]
    problems: list[DataFrame]


def read_containers(scratch: Scratch, paths: Sequence[str]) -> AvroReading:
    """Read Avro container files.

    Args:
        scratch: Spark.
        paths: files, wildcard characters escaped.
    """
    session = scratch.session
    files = session.read.format("binaryFile").option("recursiveFileLookup", "true")
    content = files.load(list(paths)).select(
        F.col("_metadata.file_path").alias("path"), F.col("content")
    )
    blocks = scratch.cache(content.mapInArrow(_splitter(), _BLOCKS))
    reading = AvroReading(blocks, [], [])
    seen = blocks.groupBy("schema").agg(F.max("problem").alias("problem")).collect()
    if any(row.problem for row in seen):
        broken = blocks.where("problem is not null")
        reading.problems.append(
            broken.select("path", F.col("first").alias("seq"), F.col("problem").alias("reason"))
        )
    schemas = sorted({row.schema for row in seen if row.schema is not None})
    if schemas:
        load_avro(session)
    for text in schemas:
        _add_items(session, reading, text)
    return reading


def _add_items(session: SparkSession, reading: AvroReading, text: str) -> None:
    """Add the records of one schema, or the reason why they cannot be read."""
    of_schema = reading.blocks.where((F.col("schema") == F.lit(text)) & F.col("data").isNotNull())
    try:
        tree = parse(text)
        schema, shape = items_schema(tree)
        _ = session.range(0).select(from_avro(F.lit(b""), schema)).schema
    except UnsupportedSchema as error:
        reading.problems.append(_rejected(of_schema, f"its schema cannot be read: {error}"))
        return
    except Exception as error:  # of py4j or Spark: Avro's parser refuses the schema
        first = next((line for line in str(error).splitlines() if line.strip()), "")
        reading.problems.append(_rejected(of_schema, f"Spark cannot read its schema: {first}"))
        return
    read = of_schema.withColumn("read", from_avro(F.col("data"), schema))
    is_whole = (F.col(f"read.{END}") == F.lit(END_BYTES)) & (
        F.size(f"read.{PAYLOAD}") == F.col("records")
    )
    checked = read.withColumn("is_whole", F.coalesce(is_whole, F.lit(False)))
    rows = checked.where("is_whole").select(
        "path", "first", F.posexplode(f"read.{PAYLOAD}").alias("at", "item")
    )
    rows = rows.select("path", (F.col("first") + F.col("at")).alias("seq"), "item")
    reading.items.append(AvroItems(tree, shape, rows))
    reading.problems.append(
        checked.where("not is_whole").select(
            "path",
            F.col("first").alias("seq"),
            F.concat(
                F.lit("malformed_file: "),
                F.col("records").cast("string"),
                F.lit(" records from here on are not what the file's schema describes"),
            ).alias("reason"),
        )
    )


def _rejected(blocks: DataFrame, why: str) -> DataFrame:
    """Return one rejection for each file."""
    return blocks.groupBy("path").agg(
        F.min("first").alias("seq"), F.lit(f"foreign_file: {why}"[:300]).alias("reason")
    )


def _splitter() -> Callable[[Iterable[pyarrow.RecordBatch]], Iterator[pyarrow.RecordBatch]]:
    """Return the function that takes files apart on the workers."""
    load = carried(avro_container)
    end, batch_bytes = END_BYTES, _BATCH_BYTES

    def split(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow as pa

        container = load()
        schema = pa.schema(
            [
                ("path", pa.string()),
                ("schema", pa.string()),
                ("first", pa.int64()),
                ("records", pa.int64()),
                ("data", pa.binary()),
                ("problem", pa.string()),
            ]
        )

        def rows_of(path: str, content: bytes) -> Iterator[dict[str, Any]]:
            row = dict.fromkeys(schema.names) | {"path": path, "first": 0, "records": 0}
            text = None
            after = 0
            try:
                content = container.content_of(content)
                head = container.head_of(content)
                text = head.schema
                yield row | {"schema": text}
                for block in container.blocks_of(content, head):
                    after = block.first + block.records
                    yield {
                        **row,
                        "schema": text,
                        "first": block.first,
                        "records": block.records,
                        "data": block.items + end,
                    }
            except container.ContainerError as error:
                yield row | {"schema": text, "first": after, "problem": str(error)}

        def batch_of(rows: list[dict[str, Any]]) -> pa.RecordBatch:
            return pa.RecordBatch.from_pylist(rows, schema)

        rows: list[dict[str, Any]] = []
        size = 0
        for batch in batches:
            for number in range(batch.num_rows):
                path = batch.column(0)[number].as_py()
                for row in rows_of(path, batch.column(1)[number].as_py()):
                    rows.append(row)
                    size += len(row["data"] or b"")
                    if size >= batch_bytes:
                        yield batch_of(rows)
                        rows, size = [], 0
        if rows:
            yield batch_of(rows)

    return split
