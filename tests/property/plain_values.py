"""What a column's raw JSON value means, in plain Python: the other opinion on the decoders."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

MOST_DIGITS = 38  # of a DECIMAL in Spark
EPOCH = datetime(1970, 1, 1)


def plain_value(column: Mapping[str, Any], value: Any) -> Any:
    """Return the Python value that Spark must give for a raw JSON value.

    Args:
        column: the column as staging models declare it.
        value: the member of the row image, as the JSON parser gives it.
    """
    if value is None:
        return None
    semantic = column.get("semantic") or ""
    kind = semantic.rsplit(".", 1)[-1]
    if kind == "Decimal":
        unscaled = int.from_bytes(base64.b64decode(value), "big", signed=True)
        number = Decimal(unscaled).scaleb(-int(column["parameters"]["scale"]), _exact())
        fits = int(column["parameters"]["connect.decimal.precision"]) <= MOST_DIGITS
        return number if fits else f"{number:f}"
    if kind == "VariableScaleDecimal":
        unscaled = int.from_bytes(base64.b64decode(value["value"]), "big", signed=True)
        return f"{Decimal(unscaled).scaleb(-value['scale'], _exact()):f}"
    if kind == "Bits":
        length = int(column["parameters"]["length"])
        return f"{int.from_bytes(base64.b64decode(value), 'little'):0{length}b}"
    if kind == "Date":
        return date(1970, 1, 1) + timedelta(days=value)
    if kind in ("Time", "MicroTime", "NanoTime"):
        return _time_of_day(value, {"Time": 3, "MicroTime": 6, "NanoTime": 9}[kind])
    if kind in ("Timestamp", "MicroTimestamp", "NanoTimestamp"):
        micros = {"Timestamp": value * 1000, "MicroTimestamp": value}.get(kind, value // 1000)
        return EPOCH + timedelta(microseconds=micros)
    if kind == "ZonedTimestamp":
        # Python knows microseconds only
        moment = datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", value))
        return moment.astimezone(UTC).replace(tzinfo=None)
    if column["type"] == "array":
        return [plain_value(column["items"], item) for item in value]
    mode = (column.get("parameters") or {}).get("binary.handling.mode")
    if mode == "hex":
        return bytes.fromhex(value)
    if mode is not None:
        return base64.urlsafe_b64decode(value.translate(str.maketrans("+/", "-_")))
    if column["type"] == "bytes":
        return base64.b64decode(value)
    if column["type"] in ("double", "float"):
        return float(value)
    return value


def exact_text(column: Mapping[str, Any], value: Any) -> str | None:
    """Return the text of the companion column of a value, for types that have one."""
    if value is None:
        return None
    if (column.get("semantic") or "").endswith("NanoTimestamp"):
        moment = EPOCH + timedelta(microseconds=value // 1000)
        return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond:06d}{value % 1000:03d}"
    return str(value)


def comparable(value: Any) -> str:
    """Return a text that is equal for equal values: of NaN too, and of decimals of any scale."""
    if isinstance(value, bytearray | bytes):
        return "x" + bytes(value).hex()
    if isinstance(value, list):
        return json.dumps([comparable(item) for item in value])
    if isinstance(value, Decimal):
        return f"decimal {value.normalize(_exact())}" if value else "decimal 0"
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat()
    return repr(value)


def _time_of_day(value: int, digits: int) -> str:
    second = 10**digits
    sign, value = "-" if value < 0 else "", abs(value)
    clock = value // second
    text = f"{clock // 3600:02d}:{clock // 60 % 60:02d}:{clock % 60:02d}"
    return f"{sign}{text}.{value % second:0{digits}d}"


def _exact() -> Any:
    from decimal import Context

    return Context(prec=80)
