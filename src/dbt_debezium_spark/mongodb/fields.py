"""Typed columns of a document: the value at a path, as a Spark type."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any

from dbt_debezium_spark.decode.document_fields import DECIMAL
from dbt_debezium_spark.mongodb import ejson

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_RANGES = {"int": 31, "bigint": 63}


class Misfit(ValueError):
    """A value that does not fit in the type of its field."""


@dataclass(frozen=True)
class Field:
    """A typed column: its name, its dotted path in the document, and its type."""

    name: str
    path: str
    type: str

    @property
    def spark_type(self) -> str:
        """The column's type in Spark."""
        return "string" if self.type == "json" else self.type


def read_fields(items: Iterable[Mapping[str, str]]) -> list[Field]:
    """Return fields from the form in models."""
    return [Field(item["name"], item["path"], item["type"]) for item in items]


def typed_values(
    document: Mapping[str, Any], fields: Iterable[Field]
) -> tuple[dict[str, Any], list[str]]:
    """Return the value of each field, and the names of fields whose value does not fit."""
    values: dict[str, Any] = {}
    misfits = []
    for field in fields:
        try:
            values[field.name] = typed(_at(document, field.path), field.type)
        except (ValueError, ArithmeticError, RecursionError):
            # A `Misfit`, or an error of a damaged document; it must not affect other fields.
            values[field.name] = None
            misfits.append(field.name)
    return values, misfits


def typed(value: Any, kind: str) -> Any:
    """Return a value of a canonical document as a type; null and undefined are None.

    Raises:
        Misfit: the value does not fit exactly.
    """
    if kind == "json":
        return None if value is None else ejson.document_text(value)
    if value is None or value == {"$undefined": True}:
        return None
    if kind != "string" and (isinstance(value, list) or ejson.is_document(value)):
        raise Misfit("a document or an array")
    decimal = DECIMAL.fullmatch(kind)
    if decimal is not None:
        return _decimal(value, int(decimal[1]), int(decimal[2]))
    return _READERS[kind](value)


def _at(document: Any, path: str) -> Any:
    for part in path.split("."):
        if isinstance(document, list):
            place = int(part) if part.isascii() and part.isdigit() and len(part) < 10 else -1
            document = document[place] if 0 <= place < len(document) else None
        elif ejson.is_document(document):
            document = document.get(part)
        else:
            return None
    return document


def _string(value: Any) -> str:
    if isinstance(value, str):
        value.encode()  # raises for half of a surrogate pair
        return value
    if isinstance(value, dict) and not ejson.is_document(value) and len(value) == 1:
        ((name, inner),) = value.items()
        if name in ("$oid", "$numberDecimal", "$date", "$symbol", "$numberDouble"):
            return str(inner)
    # any other value becomes its canonical text
    return json.dumps(value) if isinstance(value, bool) else ejson.document_text(value)


def _integer(bits: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if (
            isinstance(value, bool)
            or not isinstance(value, int)
            or not -(2**bits) <= value < 2**bits
        ):
            raise Misfit(str(value))
        return value

    return read


def _double(value: Any) -> float:
    if isinstance(value, dict) and set(value) == {"$numberDouble"}:
        return float(value["$numberDouble"].replace("Infinity", "inf"))
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float)
        or int(float(value)) != int(value)
    ):
        raise Misfit(str(value))
    return float(value)


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Misfit(str(value))
    return value


def _milliseconds(value: Any) -> int:
    if isinstance(value, dict):
        if set(value) == {"$date"}:
            milliseconds = ejson.moment_ms(value["$date"])
            if milliseconds is not None:
                return milliseconds
        if set(value) == {"$timestamp"}:
            return int(value["$timestamp"]["t"]) * 1000
    raise Misfit(str(value))


def _timestamp(value: Any) -> datetime:
    try:
        return _EPOCH + timedelta(milliseconds=_milliseconds(value))
    except OverflowError as error:
        raise Misfit(str(value)) from error


def _date(value: Any) -> date:
    moment = _timestamp(value)
    if (moment.hour, moment.minute, moment.second, moment.microsecond) != (0, 0, 0, 0):
        raise Misfit(str(value))
    return moment.date()


def _binary(value: Any) -> bytes:
    if not isinstance(value, dict) or set(value) != {"$binary"}:
        raise Misfit(str(value))
    try:
        return base64.b64decode(value["$binary"]["base64"], validate=True)
    except binascii.Error as error:
        raise Misfit(str(value)) from error


def _decimal(value: Any, precision: int, scale: int) -> Decimal:
    if isinstance(value, dict) and set(value) == {"$numberDecimal"}:
        text = value["$numberDecimal"]
    elif isinstance(value, bool) or not isinstance(value, int | float):
        raise Misfit(str(value))
    else:
        text = repr(value)
    try:
        number = Decimal(text)
    except InvalidOperation as error:
        raise Misfit(text) from error
    if not number.is_finite():
        raise Misfit(text)
    # Digits are shifted without arithmetic, because a decimal context would round.
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    while digits and exponent < -scale and digits[-1] == 0:
        digits, exponent = digits[:-1], exponent + 1
    significant = "".join(map(str, digits)).lstrip("0")
    if not significant:
        return Decimal((0, (0,), -scale))
    if exponent < -scale or len(significant) + exponent + scale > precision:
        raise Misfit(text)
    return Decimal((sign, tuple(map(int, significant + "0" * (exponent + scale))), -scale))


_READERS: dict[str, Callable[[Any], Any]] = {
    "string": _string,
    **{name: _integer(bits) for name, bits in _RANGES.items()},
    "double": _double,
    "boolean": _boolean,
    "timestamp": _timestamp,
    "date": _date,
    "binary": _binary,
}
