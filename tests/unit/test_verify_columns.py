"""How columns are compared with rows of a source, and how a database is read."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.verify.columns import compared_columns
from dbt_debezium_spark.verify.reading import NotReadable, database, file_format, jdbc_options
from dbt_debezium_spark.verify.text import comparison, lines

DECIMAL = "io.debezium.data.VariableScaleDecimal"


def why_not(ours: str, theirs: str, semantic: str = "", origin: str = "") -> str | None:
    """Return why a column of two types is not compared."""
    model = {
        "columns": ["c"],
        "types": {"c": ours},
        "call": {"columns": [{"name": "c", "type": "string", "semantic": semantic}], "key": []},
    }
    found = compared_columns(model, {"C": theirs}, origin)
    (reason,) = [one["why"] for one in found["not_compared"]] or [None]
    assert (reason is None) == bool(found["columns"])
    return reason


@pytest.mark.parametrize(
    ("ours", "theirs", "semantic"),
    [
        ("int", "bigint", ""),
        ("int", "boolean", ""),
        ("decimal(10,2)", "double", ""),
        ("double", "string", ""),
        ("boolean", "tinyint", ""),
        ("date", "string", ""),
        ("timestamp", "string", ""),
        ("binary", "binary", ""),
        ("array<int>", "array<int>", ""),
        ("string", "decimal(38,18)", DECIMAL),
        ("string", "timestamp_ntz", "io.debezium.time.MicroTime"),
        ("string", "string", "io.debezium.data.Bits"),
        ("string", "string", "io.debezium.time.Interval"),
    ],
)
def test_types_that_can_be_compared(ours: str, theirs: str, semantic: str):
    assert why_not(ours, theirs, semantic) is None


@pytest.mark.parametrize(
    ("ours", "theirs", "semantic"),
    [
        ("int", "date", ""),
        ("binary", "string", ""),
        ("date", "timestamp", ""),
        ("timestamp", "timestamp_ntz", ""),
        ("array<int>", "array<bigint>", ""),
        ("string", "bigint", ""),
        ("string", "bigint", "io.debezium.data.Bits"),
        ("string", "array<int>", DECIMAL),
    ],
)
def test_types_that_cannot_be_compared(ours: str, theirs: str, semantic: str):
    assert why_not(ours, theirs, semantic) == f"{ours} here, {theirs} there"


@pytest.mark.parametrize("semantic", ["Interval", "MicroDuration", "ZonedTime"])
def test_texts_of_the_connector_are_not_those_of_the_database(semantic: str):
    reason = why_not("string", "string", f"io.debezium.time.{semantic}", "postgresql")
    assert reason and reason.endswith("the connector writes it in a form of its own")


def test_columns_of_one_side():
    model: dict[str, Any] = {
        "columns": ["a", "at", "_cdc_text_at"],
        "types": {"a": "int", "at": "timestamp_ntz", "_cdc_text_at": "string"},
        "call": {"columns": [{"name": "a"}, {"name": "at"}], "key": []},
    }
    found = compared_columns(model, {"a": "int", "b": "int"}, "")
    assert found["not_compared"] == [
        {"column": "at", "why": "there is no such column there"},
        {"column": "b", "why": "the table has no such column"},
    ]


@pytest.mark.parametrize(
    ("against", "kind", "form"),
    [
        ("jdbc:postgresql://h/d", "postgresql", None),
        ("jdbc:mariadb://h/d", "mysql", None),
        ("lake.copies.orders", "", None),
        ("s3://b/rows.csv.gz", "", "csv"),
        ("rows.parquet/", "", "parquet"),
        ("/tmp/rows.jsonl", "", "json"),
    ],
)
def test_where_rows_are(against: str, kind: str, form: str | None):
    assert (database(against), file_format(against)) == (kind, form)


def test_a_database_of_mariadb():
    account = {"DEBEZIUM_SPARK_JDBC_USER": "ann", "DEBEZIUM_SPARK_JDBC_PASSWORD": "p&q"}
    options = jdbc_options("jdbc:mariadb://h/web?tinyInt1isBit=true", "web.a`b.c", account)

    # Spark's own dialect for the URL of MariaDB would read texts of quoted names
    assert options["url"] == (
        "jdbc:mysql://h/web?tinyInt1isBit=true&sessionVariables=time_zone='+00:00'"
        "&yearIsDateType=false&permitMysqlScheme=true"
    )
    assert options["driver"] == "org.mariadb.jdbc.Driver"
    assert options["dbtable"] == "`web`.`a``b.c`"
    assert (options["user"], options["password"]) == ("ann", "p&q")


def test_a_database_of_postgresql():
    options = jdbc_options("jdbc:postgresql://h/shop", 'public.Or"der', {})

    assert options["dbtable"] == '"public"."Or""der"'
    assert options["url"] == "jdbc:postgresql://h/shop"
    assert "user" not in options


def test_a_password_in_the_url_is_refused():
    with pytest.raises(NotReadable) as raised:
        jdbc_options("jdbc:postgresql://h/d?user=u&Password=secret", "t", {})
    assert "secret" not in str(raised.value)


def test_what_is_printed():
    rows = {
        **{"row_key": '{"id":1}', "what": "value", "here": 1, "there": 1},
        "differs": [{"column": "v\x1b", "here": "a", "there": None}],
        "explained": {"problem": "no key.", "remedy": ""},
    }
    found = comparison(
        {"source": "shop", "table": "public.t"},
        {"against": "jdbc:x://h?token=t", "as_of": "cut"},
        "2026-01-01",
        [{"column": "b", "why": "binary here, string there"}],
        {"here": 10, "there": 9},
        [{"number": 1, "first": "1", "last": "9", "here": 10, "there": 9}],
        4,
        [
            {"what": "value", "rows": 1, "here": 1, "unavailable": ["w"], "unreadable": []},
            {"what": "changed", "rows": 2, "here": 2, "unavailable": ["w"], "unreadable": []},
            {"what": "in part", "rows": 3, "here": 3, "unavailable": [], "unreadable": ["d"]},
        ],
        [rows],
        {"is_before": True, "at": "2025-01-01"},
    )
    assert found["equal"] == 4 and found["differing"] == 1
    assert lines(found) == [
        "public.t (source shop) as of cut against jdbc:x://h, read from 2026-01-01 on",
        "10 rows here, 9 there, 4 equal; 1 of 4 ranges looked at",
        "  range 1 to 9: 10 rows here, 9 there",
        "1 rows differ: with other values",
        "2 rows not compared: they changed during the reading",
        "1 rows not compared in w: no record has its value",
        "3 rows not compared in d: the value there is none of its type",
        "column b not compared: binary here, string there",
        found["notes"][0],
        "",
        '{"id":1}: value',
        '  v\\x1b: "a" here, null there',
        "  | no key.",
    ]
    assert "Add --build" in found["notes"][0]
