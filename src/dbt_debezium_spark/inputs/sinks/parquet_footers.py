"""Read what the footers of Parquet files tell: the Avro schema of their writer, and the columns.

Connect's sinks write Parquet through Avro, and keep the Avro schema, in which Debezium's semantic
types are, in the footer. Spark reads Parquet without it. Spark cuts the footers out of the files;
Python workers read them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pyspark.sql import functions as F

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import SparkSession

_ROW = "path string, avro string, columns string, problem string"
# The last 8 bytes: the footer's length, least significant byte first, and the format's name.
_LENGTH = (
    "cast(conv(concat(" + ", ".join(f"hex(substring(content, -{8 - at}, 1))" for at in (3, 2, 1, 0))
) + "), 16, 10) as bigint)"
_TAIL = f"""
    case when length(content) >= 12 and {_LENGTH} <= length(content) - 12
        then substring(content, cast(-8 - {_LENGTH} as int)) else substring(content, -8) end
"""


@dataclass(frozen=True)
class Footer:
    """What the footers of some files tell.

    Attributes:
        avro: the Avro schema of the rows; None if the writer kept none.
        columns: as JSON, the path and the physical type of each column in the files.
        paths: the files.
    """

    avro: str | None
    columns: str
    paths: list[str]


def read_footers(
    session: SparkSession, paths: Sequence[str]
) -> tuple[list[Footer], dict[str, str]]:
    """Return the footers of files, and by path why a footer cannot be read.

    Args:
        session: Spark.
        paths: files, wildcard characters escaped.
    """
    files = session.read.format("binaryFile").option("recursiveFileLookup", "true")
    tails = files.load(list(paths)).select(
        F.col("_metadata.file_path").alias("path"), F.expr(_TAIL).alias("tail")
    )
    by_content: dict[tuple[str | None, str], list[str]] = defaultdict(list)
    problems: dict[str, str] = {}
    read = tails.mapInArrow(_reader(), _ROW).groupBy("avro", "columns", "problem")
    for row in read.agg(F.collect_list("path").alias("paths")).collect():
        if row.problem is None:
            by_content[row.avro, row.columns] += row.paths
        else:
            problems |= dict.fromkeys(row.paths, row.problem)
    footers = [
        Footer(avro, columns, sorted(ours))
        for (avro, columns), ours in sorted(by_content.items(), key=lambda footer: min(footer[1]))
    ]
    return footers, problems


def _reader() -> Callable[[Iterable[pyarrow.RecordBatch]], Iterator[pyarrow.RecordBatch]]:
    """Return the function that reads footers on the workers."""

    def read(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import io
        import json

        import pyarrow as pa
        import pyarrow.parquet as pq

        names = ("path", "avro", "columns", "problem")
        schema = pa.schema([(name, pa.string()) for name in names])

        def read_footer(path: str, tail: bytes) -> dict[str, object]:
            row: dict[str, object] = dict.fromkeys(names) | {"path": path}
            try:
                # A file without rows, as far as a reader of footers can see.
                file = pq.ParquetFile(io.BytesIO(b"PAR1" + (tail or b"")))
                kept = file.metadata.metadata or {}
                avro = kept.get(b"parquet.avro.schema", kept.get(b"avro.schema"))
                # Not in Arrow's types, which have no decimals of more than 76 digits.
                columns = [file.schema.column(number) for number in range(len(file.schema))]
                leaves = json.dumps([[column.path, column.physical_type] for column in columns])
                text = None if avro is None else avro.decode()
            except (pa.ArrowException, OSError, ValueError) as error:
                why = next((line for line in str(error).splitlines() if line.strip()), "")
                return row | {"problem": f"cannot be read as Parquet: {why}"[:300]}
            return row | {"avro": text, "columns": leaves}

        for batch in batches:
            pairs = zip(batch.column(0).to_pylist(), batch.column(1).to_pylist(), strict=True)
            yield pa.RecordBatch.from_pylist([read_footer(*pair) for pair in pairs], schema)

    return read
