"""What is told when records, schema-change topic and configuration disagree about a table."""

from __future__ import annotations

import pytest

from tests.support.catalog_run import CatalogRun
from tests.support.examples import example_lines
from tests.support.schema_topic import Source, column, options

DECIMAL = "org.apache.kafka.connect.data.Decimal"
MONEY = {"typeName": "decimal", "typeExpression": "decimal", "jdbcType": 3, "length": 9, "scale": 2}


@pytest.fixture
def read(spark):
    def landed(*records, **more):
        return CatalogRun(spark, {"erp": options("sqlserver", **more)}).read(records)

    return landed


def text(name, **members):
    return {"type": "string", "optional": True, "field": name, **members}


def test_evidence_that_agrees_says_nothing(read):
    records = example_lines(
        "sqlserver_2.1.4_exact_create_with_schema", "sqlserver_2.1.4_schema_change_create_from_seed"
    )

    assert read(*records).disagreements() == []


def test_records_decide_about_encodings_and_definitions_about_nulls(read):
    source = Source("sqlserver")
    named = {"typeName": "varchar", "typeExpression": "varchar"}
    columns = [
        column("id", 1, optional=False, **named),
        column("price", 2, **MONEY),
        column("note", 3, optional=False, **named),
    ]
    run = read(
        source.define("CREATE", "t", columns, ("id",), at=5),
        source.row("t", ["id", text("price"), text("note")], at=6),
    )

    assert run.columns("column_name", "connect_type", "is_optional") == [
        ("id", "string", False),
        ("price", "string", True),
        ("note", "string", False),
    ]
    expected = f"bytes {DECIMAL} scale 2"
    assert run.disagreements() == [
        (
            "note",
            "nullability",
            "not null",
            "schema_change_topic",
            "null allowed",
            "embedded_schema",
        ),
        ("price", "encoding", "string", "embedded_schema", expected, "schema_change_topic"),
    ]


def test_columns_that_only_one_side_knows_are_told(read):
    source = Source("sqlserver")
    named = {"typeName": "varchar"}
    defined = [column(name, 1, optional=name != "id", **named) for name in ("id", "left_out")]
    run = read(
        source.define("CREATE", "t", defined, ("id",), at=5),
        source.row("t", ["id", "routed"], at=6),
    )

    assert [row[:5] for row in run.disagreements()] == [
        ("left_out", "presence", "no such column", "embedded_schema", "column"),
        ("routed", "presence", "column", "embedded_schema", "no such column"),
    ]


def test_the_record_key_goes_before_the_primary_key_and_a_configured_key_before_both(read):
    source = Source("sqlserver")
    defined = [column(name, 1, optional=name != "id", typeName="varchar") for name in ("id", "a")]
    records = (
        source.define("CREATE", "t", defined, ("a",), at=5),
        source.row("t", ["id", "a"], at=6),
    )

    by_records = read(*records)
    configured = read(*records, tables={"dbo.t": {"key": ["a", "id"]}})

    assert by_records.columns("column_name", "key_position") == [("id", 1), ("a", None)]
    told = (None, "key", "id", "record_key", "a", "schema_change_topic")
    assert by_records.disagreements() == [told]
    assert configured.columns("column_name", "key_position") == [("id", 2), ("a", 1)]
    assert configured.disagreements() == [
        (None, "key", "a, id", "configuration", "id", "record_key"),
        told,
    ]


def test_configured_columns_that_are_not_used_are_told(read):
    tables = {
        "dbo.t": {
            "columns": [{"name": "a", "type": "int32"}, {"name": "gone", "type": "string"}],
        }
    }
    run = read(Source("sqlserver").row("t", ["id", "a"], at=6), tables=tables)

    assert run.disagreements() == [
        ("a", "encoding", "string", "embedded_schema", "int32", "configuration"),
        ("gone", "presence", "no such column", "embedded_schema", "column", "configuration"),
    ]


def test_a_definition_of_an_older_layout_disagrees_with_nobody(read):
    source = Source("sqlserver")
    kind = {"typeName": "varchar"}
    id_column = column("id", 1, optional=False, **kind)
    old = source.define("CREATE", "t", [id_column], ("id",), at=5)
    new = source.change("ALTER", "t", [id_column, column("a", 2, **kind)], ("id",))
    run = read(old, source.statement(None, new, at=7), source.row("t", ["id", "a"], at=8))

    assert run.disagreements() == []
