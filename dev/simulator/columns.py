"""Columns of the simulated tables: Connect type, random values, invented and placeholder values."""

from __future__ import annotations

import base64
import hashlib
import random
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

PLACEHOLDER = "__debezium_unavailable_value"
DECIMAL = "org.apache.kafka.connect.data.Decimal"
JSON = "io.debezium.data.Json"
UUID = "io.debezium.data.Uuid"
TIME = "io.debezium.time."
_TYPES_OF_TIMES = {"Date": "int32", "Year": "int32", "ZonedTimestamp": "string"}
VARIABLE_SCALE_FIELDS = [
    {"type": "int32", "optional": False, "field": "scale"},
    {"type": "bytes", "optional": False, "field": "value"},
]


def base64_of(raw: bytes) -> str:
    """Return bytes as Connect's JSON converter writes them."""
    return base64.b64encode(raw).decode()


def in_binary_mode(base64_text: str, mode: str) -> str:
    """Return bytes, given as base64, as a text of a `binary.handling.mode`."""
    raw = base64.b64decode(base64_text)
    if mode == "hex":
        return raw.hex()
    return (base64.urlsafe_b64encode if mode == "base64-url-safe" else base64.b64encode)(
        raw
    ).decode()


def base64_decimal(unscaled: int) -> str:
    """Return an unscaled decimal as Connect writes it: big-endian two's complement."""
    length = max(1, (unscaled if unscaled >= 0 else ~unscaled).bit_length() // 8 + 1)
    return base64_of(unscaled.to_bytes(length, "big", signed=True))


@dataclass(frozen=True)
class Column:
    """One column.

    `values` draws a JSON value as the connector would write it (never null); `toast` tells that the
    database may store its values out of line and leave them out of an update's new image.
    """

    name: str
    type: str
    values: Callable[[random.Random], Any] = field(compare=False)
    semantic: str | None = None
    parameters: dict[str, str] = field(default_factory=dict, compare=False)
    optional: bool = True
    items: dict[str, Any] | None = field(default=None, compare=False)
    toast: bool = False

    def declared(self) -> dict[str, Any]:
        """Return the column as configuration declares it (`tables.<t>.columns`)."""
        column: dict[str, Any] = {"name": self.name, "type": self.type}
        if self.semantic:
            column["semantic"] = self.semantic
        if self.parameters:
            column["parameters"] = dict(self.parameters)
        if self.items:
            column["items"] = dict(self.items)
        if self.type == "struct":
            column["fields"] = [
                {"name": field["field"], "type": field["type"], "optional": False}
                for field in VARIABLE_SCALE_FIELDS
            ]
        if not self.optional:
            column["optional"] = False
        return column

    def connect_schema(self) -> dict[str, Any]:
        """Return the schema node that the JSON converter writes for this field."""
        node: dict[str, Any] = {"type": self.type}
        if self.type == "struct":
            node |= {"fields": VARIABLE_SCALE_FIELDS}
        if self.items:
            items = {"type": self.items["type"], "optional": True}
            if self.items.get("semantic"):
                items |= {"name": self.items["semantic"], "version": 1}
            node["items"] = items
        node["optional"] = self.optional
        if self.semantic:
            node |= {"name": self.semantic, "version": 1}
        if self.parameters and "binary.handling.mode" not in self.parameters:
            node["parameters"] = dict(self.parameters)
        return node | {"field": self.name}

    def invented(self) -> Any:
        """Return what Debezium puts into a NOT NULL column whose old value it does not know."""
        if self.type == "bytes":
            return base64_decimal(0) if self.semantic == DECIMAL else ""
        return {"string": "", "boolean": False, "array": [], "double": 0.0, "float": 0.0}.get(
            self.type, 0
        )

    def placeholder(self, text: str = PLACEHOLDER) -> Any:
        """Return the unavailable-value placeholder in this column's encoding."""
        if self.type == "bytes":
            return base64_of(text.encode())
        if self.type == "array":
            assert self.items is not None
            if self.items.get("semantic") == UUID:
                return [str(uuid.UUID(bytes=hashlib.md5(text.encode()).digest(), version=3))]
            if self.items["type"] == "bytes":
                return [base64_of(text.encode())]
            return [text] if self.items["type"] == "string" else list(text.encode())
        if self.parameters.get("binary.handling.mode"):
            return in_binary_mode(base64_of(text.encode()), self.parameters["binary.handling.mode"])
        if self.semantic == JSON and self.name == "attrs":
            return f'{{"{text}":"{text}"}}'
        return text


def pick(*values: Any) -> Callable[[random.Random], Any]:
    """Draw one of these."""
    return lambda rng: rng.choice(values)


def integers(bits: int) -> Callable[[random.Random], int]:
    """Draw small numbers often and the type's limits sometimes."""
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
    return lambda rng: rng.choice([0, 1, -1, low, high, rng.randint(-99, 99), rng.randint(-99, 99)])


def decimals(precision: int) -> Callable[[random.Random], str]:
    """Draw decimals of up to `precision` digits, as base64."""
    limit = 10**precision - 1

    def draw(rng: random.Random) -> str:
        unscaled = rng.choice([0, 1, -1, limit, -limit, 127, 128, -128, -129, 2**40])
        return base64_decimal(rng.choice([unscaled, rng.randint(-limit, limit)]) % (limit + 1))

    def signed(rng: random.Random) -> str:
        if rng.random() < 0.5:
            return draw(rng)
        return base64_decimal(-rng.randint(0, limit))

    return signed


def decimal(name: str, precision: int, scale: int) -> Column:
    """Return a column of decimals, as bytes."""
    parameters = {"scale": str(scale), "connect.decimal.precision": str(precision)}
    return Column(name, "bytes", decimals(precision), DECIMAL, parameters)


def moment(name: str, semantic: str, *values: Any, optional: bool = True) -> Column:
    """Return a column of times of a semantic type, which takes one of these values."""
    kind = _TYPES_OF_TIMES.get(semantic, "int64")
    return Column(name, kind, pick(*values), TIME + semantic, optional=optional)


# Text that trips readers: quotes, line ends, letters outside ASCII, text that only contains the
# placeholder, and text that is a placeholder for a column of another type.
TEXTS = (
    "",
    "a",
    "null",
    'o\'Neil "x" \\ y',
    "zwei\nZeilen\t",
    "üñí 漢字 🙂",
    f"{PLACEHOLDER} ",
    f"x{PLACEHOLDER}",
    base64_of(PLACEHOLDER.encode()),
)


def texts(rng: random.Random) -> str:
    """Draw a text."""
    return rng.choice([*TEXTS, f"text {rng.randint(0, 99)}", f"text {rng.randint(0, 99)}"])


def long_texts(rng: random.Random) -> str:
    """Draw a text, often too long to stay in its row."""
    return texts(rng) if rng.random() < 0.4 else f"{rng.randint(0, 999)} long " * 12


def byte_strings(rng: random.Random) -> str:
    """Draw bytes, as base64."""
    return base64_of(rng.choice([b"", b"\x00\xff", b"abc", rng.randbytes(5), rng.randbytes(40)]))


def json_texts(rng: random.Random) -> str:
    """Draw the text of a JSON document."""
    return rng.choice(
        ["{}", "null", '{"a": 1}', '{"b": [1, 2.50, null], "ü": "x"}', f'{{"n": {rng.random()}}}']
    )


def uuids(rng: random.Random) -> str:
    """Draw a UUID text."""
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


def lists(element: Callable[[random.Random], Any]) -> Callable[[random.Random], list[Any]]:
    """Draw arrays with an occasional null, up to three elements."""
    return lambda rng: [
        None if rng.random() < 0.15 else element(rng) for _ in range(rng.randint(0, 3))
    ]


def doubles(rng: random.Random) -> Any:
    """Draw a double; NaN and infinities are strings in Connect's JSON."""
    return rng.choice([0.0, 1.5, -2.25, 1e300, 0.1, "NaN", "Infinity", "-Infinity", rng.random()])
