"""Hold current tables against the source tables they must equal, row by row.

The truth of a table is a file of JSON lines in the plain forms that docs/recording.md lists. Both
sides become texts by the type that the column has in Spark, and rows are compared as multisets.
"""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Context, Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    TimestampNTZType,
    TimestampType,
)

EXACT = Context(prec=100)


@dataclass(frozen=True)
class Comparison:
    """How a current table compares with its truth: numbers of rows."""

    table: str
    rows: int
    missing: tuple[str, ...]
    unexpected: tuple[str, ...]

    @property
    def different(self) -> int:
        """Rows on one side only; a row with a wrong value is missing and unexpected, so two."""
        return len(self.missing) + len(self.unexpected)


def compare(
    table: str, current: DataFrame, truth: Path, database_types: Mapping[str, str]
) -> Comparison:
    """Compare a current table with its truth.

    Args:
        table: name, for messages.
        current: the `cur_` model; columns beginning with `_cdc_` are ours and not compared.
        truth: file of JSON lines.
        database_types: the source's type of each column of the truth.

    Raises:
        ValueError: the table lacks a column of the truth, or has one more.
    """
    types = {f.name: f.dataType for f in current.schema.fields if not f.name.startswith("_cdc_")}
    if set(types) != set(database_types):
        odd = sorted(set(types) ^ set(database_types))
        raise ValueError(f"{table}: columns of the table and of {truth.name} differ: {odd}")
    expected: Counter[str] = Counter()
    with truth.open(encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            told = {n: _told(row[n], types[n], database_types[n]) for n in types}
            expected[_row_text(told)] += 1
    found: Counter[str] = Counter()
    quoted = [f"`{name.replace('`', '``')}`" for name in types]
    for values in current.select(*quoted).toLocalIterator():
        row = dict(zip(types, values, strict=True))
        read = {n: _read(row[n], types[n], database_types[n]) for n in types}
        found[_row_text(read)] += 1
    return Comparison(
        table,
        found.total(),
        tuple((expected - found).elements()),
        tuple((found - expected).elements()),
    )


def _row_text(values: Mapping[str, Any]) -> str:
    return json.dumps(values, ensure_ascii=False, sort_keys=True)


def _told(value: Any, spark_type: DataType, database_type: str) -> Any:
    """Return the comparable form of a value of the truth."""
    if value is None:
        return None
    if isinstance(value, dict):
        return value["micros"]  # an interval
    if isinstance(spark_type, ArrayType):
        return [_told(item, spark_type.elementType, database_type) for item in value]
    if isinstance(spark_type, DecimalType):
        return _decimal(value)
    if isinstance(spark_type, TimestampType | TimestampNTZType):
        return _moment(value)
    if isinstance(spark_type, FloatType):
        return repr(struct.unpack("f", struct.pack("f", float(value)))[0])
    if isinstance(spark_type, DoubleType):
        return repr(float(value))
    if isinstance(value, str):
        return _text(value, database_type)
    return value


def _read(value: Any, spark_type: DataType, database_type: str) -> Any:
    """Return the comparable form of a value that Spark gave."""
    if value is None:
        return None
    if isinstance(spark_type, ArrayType):
        return [_read(item, spark_type.elementType, database_type) for item in value]
    if isinstance(spark_type, BinaryType):
        return bytes(value).hex()
    if isinstance(value, Decimal):
        return _decimal(value)
    if isinstance(value, datetime):
        moment = value.astimezone(UTC) if isinstance(spark_type, TimestampType) else value
        return moment.replace(tzinfo=None).isoformat(timespec="microseconds")
    if isinstance(spark_type, DateType) and isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return _text(value, database_type)
    return value


def _decimal(value: Any) -> str:
    try:
        number = Decimal(value)
    except InvalidOperation:
        return str(value)
    return str(number.normalize(EXACT)) if number else "0"


def _moment(text: str) -> str:
    """Return a timestamp text in UTC with six digits: what a Spark timestamp can hold."""
    head, dot, fraction = text.rstrip("Z").partition(".")
    return f"{head}.{(fraction if dot else '')[:6]:0<6}"


def _text(value: str, database_type: str) -> str:
    kind = database_type.split("(")[0]
    if kind in ("numeric", "decimal", "number"):
        return _decimal(value)  # a numeric without a declared scale is text in Spark
    if kind.startswith("time"):
        # the digits of the fraction depend on whether the type's are known
        zone = "Z" if value.endswith("Z") else ""
        head, _, fraction = value.removesuffix("Z").partition(".")
        return f"{head}.{fraction.rstrip('0')}".rstrip(".") + zone
    return value
