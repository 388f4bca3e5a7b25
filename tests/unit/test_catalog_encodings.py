"""How connectors encode database types under each handling mode: the rows of tests/type_cases."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_debezium_spark import decode
from dbt_debezium_spark.catalog.column_definition import ColumnDefinition
from dbt_debezium_spark.catalog.defined_encoding import (
    TYPE_TABLES,
    DefinedEncoding,
    defined_encoding,
)
from dbt_debezium_spark.catalog.postgresql_types import postgresql_encoding
from dbt_debezium_spark.config.for_macros import load_source
from tests.cases.log import embedded_columns
from tests.support.blocks import source_options
from tests.support.examples import messages
from tests.support.macros import macros_of
from tests.support.said import rows_of
from tests.type_cases import TypeCase, encoded
from tests.type_cases.every import CASES, EVERY

TOLD = [case for case in EVERY if case.is_told]


def config_of(connector: str, **options: str) -> Any:
    return load_source("s", {"s": source_options(connector, **options)})


def encoding_of(connector: str, type_name: str, **members: Any) -> DefinedEncoding:
    options = {name: members.pop(name) for name in list(members) if name.endswith("_mode")}
    table = TYPE_TABLES[connector](config_of(connector, **options))
    return defined_encoding(table, ColumnDefinition("c", type_name, **members))


@pytest.mark.covers("trap 55")
@pytest.mark.parametrize(
    "case", [case for case in TOLD if case.definition], ids=lambda case: case.label
)
def test_a_definition_tells_how_the_connector_encodes(case: TypeCase) -> None:
    of = case.definition
    assert of is not None
    table = TYPE_TABLES[case.connector](config_of(case.connector, **case.options))
    column = ColumnDefinition(
        "c", of.type_name, jdbc_type=of.jdbc_type, length=of.length, scale=of.scale
    )
    found = defined_encoding(table, column)

    expected = (case.column["type"], case.column.get("semantic"), case.column.get("parameters", {}))
    assert (found.type, found.name, found.parameters) == expected


@pytest.mark.parametrize(
    "case", [case for case in TOLD if not case.definition], ids=lambda case: case.label
)
def test_a_configured_database_type_tells_how_the_connector_encodes(case: TypeCase) -> None:
    found = postgresql_encoding(config_of("postgresql", **case.options), case.about)

    assert found == {name: value for name, value in case.column.items() if name != "name"}


@pytest.mark.parametrize("connector", ["postgresql", "sqlserver", "oracle", "mysql"])
def test_every_field_of_the_example_of_types_is_a_row(connector: str) -> None:
    name = f"{connector.replace('postgresql', 'postgres')}_3.6_types_with_schema"
    values = messages(name)[0]["value"]["payload"]["after"]
    said = [(case.column, json.dumps(json.loads(case.value))) for case in CASES[connector]]

    for column in embedded_columns(name):
        value = json.dumps(values[column["name"]])
        assert ({**column, "name": "c"}, value) in said, column


@pytest.mark.parametrize(
    "type_name", ["geometry", "geography", "hierarchyid", "sql_variant", "vector", "json"]
)
def test_a_jdbc_code_rescues_no_type_that_the_connector_leaves_out(type_name: str) -> None:
    assert encoding_of("sqlserver", type_name, jdbc_type=12).type is None
    assert encoding_of("sqlserver", "flag", jdbc_type=12).type == "string"


@pytest.mark.parametrize(
    ("connector", "type_name", "members", "shown"),
    [
        ("sqlserver", "decimal", {"length": 9, "scale": 2}, "decimal(9,2)"),
        ("sqlserver", "decimal", {"length": 9}, "decimal(9,0)"),
        ("sqlserver", "varchar", {"length": 2**31 - 1}, "varchar(max)"),
        ("sqlserver", "nvarchar", {"length": 40}, "nvarchar(40)"),
        ("sqlserver", "datetime2", {"length": 27, "scale": 7}, "datetime2(7)"),
        ("sqlserver", "int identity", {"length": 10, "scale": 0}, "int identity"),
        ("oracle", "NUMBER", {"length": 10, "scale": 2}, "NUMBER(10,2)"),
        ("oracle", "TIMESTAMP(6)", {"length": 6}, "TIMESTAMP(6)"),
        ("mysql", "VARCHAR", {"length": 9}, "VARCHAR(9)"),
        ("mysql", "TIME", {}, "TIME"),
        ("mysql", "UNHEARD", {"length": 9}, "UNHEARD"),
    ],
)
def test_the_database_type_is_shown_as_people_write_it(
    connector: str, type_name: str, members: dict[str, int], shown: str
) -> None:
    assert encoding_of(connector, type_name, **members).database_type == shown


@pytest.mark.parametrize("database_type", ["cube", "composite_of_mine", "interval year"])
def test_a_type_that_the_connector_leaves_out_has_no_encoding(database_type: str) -> None:
    config = config_of("postgresql")

    assert postgresql_encoding(config, database_type) is None
    assert postgresql_encoding(config, f"{database_type}[]") is None


def test_a_negative_scale_of_postgresql_arrives_in_eleven_bits() -> None:
    found = postgresql_encoding(config_of("postgresql"), "numeric(5,-2)")

    assert found is not None
    assert found["parameters"] == {"scale": "2046", "connect.decimal.precision": "5"}


# -- what the database type tells of a column beyond its record -----------------------------------


@pytest.mark.covers("trap 60")
@pytest.mark.parametrize(("told", "follows"), rows_of(__file__, "known_types.txt"))
def test_the_database_type_completes_what_a_record_says(told: str, follows: str) -> None:
    source, _, column_told = told.partition(": ")
    connector, _, mode = source.partition(" ")
    record, _, known = column_told.partition(" of ")
    spark, _, digits = follows.partition(" ")
    macros = macros_of(connector, {"binary_handling_mode": mode} if mode else {})
    config: Any = macros.source_config("s")
    database_type = None if known == "an unknown type" else known
    column = decode.known_database_type(config, encoded(record), database_type)

    assert decode.encoding_of(config, column)["spark_type"] == spark
    assert column.get("digits") == (int(digits) if digits else None)
    # a record's own schema does not have it, and still is the same layout
    assert decode.same_encoding(config, encoded(record), column)
