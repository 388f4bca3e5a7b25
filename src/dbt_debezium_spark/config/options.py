"""Debezium's connectors, and their options that change the form of records."""

from __future__ import annotations

CONNECTORS = ("sqlserver", "postgresql", "oracle", "mysql", "mariadb", "mongodb")

# Allowed values by option; the first one is Debezium's default.
MODES: dict[str, tuple[str, ...]] = {
    "decimal_handling_mode": ("precise", "double", "string"),
    "time_precision_mode": (
        "adaptive",
        "adaptive_time_microseconds",
        "connect",
        "microseconds",
        "nanoseconds",
        "isostring",
    ),
    "binary_handling_mode": ("bytes", "base64", "base64-url-safe", "hex"),
    "interval_handling_mode": ("numeric", "string"),
    "hstore_handling_mode": ("json", "map"),
    "bigint_unsigned_handling_mode": ("long", "precise"),
    "decimal_format": ("base64", "numeric"),
}

# MySQL has its own default, because its TIME can exceed a day and the adaptive int32.
CONNECTOR_DEFAULTS: dict[str, dict[str, str]] = {
    "mysql": {"time_precision_mode": "adaptive_time_microseconds"},
    "mariadb": {"time_precision_mode": "adaptive_time_microseconds"},
}

UNAVAILABLE_VALUE_PLACEHOLDER = "__debezium_unavailable_value"


def default_of(option: str, connector: str) -> str:
    """Return the value that Debezium uses if the connector does not set `option`."""
    return CONNECTOR_DEFAULTS.get(connector, {}).get(option, MODES[option][0])
