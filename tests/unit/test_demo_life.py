"""Which columns of a row's versions the demo shows."""

from __future__ import annotations

from pyspark.sql import Row

from dev.demo.life import changed_columns


def test_the_columns_that_changed_most_are_shown() -> None:
    versions = [
        Row(id=1, city="a", name="x", _cdc_version=1),
        Row(id=1, city="b", name="x", _cdc_version=2),
        Row(id=1, city="c", name="y", _cdc_version=3),
    ]

    assert changed_columns(versions) == ["city", "name"]


def test_a_row_that_never_changed_has_none() -> None:
    assert changed_columns([Row(id=1, _cdc_version=1)]) == []
