"""What every type of every connector becomes, one row per case, written from the specification.

A row says how a database's column is described, how the record encodes it, and what the table shows.
The rows know nothing of the macros: they are the other side of the comparison.

They are run by `tests/lab/test_types.py` (models in Spark), `tests/unit/test_decode_encoding.py` and
`test_catalog_encodings.py` (columns and their types), and `test_types_page.py` (docs/types.md).
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Any

NAMESPACES = {
    "t": "io.debezium.time.",
    "d": "io.debezium.data.",
    "k": "org.apache.kafka.connect.data.",
}
PARAMETERS = {"precision": "connect.decimal.precision", "binary": "binary.handling.mode"}


@dataclass(frozen=True)
class Definition:
    """A column entry of the schema-change topic."""

    type_name: str
    jdbc_type: int | None = None
    length: int | None = None
    scale: int | None = None


@dataclass(frozen=True)
class TypeCase:
    """One value of one column.

    Attributes:
        connector: name of the connector.
        about: the database's type, as people write it, or what else brings such a column.
        column: the column as a staging model lists it: how the record encodes it.
        value: the JSON text of the value, as the converter writes it.
        spark_type: type of the table's column.
        shown: the table's value as text; none: it could not be read, and is said to be.
        beside: text of the companion column; none: no companion, or nothing in it.
        definition: its entry in the schema-change topic; none where there is no such topic.
        options: handling modes of the source; Debezium's defaults where not named.
        is_unread: whether the row says that the value could not be read; by default where it is
            shown in neither column.
        is_told: whether the database type alone tells how the record encodes the column.
        trap: number of the trap of the specification that the row springs.
    """

    connector: str
    about: str
    column: dict[str, Any]
    value: str
    spark_type: str
    shown: str | None
    beside: str | None = None
    definition: Definition | None = None
    options: dict[str, str] = field(default_factory=dict)
    is_unread: bool | None = None
    is_told: bool = True
    trap: int | None = None

    @property
    def label(self) -> str:
        """A name for test reports."""
        modes = " ".join(self.options.values())
        return f"{self.about} {modes} {self.value}"[:90]


def encoded(text: str) -> dict[str, Any]:
    """Return a column from shorthand.

    `int64 t.MicroTimestamp`, `bytes k.Decimal scale=2`, `array of int32`; `digits` are those of a
    time of day where the database type is known.
    """
    return {"name": "c", **_encoding(text)}


def _encoding(text: str) -> dict[str, Any]:
    if text.startswith("array of "):
        return {"type": "array", "items": _encoding(text.removeprefix("array of "))}
    kind, *more = text.split()
    column: dict[str, Any] = {"type": kind}
    for word in more:
        name, is_parameter, value = word.partition("=")
        if name == "digits":
            column["digits"] = int(value)
        elif is_parameter:
            column.setdefault("parameters", {})[PARAMETERS.get(name, name)] = value
        else:
            namespace, name = word.split(".", 1)
            column["semantic"] = NAMESPACES[namespace] + name
    return column


def decimal(precision: int, scale: int) -> str:
    """Return the shorthand of a decimal's encoding in mode `precise`."""
    return f"bytes k.Decimal scale={scale} precision={precision}"


def unscaled(number: int) -> str:
    """Return the JSON of a decimal's bytes: base64 of the shortest big-endian two's complement."""
    length = (number if number >= 0 else ~number).bit_length() // 8 + 1
    return quoted(base64.b64encode(number.to_bytes(length, "big", signed=True)).decode())


def variable(number: int, scale: int) -> str:
    """Return the JSON of a decimal that carries its own scale."""
    return f'{{"scale":{scale},"value":{unscaled(number)}}}'


def quoted(text: str) -> str:
    """Return a text as JSON."""
    return json.dumps(text, ensure_ascii=False)
