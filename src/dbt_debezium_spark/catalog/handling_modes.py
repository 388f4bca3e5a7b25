"""Encodings that depend on options of the relational connectors (spec §10.1)."""

from __future__ import annotations

from dataclasses import dataclass

from dbt_debezium_spark.catalog.connect_encoding import ConnectEncoding
from dbt_debezium_spark.decode.columns import Config
from dbt_debezium_spark.decode.semantic_types import DECIMAL, JSON

# Encodings with the maximal number of fraction digits of each, ascending.
ByDigits = tuple[tuple[int, ConnectEncoding], ...]

VARIABLE_SCALE = ConnectEncoding("struct", "io.debezium.data.VariableScaleDecimal")
ZONED_TIMESTAMP = ConnectEncoding("string", "io.debezium.time.ZonedTimestamp")


@dataclass(frozen=True)
class TemporalEncodings:
    """Encodings of dates, times and timestamps without a zone."""

    date: ConnectEncoding
    time: ByDigits
    timestamp: ByDigits


def is_precise(config: Config) -> bool:
    """Return whether the connector sends decimals as bytes."""
    return bool(config["decimal_handling_mode"] == "precise")


def decimal_encoding(config: Config) -> ConnectEncoding:
    """Return the encoding of decimals in `decimal.handling.mode`."""
    return {
        "precise": ConnectEncoding("bytes", DECIMAL),
        "double": ConnectEncoding("double"),
        "string": ConnectEncoding("string"),
    }[config["decimal_handling_mode"]]


def variable_scale_encoding(config: Config) -> ConnectEncoding:
    """Return the encoding of numbers without a declared scale."""
    return VARIABLE_SCALE if is_precise(config) else decimal_encoding(config)


def binary_encoding(config: Config) -> ConnectEncoding:
    """Return the encoding of bytes in `binary.handling.mode`.

    A parameter marks text that stands for bytes, because its schema is that of any other text.
    """
    mode = config["binary_handling_mode"]
    if mode == "bytes":
        return ConnectEncoding("bytes")
    return ConnectEncoding("string", parameters={"binary.handling.mode": mode})


def interval_encoding(config: Config) -> ConnectEncoding:
    """Return the encoding of intervals in `interval.handling.mode`."""
    return {
        "numeric": ConnectEncoding("int64", "io.debezium.time.MicroDuration"),
        "string": ConnectEncoding("string", "io.debezium.time.Interval"),
    }[config["interval_handling_mode"]]


def hstore_encoding(config: Config) -> ConnectEncoding:
    """Return the encoding of PostgreSQL's `hstore` in `hstore.handling.mode`."""
    return {
        "json": ConnectEncoding("string", JSON),
        "map": ConnectEncoding("map"),
    }[config["hstore_handling_mode"]]


def unsigned_bigint_encoding(config: Config) -> ConnectEncoding:
    """Return the encoding of MySQL's `bigint unsigned` in `bigint.unsigned.handling.mode`.

    A parameter marks it in mode `long`, because its schema is that of a signed number, and numbers
    above 2^63 - 1 arrive negative.
    """
    return {
        "long": ConnectEncoding("int64", parameters={"unsigned": "true"}),
        "precise": ConnectEncoding("bytes", DECIMAL),
    }[config["bigint_unsigned_handling_mode"]]


def temporal_encodings(config: Config) -> TemporalEncodings:
    """Return the encodings of dates and times without a zone in `time.precision.mode`."""
    return _TEMPORAL[config["time_precision_mode"]]


def _debezium(literal: str, name: str) -> ConnectEncoding:
    return ConnectEncoding(literal, f"io.debezium.time.{name}")


def _connect(literal: str, name: str) -> ConnectEncoding:
    return ConnectEncoding(literal, f"org.apache.kafka.connect.data.{name}")


_DATE = _debezium("int32", "Date")
_MICRO_TIME = _debezium("int64", "MicroTime")
_NANO_TIME = _debezium("int64", "NanoTime")
_MICRO_TIMESTAMP = _debezium("int64", "MicroTimestamp")
_NANO_TIMESTAMP = _debezium("int64", "NanoTimestamp")
_ADAPTIVE_TIMESTAMPS: ByDigits = (
    (3, _debezium("int64", "Timestamp")),
    (6, _MICRO_TIMESTAMP),
    (9, _NANO_TIMESTAMP),
)
_TEMPORAL = {
    "adaptive": TemporalEncodings(
        date=_DATE,
        time=((3, _debezium("int32", "Time")), (6, _MICRO_TIME), (9, _NANO_TIME)),
        timestamp=_ADAPTIVE_TIMESTAMPS,
    ),
    "adaptive_time_microseconds": TemporalEncodings(
        date=_DATE, time=((9, _MICRO_TIME),), timestamp=_ADAPTIVE_TIMESTAMPS
    ),
    "connect": TemporalEncodings(
        date=_connect("int32", "Date"),
        time=((9, _connect("int32", "Time")),),
        timestamp=((9, _connect("int64", "Timestamp")),),
    ),
    "microseconds": TemporalEncodings(
        date=_DATE, time=((9, _MICRO_TIME),), timestamp=((9, _MICRO_TIMESTAMP),)
    ),
    "nanoseconds": TemporalEncodings(
        date=_DATE, time=((9, _NANO_TIME),), timestamp=((9, _NANO_TIMESTAMP),)
    ),
    "isostring": TemporalEncodings(
        date=_debezium("string", "IsoDate"),
        time=((9, _debezium("string", "IsoTime")),),
        timestamp=((9, _debezium("string", "IsoTimestamp")),),
    ),
}
