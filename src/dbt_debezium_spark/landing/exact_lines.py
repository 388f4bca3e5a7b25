"""Read the lines that the fast way leaves, with `record_line`: exact, and with reasons."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from dbt_debezium_spark.landing import record_line
from dbt_debezium_spark.landing.schemas import PLACE_COLUMNS, RECORD_COLUMNS
from dbt_debezium_spark.local_frames import ddl, local_frame

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

# Up to here the driver reads the lines itself: starting Python on the workers costs more.
MAX_DRIVER_LINES = 2_000
MAX_DRIVER_BYTES = 4 * 1024 * 1024

_COLUMNS = {
    **PLACE_COLUMNS,
    "state": "string",
    **{name: kind for name, kind in RECORD_COLUMNS.items() if name != "timestamp"},
    "timestamp_us": "bigint",
    "reason": "string",
    "content": "string",
    "content_hash": "string",
}
_READ_SCHEMA = ddl(_COLUMNS)
_LINE_COLUMNS = [*PLACE_COLUMNS, "line"]


def fit_the_driver(count: int, total_bytes: int) -> bool:
    """Return whether lines are read on the driver; else reading them anew costs a second time."""
    return count <= MAX_DRIVER_LINES and total_bytes <= MAX_DRIVER_BYTES


def read_exactly(
    session: SparkSession, lines: DataFrame, count: int, total_bytes: int
) -> DataFrame:
    """Return what each line holds.

    Args:
        session: Spark.
        lines: path, block, seq and `line` (bytes).
        count: how many lines these are.
        total_bytes: their length together.

    Returns:
        path, block, seq, `state` (`record`, `blank` or `rejected`), the record's columns, and for
        rejected lines `reason`, `content` and `content_hash` (of all of a long line).
    """
    wanted = lines.select(*_LINE_COLUMNS)
    if fit_the_driver(count, total_bytes):
        rows = [
            record_line.read_row(row.path, row.block, row.seq, bytes(row.line))
            for row in wanted.collect()
        ]
        read = local_frame(
            session, [tuple(row[name] for name in _COLUMNS) for row in rows], _READ_SCHEMA
        )
    else:
        read = wanted.mapInArrow(_batch_reader(), _READ_SCHEMA)
    return read.withColumn("timestamp", F.timestamp_micros("timestamp_us")).drop("timestamp_us")


def _batch_reader() -> Any:
    """Return the function that reads batches of lines on the workers.

    It carries the text of `record_line`: a cluster's workers need not have this project installed.
    """
    source = inspect.getsource(record_line)
    names = list(_COLUMNS)

    def read(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow as pa

        reader: dict[str, Any] = {"__name__": "record_line"}
        exec(compile(source, "record_line.py", "exec"), reader)
        headers = pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())]))
        types = dict.fromkeys(("block", "seq", "offset", "timestamp_us"), pa.int64())
        types |= {"partition": pa.int32(), "timestampType": pa.int32(), "headers": headers}
        schema = pa.schema([(name, types.get(name, pa.string())) for name in names])
        for batch in batches:
            rows = [reader["read_row"](**row) for row in batch.to_pylist()]
            yield pa.RecordBatch.from_pylist(rows, schema)

    return read
