"""Decimals and other exact numbers: traps 6, 51 and 52 of the specification."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.cases.table import Table
from tests.cases.tables import column, decimal, pg_log
from tests.traps.edges import check, edge

# 6


PG_NUMBERS = Table(
    "pg_numbers",
    "postgresql",
    [column("id", "int32"), decimal("price", 38, 18), decimal("total", 39, 0)],
    table="public.numbers",
    mark=None,
    options={"decimal_format": "numeric"},
)
# digits that a double does not hold; the converter writes them without quotes
PRICE, TOTAL = "12345678901234567890.123456789012345678", "9" * 39
NUMBERS = PG_NUMBERS.story(
    "numbers",
    [
        replace(record, value=record.value.replace('"PRICE"', PRICE).replace('"TOTAL"', TOTAL))
        for record in pg_log()
        .add("c", {"id": 1}, 10, {"id": 1, "price": "PRICE", "total": "TOTAL"})
        .records
    ],
)


def test_06_decimals_that_the_converter_writes_as_numbers_keep_every_digit(built):
    (row,) = built.current(NUMBERS)
    assert (str(row["price"]), row["total"]) == (PRICE, TOTAL)


@pytest.mark.parametrize("number", edge(6))
def test_06_a_number_keeps_its_digits_or_is_said_to_be_unreadable(built, number):
    check(built, number)


@pytest.mark.parametrize("number", edge(51))
def test_51_decimals_are_big_endian_and_signed_and_bits_little_endian_and_unsigned(built, number):
    check(built, number)


@pytest.mark.parametrize("number", edge(52))
def test_52_each_value_has_its_own_scale(built, number):
    check(built, number)
