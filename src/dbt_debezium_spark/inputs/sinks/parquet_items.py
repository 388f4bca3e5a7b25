"""Rows of Parquet files that were written through Avro, as the records that they were.

The footer has the Avro schema with Connect's and Debezium's names of types. Spark is told to read
the columns as Avro's types, which are the bytes and numbers that were written: it would make
doubtful values of some (timestamps of a calendar or zone, decimals of at most 38 digits) and
refuse others (TIME in milliseconds). The text is then made as for a container of Avro.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F
from pyspark.sql import types as T

from dbt_debezium_spark.inputs.avro.connect_schema import optional_member
from dbt_debezium_spark.inputs.avro.errors import UnsupportedSchema
from dbt_debezium_spark.inputs.avro.parsing import Avro, parse
from dbt_debezium_spark.inputs.avro.reader_schema import items_schema
from dbt_debezium_spark.inputs.sinks.avro_blocks import AvroItems
from dbt_debezium_spark.inputs.sinks.parquet_footers import Footer, read_footers
from dbt_debezium_spark.landing.nested.value_types import Value, invalid_texts
from dbt_debezium_spark.landing.parquet_files import open_parquet
from dbt_debezium_spark.text.sql_text import quoted_name, text_literal

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_TYPES: dict[str, T.DataType] = {
    "boolean": T.BooleanType(),
    "int": T.IntegerType(),
    "long": T.LongType(),
    "float": T.FloatType(),
    "double": T.DoubleType(),
    "string": T.StringType(),
    "enum": T.StringType(),
    "bytes": T.BinaryType(),
    "fixed": T.BinaryType(),
}
_BYTES, _FIXED = "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"
_PHYSICAL = {
    "boolean": ("BOOLEAN",),
    "int": ("INT32",),
    "long": ("INT64",),
    "float": ("FLOAT",),
    "double": ("DOUBLE",),
    "string": (_BYTES,),
    "enum": (_BYTES,),
    "bytes": (_BYTES, _FIXED),
    "fixed": (_FIXED,),
}


def avro_items(session: SparkSession, footer: Footer) -> AvroItems:
    """Return the rows of files with one footer.

    Args:
        session: Spark.
        footer: has an Avro schema.

    Returns:
        Rows with a `reason` where a text is not UTF-8.

    Raises:
        UnsupportedSchema: the schema, or the columns, cannot be read exactly.
    """
    assert footer.avro is not None
    tree = parse(footer.avro)
    if tree.type != "record":
        raise UnsupportedSchema("it is not the schema of a record")
    kind = _spark_type(tree)
    assert isinstance(kind, T.StructType)
    if not fits(tree, footer.columns):
        raise UnsupportedSchema("its columns are not those of the Avro schema in its footer")
    reader = session.read.schema(kind).option("recursiveFileLookup", "true")
    item = Value("item", kind, "")
    broken = [
        f"when {condition} then {text_literal(f'bad_value: {name[1:]}: not UTF-8')}"
        for name, condition in invalid_texts(item)
    ]
    rows = reader.parquet(*footer.paths).select(
        F.col("_metadata.file_path").alias("path"),
        F.col("_metadata.row_index").alias("seq"),
        F.struct(*[F.col(quoted_name(name)) for name in kind.names]).alias("item"),
    )
    reason = f"case {' '.join(broken)} end" if broken else "cast(null as string)"
    return AvroItems(tree, items_schema(tree)[1], rows.withColumn("reason", F.expr(reason)))


def rows_as_written(session: SparkSession, path: str) -> DataFrame:
    """Return the rows of one file, as `avro_items` reads them if its footer has an Avro schema.

    Raises:
        ValueError: the footer cannot be read, or what it tells.
    """
    footers, problems = read_footers(session, [path])
    for problem in problems.values():
        raise ValueError(problem)
    (footer,) = footers
    if footer.avro is None:
        return open_parquet(session, [path])
    return avro_items(session, Footer(footer.avro, footer.columns, [path])).rows


def _spark_type(tree: Avro) -> T.DataType:
    """Return the type in which Spark reads what was written, and nothing made of it."""
    if tree.type == "union":
        return _spark_type(_member(tree))
    if tree.type == "record":
        names = [field.name.lower() for field in tree.fields]
        if len(set(names)) < len(names):
            raise UnsupportedSchema("two of its columns differ only in case")
        return T.StructType(
            [T.StructField(field.name, _spark_type(field.type)) for field in tree.fields]
        )
    if tree.type == "array":
        return T.ArrayType(_spark_type(tree.branches[0]))
    if tree.type == "map":
        return T.MapType(T.StringType(), _spark_type(tree.branches[0]))
    if tree.type not in _TYPES:
        raise UnsupportedSchema(f"it has the type `{tree.type}`")
    return _TYPES[tree.type]


def _member(tree: Avro) -> Avro:
    """Return the only type of a union besides null."""
    member = tree.branches[0] if len(tree.branches) == 1 else optional_member(tree)
    if member is None:
        raise UnsupportedSchema("it has a union of several types")
    return member


def fits(tree: Avro, columns: str) -> bool:
    """Return whether the columns of a file are those of a type: a tool may have written others.

    Args:
        tree: type of the rows.
        columns: see `Footer`.
    """
    root: Any = {}
    for path, kind in json.loads(columns):
        *parents, name = path.split(".")
        node = root
        for parent in parents:
            node = node.setdefault(parent, {})
            if not isinstance(node, dict):
                return False
        node[name] = kind
    return _fits(tree, root)


def _fits(tree: Avro, node: Any) -> bool:
    if tree.type == "union":
        return _fits(_member(tree), node)
    if tree.type in _PHYSICAL:
        return node in _PHYSICAL[tree.type]
    if not isinstance(node, dict):
        return False
    if tree.type == "record":
        return list(node) == [field.name for field in tree.fields] and all(
            _fits(field.type, node[field.name]) for field in tree.fields
        )
    # What is repeated has one name around it, or two, which depend on the writer.
    inner = next(iter(node.values())) if len(node) == 1 else None
    if tree.type == "map":
        return (
            isinstance(inner, dict)
            and list(inner) == ["key", "value"]
            and inner["key"] == _BYTES
            and _fits(tree.branches[0], inner["value"])
        )
    if _fits(tree.branches[0], inner):
        return True
    if not isinstance(inner, dict) or len(inner) != 1:
        return False
    return _fits(tree.branches[0], next(iter(inner.values())))
