"""What the database type tells of a column beyond its record."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark import decode
from tests.support.macros import macros_of
from tests.type_cases import encoded

# connector, options, encoding in the record, database type, Spark type that follows, digits
KNOWN: list[tuple[str, dict[str, str], str, str | None, str, int | None]] = [
    ("mysql", {}, "int64", "BIGINT UNSIGNED", "decimal(20,0)", None),
    ("mariadb", {}, "int64", "bigint(20) unsigned zerofill", "decimal(20,0)", None),
    ("mysql", {}, "int64", "bigint zerofill", "decimal(20,0)", None),
    ("mysql", {}, "int64", "serial", "decimal(20,0)", None),
    ("mysql", {}, "int64", "BIGINT", "bigint", None),
    ("mysql", {}, "int64", "INT UNSIGNED", "bigint", None),
    ("mysql", {}, "int64", None, "bigint", None),
    ("postgresql", {}, "int64", "bigint", "bigint", None),
    ("mysql", {"binary_handling_mode": "hex"}, "string", "VARBINARY(9)", "binary", None),
    ("mysql", {"binary_handling_mode": "hex"}, "string", "VARCHAR(9)", "string", None),
    ("mysql", {}, "string", "VARBINARY(9)", "string", None),
    ("oracle", {"binary_handling_mode": "base64"}, "string", "RAW(16)", "binary", None),
    ("sqlserver", {"binary_handling_mode": "base64"}, "string", "timestamp", "binary", None),
    ("mysql", {"binary_handling_mode": "base64"}, "string", "TIMESTAMP", "string", None),
    ("postgresql", {"binary_handling_mode": "hex"}, "string", "bytea", "binary", None),
    ("sqlserver", {"binary_handling_mode": "hex"}, "string d.Xml", "xml", "string", None),
    ("sqlserver", {}, "int64 t.NanoTime", "time(7)", "string", 7),
    ("sqlserver", {}, "int64 t.NanoTime", "time", "string", 7),
    ("mysql", {}, "int64 t.MicroTime", "TIME", "string", 0),
    ("mysql", {}, "int64 t.MicroTime", "TIME(3)", "string", 3),
    ("postgresql", {}, "int64 t.MicroTime", "time(3)", "string", None),
]


@pytest.mark.covers("trap 60")
@pytest.mark.parametrize(("connector", "options", "record", "known", "spark", "digits"), KNOWN)
def test_the_database_type_completes_what_a_record_says(
    connector: str,
    options: dict[str, str],
    record: str,
    known: str | None,
    spark: str,
    digits: int | None,
) -> None:
    macros = macros_of(connector, options)
    config: Any = macros.source_config("s")
    column = decode.known_database_type(config, encoded(record), known)

    assert decode.encoding_of(config, column)["spark_type"] == spark
    assert column.get("digits") == digits
    # a record's own schema does not have it, and still is the same layout
    assert macros.same_encoding(config, encoded(record), column)
