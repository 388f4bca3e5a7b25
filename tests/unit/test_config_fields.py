"""Typed columns of MongoDB collections in the configuration."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.config import ConfigError, SourceConfig, load_source


def load(connector: str = "mongodb", **table: Any) -> SourceConfig:
    block = {
        "connector": connector,
        "topic_prefix": "content",
        "input": {"type": "files", "path": "records"},
        "tables": {"inventory.customers": table},
    }
    return load_source("content", {"content": block})


def test_fields_are_paths_with_a_type_and_a_name() -> None:
    source = load(
        fields={
            "first_name": "string",
            "address.city": "STRING",
            "tags.0": {"type": "json", "name": "first_tag"},
            "price": "decimal(10, 2)",
        }
    )
    described = source.to_dict()["tables"]["inventory.customers"]
    assert described["fields"] == {
        "first_name": {"type": "string", "name": "first_name"},
        "address.city": {"type": "string", "name": "address_city"},
        "tags.0": {"type": "json", "name": "first_tag"},
        "price": {"type": "decimal(10,2)", "name": "price"},
    }
    assert SourceConfig.from_dict(source.to_dict()) == source


def test_no_fields_are_none_and_not_a_sample() -> None:
    assert load(fields={}).to_dict()["tables"]["inventory.customers"] == {"fields": {}}
    assert load(model="people").to_dict()["tables"]["inventory.customers"] == {"model": "people"}


WRONG = [
    ({"fields": {"n": "integer"}}, "fields.n.type is `integer`", "`bigint`"),
    ({"fields": {"n": {"name": "n"}}}, "fields.n.type", "string"),
    ({"fields": {"n": {"type": "int", "kind": "x"}}}, "kind", "name"),
    ({"fields": {"a..b": "int"}}, "is no path", "address.city"),
    ({"fields": {"a.b": "int", "a_b": "int"}}, "the column `a_b`", "name: <column>"),
    ({"fields": {"A": "int", "a": "int"}}, "the column `a`", "name: <column>"),
    ({"fields": {"a": "int", "A": "int"}}, "the column `A`", "name: <column>"),
    ({"fields": {"document": "json"}}, "`document`, which is one of ours", "another name"),
    ({"fields": {"Document": "json"}}, "`Document`, which is one of ours", "another name"),
    ({"fields": {"_cdc_x": "json"}}, "`_cdc_x`, which is one of ours", "another name"),
    ({"columns": [{"name": "n", "type": "int32"}]}, "columns is set", "`fields`"),
    ({"key": ["id"]}, "key is set for the connector `mongodb`", "Remove it"),
]


@pytest.mark.parametrize(("table", "what", "remedy"), WRONG)
def test_what_is_wrong_is_told_with_a_remedy(table: dict[str, Any], what: str, remedy: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(**table)
    message = str(raised.value)
    assert message.startswith("debezium_spark: debezium_sources.content")
    assert what in message
    assert remedy in message


def test_other_connectors_have_no_fields() -> None:
    with pytest.raises(ConfigError, match="only MongoDB's documents have fields"):
        load("postgresql", fields={"n": "int"})
