"""How PostgreSQL's connector encodes a column with a configured database type (spec §10.3).

PostgreSQL has no schema-change topic, so `tables.<name>.columns` describes topics without embedded
schemas. There `{name: price, database_type: "numeric(10,2)"}` replaces the Connect type.
"""

from __future__ import annotations

import re

from dbt_debezium_spark.catalog.connect_encoding import BITS, ConnectEncoding
from dbt_debezium_spark.catalog.handling_modes import (
    ZONED_TIMESTAMP,
    binary_encoding,
    decimal_encoding,
    hstore_encoding,
    interval_encoding,
    is_precise,
    temporal_encodings,
    variable_scale_encoding,
)
from dbt_debezium_spark.catalog.type_table import TypeCase, TypeEntry, by_digits, only
from dbt_debezium_spark.decode.columns import Column, Config
from dbt_debezium_spark.decode.semantic_types import JSON, UUID

_TEXTS = (
    "char", "character", "bpchar", "varchar", "character varying", "text", "citext", "name", "inet",
    "cidr", "macaddr", "macaddr8", "int4range", "int8range", "numrange", "tsrange", "tstzrange",
    "daterange", "isbn",
)  # fmt: skip
_SPACES = re.compile(r"\s+")
_IN_PARENTHESES = re.compile(r"\([^)]*\)")
_NUMBERS = re.compile(r"[(,]\s*(-?[0-9]+)")
# Digits of a time or a timestamp without a size.
_USUAL_DIGITS = 6
_MOST_DECIMAL_DIGITS = 1000
_UNLIMITED = 2**31 - 1
# PostgreSQL stores a scale in 11 bits.
_SCALES = 2048


def postgresql_encoding(config: Config, database_type: str) -> Column | None:
    """Return how the connector encodes a type, as a column without a name.

    Args:
        config: configuration of the source.
        database_type: type as in DDL: `numeric(10,2)`, `timestamp(3)`, `integer[]`.

    Returns:
        {type, semantic, parameters, items}, each only if it exists; None for a type that the
        connector omits.
    """
    text = database_type.lower().strip()
    if text.endswith("[]"):
        items = postgresql_encoding(config, text.removesuffix("[]"))
        return None if items is None else {"type": "array", "items": items}
    word = _SPACES.sub(" ", _IN_PARENTHESES.sub(" ", text)).strip()
    numbers = [int(number) for number in _NUMBERS.findall(text)]
    for entry in postgresql_types(config):
        if word in entry.types:
            usual = _USUAL_DIGITS if entry.default_size is None else entry.default_size
            size = numbers[0] if numbers else usual
            for case in entry.cases:
                if case.maximum is None or size <= case.maximum:
                    return _column(case.encoding, word, numbers, size)
    return None


def _column(encoding: ConnectEncoding, word: str, numbers: list[int], size: int) -> Column:
    column: Column = {"type": encoding.type}
    if encoding.name:
        column["semantic"] = encoding.name
    parameters = dict(encoding.parameters)
    if encoding.is_bits:
        parameters["length"] = str(size)
    elif encoding.is_decimal and word in ("numeric", "decimal"):
        scale = numbers[1] if len(numbers) > 1 else 0
        parameters["scale"] = str(scale + _SCALES if scale < 0 else scale)
        parameters["connect.decimal.precision"] = str(numbers[0])
    if parameters:
        column["parameters"] = parameters
    return column


def postgresql_types(config: Config) -> tuple[TypeEntry, ...]:
    """Return the types of PostgreSQL under the handling modes of a source.

    The first number in parentheses selects the case, whose `maximum` is the largest such number.
    """
    decimal = decimal_encoding(config)
    money = decimal
    if is_precise(config):
        money = ConnectEncoding(decimal.type, decimal.name, {"scale": "2"})
    temporal = temporal_encodings(config)
    bits = ConnectEncoding("bytes", BITS)
    one_bit = TypeCase(ConnectEncoding("boolean"), "one bit", maximum=1)
    numeric = (
        TypeCase(decimal, "(p,s)", maximum=_MOST_DECIMAL_DIGITS),
        TypeCase(variable_scale_encoding(config), "without a scale"),
    )
    timestamp_names = ("timestamp", "timestamp without time zone")
    zoned_names = ("timestamptz", "timestamp with time zone")
    json = ConnectEncoding("string", JSON)
    zoned_time = _debezium("string", "time.ZonedTime")
    return (
        TypeEntry(("boolean", "bool"), only(ConnectEncoding("boolean"))),
        TypeEntry(("bit",), (one_bit, TypeCase(bits, "more bits")), default_size=1),
        TypeEntry(
            ("varbit", "bit varying"), (one_bit, TypeCase(bits, "else")), default_size=_UNLIMITED
        ),
        TypeEntry(("smallint", "int2", "smallserial"), only(ConnectEncoding("int16"))),
        TypeEntry(("integer", "int", "int4", "serial"), only(ConnectEncoding("int32"))),
        TypeEntry(("bigint", "int8", "bigserial", "oid"), only(ConnectEncoding("int64"))),
        TypeEntry(("real", "float4"), only(ConnectEncoding("float"))),
        TypeEntry(("double precision", "float8", "float"), only(ConnectEncoding("double"))),
        TypeEntry(("numeric", "decimal"), numeric, default_size=_MOST_DECIMAL_DIGITS + 1),
        TypeEntry(("money",), only(money)),
        TypeEntry(_TEXTS, only(ConnectEncoding("string"))),
        TypeEntry(("uuid",), only(ConnectEncoding("string", UUID))),
        TypeEntry(("json", "jsonb"), only(json)),
        TypeEntry(("xml",), only(_debezium("string", "data.Xml"))),
        TypeEntry(("ltree",), only(_debezium("string", "data.Ltree"))),
        TypeEntry(("tsvector",), only(_debezium("string", "data.Tsvector"))),
        TypeEntry(("enum",), only(_debezium("string", "data.Enum"))),
        TypeEntry(("date",), only(temporal.date)),
        TypeEntry(("time", "time without time zone"), by_digits(temporal.time)),
        TypeEntry(timestamp_names, by_digits(temporal.timestamp)),
        TypeEntry(zoned_names, only(ZONED_TIMESTAMP)),
        TypeEntry(("timetz", "time with time zone"), only(zoned_time)),
        TypeEntry(("interval",), only(interval_encoding(config))),
        TypeEntry(("bytea",), only(binary_encoding(config))),
        TypeEntry(("hstore",), only(hstore_encoding(config))),
        TypeEntry(("point",), only(_debezium("struct", "data.geometry.Point"))),
        TypeEntry(("geometry",), only(_debezium("struct", "data.geometry.Geometry"))),
        TypeEntry(("geography",), only(_debezium("struct", "data.geometry.Geography"))),
        TypeEntry(("vector",), only(_debezium("array", "data.DoubleVector"))),
        TypeEntry(("halfvec",), only(_debezium("array", "data.FloatVector"))),
        TypeEntry(("sparsevec",), only(_debezium("struct", "data.SparseDoubleVector"))),
    )


def _debezium(literal: str, name: str) -> ConnectEncoding:
    return ConnectEncoding(literal, f"io.debezium.{name}")
