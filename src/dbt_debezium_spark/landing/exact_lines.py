"""Read the lines that `fast_lines` leaves, exactly: with `record_line`, and with reasons."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F

from dbt_debezium_spark.landing import json_members, record_headers, record_line, record_values
from dbt_debezium_spark.landing.schemas import PLACE_COLUMNS, RECORD_COLUMNS
from dbt_debezium_spark.spark.local_frames import ddl, local_frame

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession

# The driver reads up to so many lines itself, because starting Python on the workers costs more.
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
# Each module follows those that it imports.
_WORKER_MODULES = (json_members, record_values, record_headers, record_line)


def fit_the_driver(count: int, total_bytes: int) -> bool:
    """Return whether the driver reads the lines; otherwise every use of the result reads them."""
    return count <= MAX_DRIVER_LINES and total_bytes <= MAX_DRIVER_BYTES


def read_exactly(
    session: SparkSession,
    lines: DataFrame,
    count: int,
    total_bytes: int,
    reader: ModuleType = record_line,
) -> DataFrame:
    """Return the records of lines, with a reason for each line that contains none.

    Args:
        session: Spark.
        lines: path, block, seq and `line` (bytes).
        count: number of lines.
        total_bytes: total length of the lines.
        reader: module with the function `read_row`; it imports only the standard library and
            `_WORKER_MODULES`.

    Returns:
        path, block, seq, `state` (`record`, `blank` or `rejected`), the record's columns, and for
        rejected lines `reason`, `content` and `content_hash` (of the whole line if it is cut).
    """
    lines = lines.select(*_LINE_COLUMNS)
    if fit_the_driver(count, total_bytes):
        rows = [
            reader.read_row(row.path, row.block, row.seq, bytes(row.line))
            for row in lines.collect()
        ]
        read = local_frame(
            session, [tuple(row[name] for name in _COLUMNS) for row in rows], _READ_SCHEMA
        )
    else:
        read = lines.mapInArrow(_batch_reader(reader), _READ_SCHEMA)
    return read.withColumn("timestamp", F.timestamp_micros("timestamp_us")).drop("timestamp_us")


def _batch_reader(reader: ModuleType = record_line) -> Any:
    """Return the function that reads batches of lines on the workers."""
    load = carried(*_WORKER_MODULES, *([] if reader is record_line else [reader]))
    names = list(_COLUMNS)

    def read(batches: Iterable[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow as pa

        reader = load()
        headers = pa.list_(pa.struct([("key", pa.string()), ("value", pa.string())]))
        types = dict.fromkeys(("block", "seq", "offset", "timestamp_us"), pa.int64())
        types |= {"partition": pa.int32(), "timestampType": pa.int32(), "headers": headers}
        schema = pa.schema([(name, types.get(name, pa.string())) for name in names])
        for batch in batches:
            rows = [reader.read_row(**row) for row in batch.to_pylist()]
            yield pa.RecordBatch.from_pylist(rows, schema)

    return read


def carried(*modules: ModuleType) -> Callable[[], Any]:
    """Return a function that loads modules on the workers, and returns the last of them.

    It carries the text of the modules, because the workers of a cluster may lack this package. The
    modules exist only while their text is executed: an installed package stays as it is.

    Args:
        modules: each follows those that it imports.
    """
    sources = {module.__name__: inspect.getsource(module) for module in modules}

    def load() -> Any:
        import sys
        from types import ModuleType

        existing = {name: sys.modules.get(name) for name in sources}
        module = None
        try:
            for name, source in sources.items():
                module = sys.modules[name] = ModuleType(name)
                exec(compile(source, f"{name}.py", "exec"), module.__dict__)
        finally:
            for name, before in existing.items():
                if before is None:
                    sys.modules.pop(name, None)
                else:
                    sys.modules[name] = before
        return module

    return load
