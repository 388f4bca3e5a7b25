"""The first records of a Parquet file, as far as they tell which connector wrote them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dbt_debezium_spark.input_walk import printable_path

PARQUET_SUFFIXES = (".parquet", ".parq", ".pq")
ROWS_PER_FILE = 500
# Members of a value in columns or in one column: of an envelope, and of a flattened row.
_MEMBERS = (
    *("op", "source.name", "source.connector"),
    *("__op", "__deleted", "__source_name", "__name", "__source_connector", "__connector"),
)


def parquet_columns(file: Path) -> set[str]:
    """Return the paths of the columns of a file; none if it cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        schema = pq.ParquetFile(file).schema
    except (OSError, pa.ArrowException):
        return set()
    return {schema.column(number).path for number in range(len(schema))}


def parquet_records(
    file: Path, unread: list[str], topic: str | None = None
) -> Iterator[dict[str, Any]]:
    """Yield `topic` and `value` of the first records, and add an unreadable file to `unread`.

    Nothing else of the rows is read. A value in nested columns has `op` and `source`.

    Args:
        file: the file.
        unread: gets the file if it cannot be read.
        topic: topic of its records; None if their rows have it.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(file) as parquet:
            columns = _columns(parquet.schema_arrow, pa)
            batches = parquet.iter_batches(batch_size=ROWS_PER_FILE, columns=columns)
            rows = next(batches, None)
            for row in [] if rows is None else rows.to_pylist():
                yield _record(row, topic)
    except (OSError, pa.ArrowException) as error:
        first_line = (str(error).splitlines() or [type(error).__name__])[0]
        unread.append(f"{printable_path(str(file))}: {first_line}")


def _columns(schema: Any, pa: Any) -> list[str]:
    """Return the columns to read; of a struct, only the members that matter."""
    told = ("topic", "metadata.topic", *_MEMBERS)
    columns = [name for name in told if name.split(".")[0] in schema.names]
    if "value" in schema.names:
        kind = schema.field("value").type
        is_struct = pa.types.is_struct(kind)
        columns += [f"value.{name}" for name in _MEMBERS] if is_struct else ["value"]
    return columns


def _record(row: dict[str, Any], topic: str | None) -> dict[str, Any]:
    metadata = row.get("metadata")
    if topic is None and isinstance(metadata, dict):
        topic = metadata.get("topic")
    value = row.get("value")
    if "value" not in row:
        value = {name: one for name, one in row.items() if name not in ("topic", "metadata")}
    if isinstance(value, bytes):
        value = value.decode("utf-8", "replace")
    return {"topic": row.get("topic") if topic is None else topic, "value": value}
