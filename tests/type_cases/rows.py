"""How the modules of connectors write their rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.cases.log import embedded_columns
from tests.support.examples import compact, messages
from tests.type_cases import Definition, TypeCase, decimal, encoded, quoted, unscaled, variable
from tests.type_cases.temporal import Encoded, dates, times, timestamps

NUMERIC = {"decimal_format": "numeric"}
BINARY_MODES = [
    ("bytes", "bytes", '"+/8B"'),
    ("base64", "string binary=base64", '"+/8B"'),
    ("base64-url-safe", "string binary=base64-url-safe", '"-_8B"'),
    ("hex", "string binary=hex", '"fbff01"'),
]


class Rows(list[TypeCase]):
    """The rows of one connector; each method adds some.

    `about` names one database type or several, with a comma and a blank between them. Words with
    `_mode` or `_format` at their end are options of the source; the others are those of `TypeCase`.
    """

    def __init__(self, connector: str, define: Callable[[str], Definition] | None = None) -> None:
        """Begin without rows; `define` makes the schema-change entry of a type."""
        super().__init__()
        self.connector = connector
        self.define = define

    def row(
        self, about: str, encoding: str, value: str, spark_type: str, shown: str | None,
        beside: str | None = None, **more: Any,
    ) -> None:  # fmt: skip
        """Say what one value becomes."""
        self._add(about, encoded(encoding), value, spark_type, shown, beside, **more)

    def text(self, about: str, text: str, encoding: str = "string", **more: Any) -> None:
        """Say that a text is shown as it is."""
        self.row(about, encoding, quoted(text), "string", text, **more)

    def number(
        self, about: str, precision: int, scale: int, value: int | str, shown: str | None,
        spark_type: str = "", **more: Any,
    ) -> None:  # fmt: skip
        """Say what a decimal becomes: one without a point as bytes, or any JSON."""
        json_text = value if isinstance(value, str) else unscaled(value)
        spark_type = spark_type or f"decimal({precision},{scale})"
        self.row(about, decimal(precision, scale), json_text, spark_type, shown, **more)

    def variable(self, about: str, number: int, scale: int, shown: str, **more: Any) -> None:
        """Say what a decimal with a scale of its own becomes."""
        encoding = "struct d.VariableScaleDecimal"
        self.row(about, encoding, variable(number, scale), "string", shown, **more)

    def binary(self, about: str) -> None:
        """Say what bytes become under every `binary.handling.mode`."""
        for mode, encoding, value in BINARY_MODES:
            options = {} if mode == "bytes" else {"binary_handling_mode": mode}
            self.row(about, encoding, value, "binary", "FBFF01", **options)

    def dates(self, about: str, iso: str, **more: Any) -> None:
        """Say what a date becomes under every `time.precision.mode`."""
        for mode, row in dates(iso):
            self._timed(about, mode, row, **more)

    def times(self, about: str, digits: int, nanoseconds: int, without: str = "") -> None:
        """Say what a time of day becomes under every `time.precision.mode` but one."""
        for mode, row in times(digits, nanoseconds):
            if mode != without:
                self._timed(about, mode, row)

    def timestamps(
        self, about: str, digits: int, iso: str, nanoseconds: int, without: str = "", **more: Any
    ) -> None:
        """Say what a zoneless timestamp becomes under every `time.precision.mode` but one."""
        has_companions = self.connector in ("sqlserver", "oracle")
        for mode, row in timestamps(digits, iso, nanoseconds, is_cut=has_companions):
            if mode != without:
                self._timed(about, mode, row, **more)

    def example(self, name: str) -> Callable[..., None]:
        """Return a function that says what a field of an example becomes, by its own schema."""
        columns = {column["name"]: column for column in embedded_columns(name)}
        values = messages(name)[0]["value"]["payload"]["after"]

        def say(field: str, spark_type: str, shown: str, beside: str | None = None, trap: int = 50):
            column = {**columns[field], "name": "c"}
            about = f"{field} of the example"
            value = compact(values[field]) or "null"
            self._add(about, column, value, spark_type, shown, beside, trap=trap, is_told=False)

        return say

    def _timed(self, about: str, mode: str, row: Encoded, **more: Any) -> None:
        self.row(about, *row, time_precision_mode=mode, **more)

    def _add(self, about: str, column: dict[str, Any], *rest: Any, **more: Any) -> None:
        options = {
            name: more.pop(name) for name in list(more) if name.endswith(("_mode", "_format"))
        }
        for one in about.split(", "):
            is_defined = self.define and more.get("is_told", True)
            definition = self.define(one) if self.define and is_defined else None
            case = TypeCase(
                self.connector, one, column, *rest, definition=definition, options=options, **more
            )
            self.append(case)
