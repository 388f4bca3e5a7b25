"""Small frames from rows of the driver.

With Arrow the rows are constants of the plan; without it, Spark starts Python workers for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pyspark.sql import types as T

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, SparkSession


def ddl(columns: dict[str, str]) -> str:
    """Return columns in the form of `create table` and `createDataFrame`."""
    return ", ".join(f"`{name}` {kind}" for name, kind in columns.items())


def local_frame(session: SparkSession, rows: Sequence[tuple[Any, ...]], columns: str) -> DataFrame:
    """Return rows as a frame.

    Args:
        session: Spark.
        rows: values in the order of the columns; structs as dicts.
        columns: names and types, as in DDL.
    """
    import pyarrow as pa

    schema = T.StructType.fromDDL(columns)
    if not isinstance(schema, T.StructType):
        raise TypeError(f"not columns: {columns}")
    by_column = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    arrays = [
        pa.array(values, _arrow_type(field.dataType))
        for field, values in zip(schema.fields, by_column, strict=True)
    ]
    table: Any = pa.Table.from_arrays(arrays, names=schema.names)
    return session.createDataFrame(table, schema)


def _arrow_type(kind: T.DataType) -> pyarrow.DataType:
    import pyarrow as pa

    if isinstance(kind, T.ArrayType):
        return pa.list_(_arrow_type(kind.elementType))
    if isinstance(kind, T.StructType):
        return pa.struct([(field.name, _arrow_type(field.dataType)) for field in kind.fields])
    plain = {
        T.StringType: pa.string(),
        T.IntegerType: pa.int32(),
        T.LongType: pa.int64(),
        T.BooleanType: pa.bool_(),
        T.TimestampType: pa.timestamp("us", tz="UTC"),
    }
    return plain[type(kind)]
