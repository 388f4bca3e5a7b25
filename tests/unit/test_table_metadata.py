"""What the properties of a table tell."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from dbt_debezium_spark.table_metadata import TableMetadata

HISTORY = [(7, "2026-01-01")]


class Named(SimpleNamespace):
    def render(self) -> str:
        return "t"


@pytest.mark.parametrize(
    ("properties", "format_"),
    [
        ({"delta.minReaderVersion": "3"}, "delta"),
        ({"format": "iceberg/parquet", "current-snapshot-id": "none"}, "iceberg"),
        ({"owner": "me"}, None),
        ({}, None),
    ],
)
def test_a_tables_properties_tell_its_format(properties, format_):
    rows = {"show tblproperties t": list(properties.items())}
    metadata = TableMetadata(lambda sql: rows.get(sql, HISTORY))

    assert metadata.format(Named(schema="s", identifier="t")) == format_
