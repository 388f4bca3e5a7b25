"""Options of change feeds and of transactions."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.config import ConfigError
from tests.support.macros import Macros
from tests.unit.test_config_sources import load, source

TABLE = "public.t"


@pytest.mark.parametrize(
    ("of_source", "of_table", "has_feed"),
    [
        ({}, {}, False),
        ({"feed": True}, {}, True),
        ({"feed": True}, {"feed": False}, False),
        ({}, {"feed": True}, True),
        ({"feed": False}, {"feed": True}, True),
    ],
)
def test_a_table_decides_over_its_source(
    of_source: dict[str, Any], of_table: dict[str, Any], has_feed: bool
) -> None:
    tables = {"tables": {TABLE: of_table}} if of_table else {}
    macros = Macros({"inventory": source(**of_source, **tables)})

    assert macros.has_feed(macros.source_config("inventory"), TABLE) is has_feed


def test_a_source_without_the_options_is_described_without_them() -> None:
    told = load(tables={TABLE: {}}).to_dict()
    assert not {name for name in told if "transaction" in name and "compress" not in name}
    assert "feed" not in told and "feed" not in told["tables"][TABLE]


def test_a_collection_can_have_a_feed() -> None:
    told = load(connector="mongodb", tables={"inventory.customers": {"feed": True}}).to_dict()
    assert told["tables"] == {"inventory.customers": {"feed": True}}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"feed": "yes"}, "feed is 'yes'. Use true or false"),
        ({"tables": {TABLE: {"feed": 1}}}, "feed is 1. Use true or false"),
        ({"provide_transaction_metadata": "true"}, "Use true or false"),
        ({"topic_transaction": "p.transaction/x"}, "follows the topic prefix and a dot"),
        ({"topic_transaction": ""}, "Write for example `transaction`"),
        ({"transaction_max_age_seconds": -1}, "Write whole seconds"),
        ({"transaction_max_age_seconds": True}, "Write whole seconds"),
    ],
)
def test_what_is_written_wrongly_is_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words.replace("'", ".").replace("`", ".")):
        load(**options)


def test_the_topic_of_transactions_begins_with_the_prefix() -> None:
    macros = Macros({"inventory": source(topic_transaction="tx.boundaries")})
    config = macros.source_config("inventory")
    assert macros.transaction_topic(config) == "dbserver1.tx.boundaries"
    plain = Macros({"inventory": source()}).source_config("inventory")
    assert macros.transaction_topic(plain) == "dbserver1.transaction"
