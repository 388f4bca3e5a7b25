"""Encodings that options of the connector choose, for every relational connector (spec §10.1)."""

from __future__ import annotations

from dataclasses import dataclass

from dbt_debezium_spark.catalog.connect_encoding import ConnectEncoding
from dbt_debezium_spark.decode.columns import Config
from dbt_debezium_spark.decode.semantic_types import DECIMAL, JSON

# Encodings with the largest number of fraction digits that each of them holds, ascending.
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
    """Tell whether decimals are sent as the bytes of their digits."""
    return bool(config["decimal_handling_mode"] == "precise")


def decimal_encoding(config: Config) -> ConnectEncoding:
    """Return how decimals are sent under `decimal.handling.mode`."""
    return {
        "precise": ConnectEncoding("bytes", DECIMAL),
        "double": ConnectEncoding("double"),
        "string": ConnectEncoding("string"),
    }[config["decimal_handling_mode"]]


def variable_scale_encoding(config: Config) -> ConnectEncoding:
    """Return how numbers without a declared scale are sent: each with its own."""
    return VARIABLE_SCALE if is_precise(config) else decimal_encoding(config)


def binary_encoding(config: Config) -> ConnectEncoding:
    """Return how bytes are sent under `binary.handling.mode`.

    A text that stands for bytes is marked: its schema does not tell it from any other text.
    """
    mode = config["binary_handling_mode"]
    if mode == "bytes":
        return ConnectEncoding("bytes")
    return ConnectEncoding("string", parameters={"binary.handling.mode": mode})


def interval_encoding(config: Config) -> ConnectEncoding:
    """Return how intervals are sent under `interval.handling.mode`."""
    return {
        "numeric": ConnectEncoding("int64", "io.debezium.time.MicroDuration"),
        "string": ConnectEncoding("string", "io.debezium.time.Interval"),
    }[config["interval_handling_mode"]]


def hstore_encoding(config: Config) -> ConnectEncoding:
    """Return how PostgreSQL's `hstore` is sent under `hstore.handling.mode`."""
    return {
        "json": ConnectEncoding("string", JSON),
        "map": ConnectEncoding("map"),
    }[config["hstore_handling_mode"]]


def unsigned_bigint_encoding(config: Config) -> ConnectEncoding:
    """Return how MySQL's `bigint unsigned` is sent under `bigint.unsigned.handling.mode`.

    In mode `long` it is marked: its schema does not tell it from a signed one, and numbers over
    2^63 - 1 arrive negative.
    """
    return {
        "long": ConnectEncoding("int64", parameters={"unsigned": "true"}),
        "precise": ConnectEncoding("bytes", DECIMAL),
    }[config["bigint_unsigned_handling_mode"]]


def temporal_encodings(config: Config) -> TemporalEncodings:
    """Return how dates and times without a zone are sent under `time.precision.mode`."""
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
