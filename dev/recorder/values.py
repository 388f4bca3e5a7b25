"""Seeded values for the workload: ordinary ones, and those that break careless readers."""

from __future__ import annotations

import json
import random
import uuid
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

TEXTS = (
    "Ada Lovelace",
    "Željko Ćosić",
    "李小龍",
    'O\'Brien "Bo" \\ Sons',
    "🦕 emoji, tab\tand\nnew line",
    "",
    "null",
    " leading and trailing ",
)

BALANCES = ("0.00", "-0.01", "9999999999.99", "-9999999999.99", "12.30", "100.00", "7.05")

TOTALS = ("9999999999999999.9999", "-9999999999999999.9999", "0.0001", "-12.5000", "1250.0000")

LEDGERS = (
    "1234567890123456789012345678.0123456789",
    "-9999999999999999999999999999.9999999999",
    "0.0000000001",
    None,
)

INSTANTS = (
    "1969-12-31 23:59:59.999999+00",
    "1901-12-13 20:45:52+02",
    "2024-02-29 12:00:00.000001+05:30",
    "2038-01-19 03:14:08+00",
)

TAGS = (
    ["vip", 'a "b"', "c,d"],
    ["{}", "\\", "ü", "a tag of some length to be moved"],
    ["x", None, "NULL"],
    [],
    None,
)
"""Arrays of text with the elements that quoting gets wrong."""

WALL_CLOCKS = ("1969-07-20 20:17:40.123456", "1600-01-01 00:00:00", "2025-03-30 02:30:00", None)

INTERVALS = (
    "1 year 2 months 3 days 04:05:06.789",
    "-1 months +2 days -03:00:00",
    "00:00:00.000001",
    "0",
    None,
)

OUT_OF_LINE_CHARACTERS = 2_100
"""Length that pushes a row over PostgreSQL's 2 kB threshold, so that its values go to TOAST."""

_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789 äöü"


class Values:
    """Draws values from one seeded generator."""

    def __init__(self, seed: int) -> None:
        """Start the generator at `seed`."""
        self.random = random.Random(f"values-{seed}")

    def long_text(self) -> str:
        """Return a text that is stored out of line."""
        return "".join(self.random.choices(_ALPHABET, k=OUT_OF_LINE_CHARACTERS))

    def note(self) -> str | None:
        """Return a short text, a long one or none."""
        return self.random.choice([self.long_text(), self.random.choice(TEXTS), None])

    def preferences(self) -> str | None:
        """Return JSON text, large enough to be moved out of line with a long note."""
        value = {
            "theme": self.random.choice(["dark", "light"]),
            "ünïcode": "✓",
            "limits": [1, 2.50, -3e10, 12345678901234567890],
            "nested": {"empty": {}, "none": None, "flag": self.random.random() < 0.5},
            "padding": f"{self.random.getrandbits(256):064x}",
        }
        return self.random.choice([json.dumps(value), json.dumps(value), "[]", None])

    def scores(self) -> list[int] | None:
        """Return integers, more than fit a pointer, so that they can be moved out of line."""
        drawn = [self.random.randrange(-(2**31), 2**31) for _ in range(12)]
        return self.random.choice([drawn, drawn, [0], None])

    def balance(self) -> str:
        """Return an amount with two decimals."""
        return self.random.choice(
            [*BALANCES, str(Decimal(self.random.randrange(-(10**7), 10**7)).scaleb(-2))]
        )

    def instant(self) -> str:
        """Return a time with zone."""
        drawn = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(
            microseconds=self.random.randrange(10**13)
        )
        return self.random.choice([*INSTANTS, drawn.isoformat()])

    def birthday(self) -> str | None:
        """Return a date, before 1970 more often than not."""
        drawn = date(1900, 1, 1) + timedelta(days=self.random.randrange(45_000))
        return self.random.choice([drawn.isoformat(), drawn.isoformat(), "0001-01-01", None])

    def blob(self) -> bytes | None:
        """Return bytes: short, empty, out of line or none."""
        return self.random.choice(
            [self.random.randbytes(24), b"", b"\x00\xff", self.random.randbytes(2_200), None]
        )

    def uuid(self) -> str:
        """Return a UUID of this seed."""
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))
