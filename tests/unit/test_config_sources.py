"""What is written of a source in the configuration, and how it is described to macros."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.config import (
    ConfigError,
    SourceConfig,
    describe_source,
    load_source,
    load_sources,
)
from dbt_debezium_spark.config.lateness import heartbeat_topic
from tests.support.blocks import source_options
from tests.support.macros import macros_of
from tests.support.said import rows_of

DEFAULTS = {
    "name": "s",
    **source_options(),
    "unavailable_value_placeholder": "__debezium_unavailable_value",
    "decimal_handling_mode": "precise",
    "time_precision_mode": "adaptive",
    "binary_handling_mode": "bytes",
    "interval_handling_mode": "numeric",
    "hstore_handling_mode": "json",
    "bigint_unsigned_handling_mode": "long",
    "decimal_format": "base64",
    "signal_data_collection": None,
    "epochs": [],
    "incarnations": [],
    "tables": {},
}
TABLE = "public.t"


def load(**options: Any) -> SourceConfig:
    return load_source("s", {"s": source_options() | options})


def test_defaults_are_debeziums() -> None:
    assert load().to_dict() == DEFAULTS


@pytest.mark.parametrize(("written", "described"), rows_of(__file__, "config_values.txt"))
def test_what_is_written_is_described_and_read_again(written: str, described: str) -> None:
    options = yaml.safe_load(f"{{{written}}}")
    told = options if described == "as written" else yaml.safe_load(f"{{{described}}}")
    config = load(**options)
    assert config.to_dict() == DEFAULTS | told
    assert SourceConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


@pytest.mark.covers("case replica-identity-index-then-full")
def test_a_replica_identity_can_hold_since_a_moment() -> None:
    told = [{"is": "index"}, {"is": "full", "from": "2026-01-31T13:00:00+01:00"}]
    found = load(tables={TABLE: {"replica_identity": told}}).to_dict()
    assert found["tables"][TABLE]["replica_identity"] == [
        {"is": "index"},
        {"is": "full", "from": "2026-01-31T12:00:00Z"},
    ]


def test_a_pattern_of_included_tables_is_data() -> None:
    """What stands in a name is no pattern of SQL and ends no literal; only `*` is a pattern."""
    name = "100%_o'r\\*"
    macros = macros_of("postgresql", {"tables": {TABLE: {"includes": [{"table": name}]}}})
    (included,) = macros.included_origins(macros.source_config("s"))
    assert included == {
        "table": TABLE,
        "own": {"schema": "public", "table": "t"},
        "members": {"schema": "public", "table": name},
    }
    assert macros._matches_text("x", name) == r"x like '100\\%\\_o\'r\\\\%'"
    assert macros._matches_text("x", "100%") == "x = '100%'"


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
    macros = macros_of("postgresql", {**of_source, **tables})
    assert macros.has_feed(macros.source_config("s"), TABLE) is has_feed


@pytest.mark.parametrize(
    ("options", "transactions", "heartbeats"),
    [
        ({}, "p.transaction", "__debezium-heartbeat.p"),
        ({"topic_transaction": "tx.b"}, "p.tx.b", "__debezium-heartbeat.p"),
        ({"topic_heartbeat_prefix": "beat"}, "p.transaction", "beat.p"),
    ],
)
def test_topics_of_transactions_and_heartbeats_have_the_prefix(
    options: dict[str, Any], transactions: str, heartbeats: str
) -> None:
    macros = macros_of("postgresql", options)
    assert macros.transaction_topic(macros.source_config("s")) == transactions
    assert heartbeat_topic(load(**options).to_dict()) == heartbeats


def test_all_sources_are_loaded_and_none_are_no_error() -> None:
    found = load_sources({"a": source_options(), "b_2": source_options("mysql")})
    assert {name: config.connector for name, config in found.items()} == {
        "a": "postgresql",
        "b_2": "mysql",
    }
    assert load_sources(None) == load_sources({}) == {}


def test_what_is_done_to_a_description_is_not_seen_by_the_next() -> None:
    sources = {"s": source_options()}
    describe_source("s", sources).pop("connector")
    assert describe_source("s", sources) == DEFAULTS


def test_equal_options_of_other_types_are_read_each_as_they_are() -> None:
    options = source_options("mysql", binlog_transaction_compression=True)
    assert describe_source("s", {"s": options})["binlog_transaction_compression"]
    options["binlog_transaction_compression"] = 1
    with pytest.raises(ConfigError, match="binlog_transaction_compression"):
        describe_source("s", {"s": options})


@pytest.mark.parametrize(
    "code",
    [
        "import dbt_debezium_spark.config",
        "from dbt_debezium_spark import avro; avro.read_avro({'registry': 'http://h'}, 'avro')",
        # the modules import each other's parts, in either order
        "import dbt_debezium_spark.avro, dbt_debezium_spark.config",
    ],
)
def test_reading_the_configuration_imports_neither_spark_nor_a_client(code: str) -> None:
    heavy = "import sys; assert not {'pyspark', 'requests'} & {*sys.modules}"
    subprocess.run([sys.executable, "-c", f"{code}\n{heavy}"], check=True)
