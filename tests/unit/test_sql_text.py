"""Texts and names in SQL."""

from __future__ import annotations

import pytest

from dbt_debezium_spark.adapter_parts.relations import SparkRelation
from dbt_debezium_spark.landing.tables import tables_of
from dbt_debezium_spark.sql_text import path_parts, quoted_path, text_literal


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("records", ["records"]),
        ("bronze.records", ["bronze", "records"]),
        ("lake.bronze.kafka_records", ["lake", "bronze", "kafka_records"]),
        ("lake.`kafka.records`", ["lake", "kafka.records"]),
        ("`a``b`.c", ["a`b", "c"]),
        # no name of several parts: one name, which nothing will have
        ("bronze..records", ["bronze..records"]),
        ("a.`b", ["a.`b"]),
    ],
)
def test_dots_separate_the_parts_of_a_name(path: str, parts: list[str]) -> None:
    assert path_parts(path) == parts


def test_every_part_is_quoted_alone() -> None:
    assert quoted_path("lake.bronze") == "`lake`.`bronze`"
    assert quoted_path("x; drop table y") == "`x; drop table y`"


def test_the_tables_of_a_source_stand_in_the_catalog_of_its_schema() -> None:
    tables = tables_of("lake.debezium", "raw_shop")
    assert tables.raw == "`lake`.`debezium`.`raw_shop`"
    assert tables.rejected == "`lake`.`debezium`.`raw_shop__rejected`"


def test_a_text_is_one_literal_on_one_line() -> None:
    assert text_literal("it's\\\n${x}") == r"'it\'s\\\n\u0024{x}'"


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ("debezium", "`debezium`.`cur_a.b`"),
        ("lake.debezium", "`lake`.`debezium`.`cur_a.b`"),
        ("`my.lake`.debezium", "`my.lake`.`debezium`.`cur_a.b`"),
    ],
)
def test_the_schema_of_a_relation_may_name_its_catalog(schema: str, name: str) -> None:
    relation = SparkRelation.create(schema=schema, identifier="cur_a.b")
    assert str(relation.quote(schema=True, identifier=True)) == name
    assert str(relation.without_identifier()) == schema
