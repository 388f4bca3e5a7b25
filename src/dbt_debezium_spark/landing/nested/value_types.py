"""SQL of a value that `to_json` writes as Kafka Connect's converter would, for each type of Spark.

`to_json` alone is not exact: it writes a timestamp in the session's time zone and a decimal as a
number that later readers take for a double. So each value becomes one that it writes as it is: a
decimal its bytes, a date its days, a timestamp its microseconds or a text in UTC. The Connect
schema that goes with it makes staging read the value like that of any other record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pyspark.sql import types as T

from dbt_debezium_spark.decode.big_integers import scaled_decimal_text
from dbt_debezium_spark.decode.let import let
from dbt_debezium_spark.decode.semantic_types import DECIMAL, JSON
from dbt_debezium_spark.text.sql_text import quoted_name, text_literal

_PLAIN: dict[type[T.DataType], str] = {
    T.StringType: "string",
    T.CharType: "string",
    T.VarcharType: "string",
    T.BooleanType: "boolean",
    T.ByteType: "int8",
    T.ShortType: "int16",
    T.IntegerType: "int32",
    T.LongType: "int64",
    T.FloatType: "float",
    T.DoubleType: "double",
    # `to_json` writes base64, as the converter does.
    T.BinaryType: "bytes",
}
_TEXTS = (T.StringType, T.CharType, T.VarcharType)
# Structs of Debezium by their members, because Spark does not keep the names of schemas.
_KNOWN_STRUCTS = {
    "scale:int,value:binary": "io.debezium.data.VariableScaleDecimal",
    "srid:int,wkb:binary": "io.debezium.data.geometry.Geometry",
    "srid:int,wkb:binary,x:double,y:double": "io.debezium.data.geometry.Point",
    "dimensions:int,vector:map<int,double>": "io.debezium.data.SparseDoubleVector",
}
_EPOCH = "timestamp_ntz'1970-01-01 00:00:00'"
_MICROSECOND = "interval '0.000001' second"
# Maximal number of digits of an unscaled value in eight bytes.
_DIGITS_OF_64_BITS = 18
_TWO_TO_64 = "18446744073709551616BD"
# Members that are numbers in Debezium's records, with the function for those who made them moments.
_MOMENTS = {
    "ts_ms": "unix_millis({0})",
    "ts_us": "unix_micros({0})",
    "ts_ns": "unix_micros({0}) * 1000",
}


class UnsupportedType(ValueError):
    """A column has a type that no record has, or an impossible name; the text is the reason."""

    def __init__(self, name: str, why: str) -> None:
        """Create the reason.

        Args:
            name: path of the column.
            why: the rest of the sentence.
        """
        super().__init__(f"`{name}` {why}")


def member_sql(parent: str, name: str) -> str:
    """Return SQL: a member of a struct.

    Raises:
        UnsupportedType: Spark would put a variable in the place of the name, even in backquotes.
    """
    if "${" in name:
        raise UnsupportedType(name, "has a name in which Spark puts a variable for ${…}")
    return f"{parent}.{quoted_name(name)}"


@dataclass(frozen=True)
class Value:
    """A value of a column or a part of one.

    Attributes:
        sql: the value in SQL.
        kind: its type.
        name: its path, for reasons.
        depth: number of lambdas around it.
    """

    sql: str
    kind: T.DataType
    name: str
    depth: int = 0

    def member(self, field: T.StructField) -> Value:
        """Return a member of a struct."""
        name = f"{self.name}.{field.name}"
        return Value(member_sql(self.sql, field.name), field.dataType, name, self.depth)

    def inside(self, kind: T.DataType, suffix: str = "") -> Value:
        """Return an element of a collection, as the variable of a lambda."""
        return Value(f"e{self.depth}{suffix}", kind, self.name, self.depth + 1)


@dataclass(frozen=True)
class Written:
    """How a value is written.

    Attributes:
        sql: SQL that `to_json` writes exactly.
        schema: Connect's schema of it, without `optional`.
    """

    sql: str
    schema: dict[str, Any]


def column(value: Value, *, wall_clock: bool = False) -> Written:
    """Return a column of a row in the encoding of the JSON converter.

    Args:
        value: the column.
        wall_clock: whether a TIMESTAMP is a time without a zone, stored as if it was UTC.

    Raises:
        UnsupportedType: no record has such a value.
    """
    sql, kind = value.sql, value.kind
    if type(kind) in _PLAIN:
        return Written(sql, {"type": _PLAIN[type(kind)]})
    if isinstance(kind, T.DecimalType):
        parameters = {"scale": str(kind.scale), "connect.decimal.precision": str(kind.precision)}
        return Written(
            _decimal_bytes(sql, kind), {"type": "bytes", "name": DECIMAL, "parameters": parameters}
        )
    if isinstance(kind, T.DateType):
        return Written(f"unix_date({sql})", {"type": "int32", "name": "io.debezium.time.Date"})
    if isinstance(kind, T.TimeType):
        return Written(_micros_of_day(sql), {"type": "int64", "name": "io.debezium.time.MicroTime"})
    if isinstance(kind, T.TimestampNTZType) or (wall_clock and isinstance(kind, T.TimestampType)):
        is_zoneless = isinstance(kind, T.TimestampNTZType)
        micros = (
            f"unix_date(cast({sql} as date)) * 86400000000L + {_micros_of_day(sql)}"
            if is_zoneless
            else f"unix_micros({sql})"
        )
        return Written(micros, {"type": "int64", "name": "io.debezium.time.MicroTimestamp"})
    if isinstance(kind, T.TimestampType):
        schema = {"type": "string", "name": "io.debezium.time.ZonedTimestamp"}
        return Written(_utc_text(sql), schema)
    if isinstance(kind, T.VariantType):
        return Written(f"to_json({sql})", {"type": "string", "name": JSON})
    if isinstance(kind, T.NullType):
        return Written("cast(null as string)", {"type": "string"})
    if isinstance(kind, T.ArrayType):
        item = column(value.inside(kind.elementType), wall_clock=wall_clock)
        items = {**item.schema, "optional": True}
        return Written(_each(value, item.sql), {"type": "array", "items": items})
    # What is inside a map or a struct stays text for users, so it is written for readers.
    return part(value)


def part(value: Value) -> Written:
    """Return a value inside a map or a struct, as a person would write it.

    Raises:
        UnsupportedType: no record has such a value.
    """
    sql, kind = value.sql, value.kind
    if isinstance(kind, T.DecimalType):
        return Written(_decimal_text(sql, kind), {"type": "string"})
    if isinstance(kind, T.DateType | T.TimeType):
        return Written(f"cast({sql} as string)", {"type": "string"})
    if isinstance(kind, T.TimestampNTZType):
        return Written(_iso(sql), {"type": "string"})
    if isinstance(kind, T.VariantType):
        return Written(sql, {"type": "string"})
    if isinstance(kind, T.ArrayType):
        item = part(value.inside(kind.elementType))
        items = {**item.schema, "optional": True}
        return Written(_each(value, item.sql), {"type": "array", "items": items})
    if isinstance(kind, T.MapType):
        return _map(value, kind)
    if isinstance(kind, T.StructType):
        return struct(value, kind)
    written = _PLAIN.get(type(kind)) or isinstance(kind, T.TimestampType | T.NullType)
    if not written:
        raise UnsupportedType(value.name, f"is of type {kind.simpleString()}, which no record has")
    return column(value)


def struct(value: Value, kind: T.StructType, spellings: Mapping[str, str] | None = None) -> Written:
    """Return a struct with its members as parts.

    Args:
        value: the struct.
        kind: its type.
        spellings: by name in lower case the name of a member in the record.

    Raises:
        UnsupportedType: no record has such a value.
    """
    members = []
    for field in kind.fields:
        member = value.member(field)
        name = (spellings or {}).get(field.name.lower(), field.name)
        members.append(f"{text_literal(name)}, {(moment_number(member) or part(member)).sql}")
    sql = f"if({value.sql} is null, null, named_struct({', '.join(members)}))"
    known = _KNOWN_STRUCTS.get(_shape(kind))
    return Written(sql, {"type": "struct"} if known is None else {"type": "struct", "name": known})


def moment_number(value: Value) -> Written | None:
    """Return a member like `ts_ms` that its writer made a timestamp; None for other values."""
    template = _MOMENTS.get(value.name.rsplit(".", 1)[-1].lower())
    if template is None or not isinstance(value.kind, T.TimestampType):
        return None
    return Written(template.format(value.sql), {"type": "int64"})


def invalid_texts(value: Value) -> Iterator[tuple[str, str]]:
    """Yield the path of each text in a value, and SQL that is true if it is not UTF-8.

    `to_json` would replace the bytes without a word.
    """
    sql, kind = value.sql, value.kind
    if isinstance(kind, _TEXTS):
        yield value.name, f"not is_valid_utf8({sql})"
    elif isinstance(kind, T.StructType):
        for field in kind.fields:
            yield from invalid_texts(value.member(field))
    elif isinstance(kind, T.ArrayType):
        yield from _invalid_in(value, sql, kind.elementType)
    elif isinstance(kind, T.MapType):
        yield from _invalid_in(value, f"map_keys({sql})", kind.keyType)
        yield from _invalid_in(value, f"map_values({sql})", kind.valueType)


def _invalid_in(value: Value, elements: str, kind: T.DataType) -> Iterator[tuple[str, str]]:
    element = value.inside(kind)
    for name, condition in invalid_texts(element):
        yield name, f"exists({elements}, {element.sql} -> {condition})"


def _each(value: Value, item: str) -> str:
    return f"transform({value.sql}, e{value.depth} -> {item})"


def _map(value: Value, kind: T.MapType) -> Written:
    """Return an object, or a list of pairs if the keys are no texts, as the converter does."""
    inner = part(value.inside(kind.valueType, "v"))
    schema = {
        "type": "map",
        "keys": {"type": "string", "optional": False},
        "values": {**inner.schema, "optional": True},
    }
    if isinstance(kind.keyType, _TEXTS):
        key, item = value.inside(kind.keyType, "k"), inner.sql
        return Written(
            f"transform_values({value.sql}, ({key.sql}, e{value.depth}v) -> {item})", schema
        )
    entry = value.inside(kind)
    texts = []
    for name, kind_of_item in (("key", kind.keyType), ("value", kind.valueType)):
        written = part(Value(f"{entry.sql}.{name}", kind_of_item, value.name, entry.depth))
        texts.append(_as_text(written.sql, kind_of_item))
    pairs = f"transform(map_entries({value.sql}), {entry.sql} -> array({', '.join(texts)}))"
    return Written(pairs, schema)


def _as_text(sql: str, kind: T.DataType) -> str:
    if isinstance(kind, T.ArrayType | T.MapType | T.StructType | T.VariantType):
        return f"to_json({sql})"
    return f"base64({sql})" if isinstance(kind, T.BinaryType) else f"cast({sql} as string)"


def _shape(kind: T.StructType) -> str:
    names = sorted(f"{field.name}:{field.dataType.simpleString()}" for field in kind.fields)
    return ",".join(names).replace("smallint", "int")


def _unscaled(sql: str, kind: str) -> str:
    """Return SQL: the digits of a decimal without its point, as a number.

    The text of a small decimal may have an exponent: it also begins with these digits.
    """
    return f"cast(replace(substring_index(cast({sql} as string), 'E', 1), '.', '') as {kind})"


def _decimal_bytes(sql: str, kind: T.DecimalType) -> str:
    if kind.precision <= _DIGITS_OF_64_BITS:
        return f"unhex({_hex(_unscaled(sql, 'bigint'))})"
    low = f"pmod(u, {_TWO_TO_64})"
    high = f"(u div {_TWO_TO_64}) - if(u < 0 and {low} <> 0, 1L, 0L)"
    signed = f"cast(if({low} >= 9223372036854775808BD, {low} - {_TWO_TO_64}, {low}) as bigint)"
    all_bytes = f"unhex(concat({_hex(high)}, {_hex(signed)}))"
    return let("u", _unscaled(sql, "decimal(38, 0)"), all_bytes)


def _hex(number: str) -> str:
    """Return SQL: the 16 digits of a BIGINT in two's complement."""
    return f"lpad(hex({number}), 16, '0')"


def _decimal_text(sql: str, kind: T.DecimalType) -> str:
    digits = f"cast({_unscaled(sql, 'decimal(38, 0)')} as string)"
    return let("u", digits, scaled_decimal_text("u", str(kind.scale)))


def _micros_of_day(sql: str) -> str:
    """Return SQL: the time of day of a TIME or TIMESTAMP_NTZ, in microseconds."""
    return (
        f"hour({sql}) * 3600000000L + minute({sql}) * 60000000L"
        f" + cast(extract(second from {sql}) * 1000000 as bigint)"
    )


def _utc_text(sql: str) -> str:
    """Return SQL: a TIMESTAMP in UTC, whatever the session's time zone is."""
    return f"concat({_iso(f'({_EPOCH} + unix_micros({sql}) * {_MICROSECOND})')}, 'Z')"


def _iso(sql: str) -> str:
    return f"replace(cast({sql} as string), ' ', 'T')"
