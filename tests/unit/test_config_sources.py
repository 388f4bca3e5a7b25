"""What is written of a source in the configuration, and how it is described to macros."""

from __future__ import annotations

import datetime as dt
import json
import subprocess
import sys
from typing import Any

import pytest

from dbt_debezium_spark.config import (
    ConfigError,
    SourceConfig,
    describe_source,
    load_source,
    load_sources,
)
from dbt_debezium_spark.config.lateness import heartbeat_topic
from tests.support.macros import Macros

FILES = {"type": "files", "path": "data/*.jsonl"}
DECIMAL = "org.apache.kafka.connect.data.Decimal"
DEFAULTS = {
    "name": "inventory",
    "connector": "postgresql",
    "topic_prefix": "dbserver1",
    "input": FILES,
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
RECORD = {"topic": "p.public.t", "partition": 0, "offset": 17, "reason": "cut"}
OWNER = {"name": "Finance: it's us", "email": "finance@example.com"}
DASHBOARD = {"name": "sales", "type": "dashboard", "owner": {"email": "bi@example.com"}}
INCLUDED = [{"table": "t_p*", "name": "old"}, {"schema": "tenant_2"}]
COLUMNS = [
    {"name": "id", "type": "int32", "optional": False, "default": 0},
    {"name": "price", "type": "bytes", "semantic": DECIMAL, "parameters": {"scale": "2"}},
    {"name": "tags", "type": "array", "items": {"type": "string"}},
    {"name": "place", "type": "struct", "fields": [{"name": "x", "type": "double"}]},
]
HISTORY = {
    "within_transaction": "all",
    "ignore": ["seen"],
    "valid_to_current": "9999-12-31",
    "first_from": "1900-01-01T02:00:00+02:00",
    "deleted_rows": True,
    "keep": "400 days",
    "names": "dbt",
}


def source(**options: Any) -> dict[str, Any]:
    return {"connector": "postgresql", "topic_prefix": "dbserver1", "input": FILES, **options}


def load(**options: Any) -> SourceConfig:
    return load_source("inventory", {"inventory": source(**options)})


def test_defaults_are_debeziums() -> None:
    assert load().to_dict() == DEFAULTS


@pytest.mark.parametrize(
    ("connector", "mode"),
    [
        ("sqlserver", "adaptive"),
        ("oracle", "adaptive"),
        ("mongodb", "adaptive"),
        ("mysql", "adaptive_time_microseconds"),
        ("mariadb", "adaptive_time_microseconds"),
    ],
)
def test_time_precision_follows_the_connector(connector: str, mode: str) -> None:
    assert load(connector=connector).time_precision_mode == mode


# What is written => what is described beside the defaults.
DESCRIBED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "modes": (
        modes := {
            "decimal_handling_mode": "string",
            "time_precision_mode": "connect",
            "binary_handling_mode": "base64-url-safe",
            "signal_data_collection": "public.debezium_signal",
        },
        modes,
    ),
    "a format in any case": ({"decimal_format": "NUMERIC"}, {"decimal_format": "numeric"}),
    "moments in UTC, in the order of time": (
        {
            "incarnations": [
                dt.datetime(2026, 3, 1, tzinfo=dt.UTC),
                "2026-02-01T01:00:00.5+01:00",
                "2026-02-01T00:00:00Z",
                "2026-01-31T23:59:59.75Z",
            ]
        },
        {
            "incarnations": [
                "2026-01-31T23:59:59.750000Z",
                "2026-02-01T00:00:00Z",
                "2026-02-01T00:00:00.500000Z",
                "2026-03-01T00:00:00Z",
            ]
        },
    ),
    "epochs by moment and by offset": (
        {
            "epochs": [
                {"from": "2026-01-31T13:00:00+01:00"},
                {"topic": "dbserver1.public.orders", "offsets": {0: 123, "1": 99}},
            ]
        },
        {
            "epochs": [
                {"from": "2026-01-31T12:00:00Z"},
                {"topic": "dbserver1.public.orders", "offsets": {"0": 123, "1": 99}},
            ]
        },
    ),
    "records to ignore in the order of their places": (
        {"ignore_records": [RECORD, {**RECORD, "offset": 2}]},
        {"ignore_records": [{**RECORD, "offset": 2}, RECORD]},
    ),
    "no record to ignore": ({"ignore_records": []}, {}),
    "contracts, groups and exposures in their form": (
        told := {
            "contract": True,
            "group": {"name": "finance", "owner": OWNER},
            "exposures": [{**DASHBOARD, "tables": [TABLE], "maturity": "high", "label": "Sales"}],
            "tables": {TABLE: {"contract": False}, "public.u": {}},
        },
        told,
    ),
    "no contract, group or exposure": ({"group": None, "contract": False, "exposures": None}, {}),
    "a group that is defined elsewhere": ({"group": "finance"}, {"group": {"name": "finance"}}),
    "a history": ({"history": True}, {"history": {}}),
    "a history with no options": ({"history": {}}, {"history": {}}),
    "no history": ({"history": False}, {"history": {"enabled": False}}),
    "a history that is not told": ({"history": None}, {}),
    "options of a history as plain values": (
        {"history": HISTORY},
        {
            "history": {
                **HISTORY,
                "valid_to_current": "9999-12-31 00:00:00",
                "first_from": "1900-01-01 00:00:00",
                "keep": 400 * 86_400_000_000,
            }
        },
    ),
    "histories of collections": (
        {"connector": "mongodb", "history": {"track": ["name"], "deleted_rows": True}},
        {"connector": "mongodb", "history": {"track": ["name"], "deleted_rows": True}},
    ),
}

# The same for a table: connector, what is written => what is described.
OF_A_TABLE: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "nothing": ("postgresql", None, {}),
    "declared columns": (
        "postgresql",
        declared := {"replica_identity": "full", "key": ["id"], "model": "clients"}
        | {"columns": COLUMNS},
        declared,
    ),
    "a scale is text": (
        "postgresql",
        {"columns": [{**COLUMNS[1], "parameters": {"scale": 2}}]},
        {"columns": [COLUMNS[1]]},
    ),
    "one replica identity": (
        "postgresql",
        {"replica_identity": [{"is": "index"}]},
        {"replica_identity": "index"},
    ),
    "a history of a table": (
        "postgresql",
        {"history": {"keep": "36 hours", "track": ["a"]}},
        {"history": {"keep": 36 * 3_600_000_000, "track": ["a"]}},
    ),
    "a history of a collection": ("mongodb", {"history": True}, {"history": {}}),
    "included tables in their order": (
        "postgresql",
        {"includes": INCLUDED},
        {"includes": INCLUDED},
    ),
    "no included table": ("postgresql", {"includes": []}, {}),
    "a feed and a contract of a collection": (
        "mongodb",
        {"feed": True, "contract": True},
        {"feed": True, "contract": True},
    ),
    "fields are paths with a type and a name": (
        "mongodb",
        {
            "fields": {
                "first_name": "string",
                "address.city": "STRING",
                "tags.0": {"type": "json", "name": "first_tag"},
                "price": "decimal(10, 2)",
            }
        },
        {
            "fields": {
                "first_name": {"type": "string", "name": "first_name"},
                "address.city": {"type": "string", "name": "address_city"},
                "tags.0": {"type": "json", "name": "first_tag"},
                "price": {"type": "decimal(10,2)", "name": "price"},
            }
        },
    ),
    "no fields are none and not a sample": ("mongodb", {"fields": {}}, {"fields": {}}),
    "fields that are sampled": ("mongodb", {"model": "people"}, {"model": "people"}),
}


@pytest.mark.parametrize("case", DESCRIBED)
def test_what_is_written_of_a_source_is_described_and_read_again(case: str) -> None:
    options, described = DESCRIBED[case]
    config = load(**options)
    assert config.to_dict() == DEFAULTS | described
    assert SourceConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


@pytest.mark.parametrize("case", OF_A_TABLE)
def test_what_is_written_of_a_table_is_described_and_read_again(case: str) -> None:
    connector, options, described = OF_A_TABLE[case]
    config = load(connector=connector, tables={TABLE: options})
    assert config.to_dict()["tables"] == {TABLE: described}
    assert SourceConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


def test_what_the_operator_tells_of_a_tables_past() -> None:
    added = {"level": 7, "fee": "2.50", "open": True, "since": dt.date(2026, 1, 31)}
    told = {"renames": {"email": "mail", "c": ["b", "a"]}, "added_defaults": added}
    assert load(tables={TABLE: told}).to_dict()["tables"][TABLE] == {
        "renames": {"email": ["mail"], "c": ["b", "a"]},
        "added_defaults": {"level": "7", "fee": "2.50", "open": "true", "since": "2026-01-31"},
    }


@pytest.mark.covers("case replica-identity-index-then-full")
def test_a_replica_identity_can_hold_since_a_moment() -> None:
    told = [{"is": "index"}, {"is": "full", "from": "2026-01-31T13:00:00+01:00"}]
    found = load(tables={TABLE: {"replica_identity": told}}).to_dict()
    assert found["tables"][TABLE]["replica_identity"] == [
        {"is": "index"},
        {"is": "full", "from": "2026-01-31T12:00:00Z"},
    ]


@pytest.mark.parametrize(
    ("connector", "table", "entry"),
    [
        ("postgresql", "shop.public.t", {"db": "shop_2"}),
        ("mysql", "all.t", {"db": "shard_*"}),
        ("mongodb", "all.t", {"db": "shard_*", "collection": "t"}),
    ],
)
def test_a_database_is_included_where_the_name_tells_the_tables_own(connector, table, entry):
    config = load(connector=connector, tables={table: {"includes": [entry]}})
    assert config.to_dict()["tables"][table] == {"includes": [entry]}


def test_a_pattern_of_included_tables_is_data() -> None:
    """What stands in a name is no pattern of SQL and ends no literal; only `*` is a pattern."""
    name = "100%_o'r\\*"
    macros = Macros({"s": source(tables={TABLE: {"includes": [{"table": name}]}})})
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
    macros = Macros({"inventory": source(**of_source, **tables)})

    assert macros.has_feed(macros.source_config("inventory"), TABLE) is has_feed


@pytest.mark.parametrize(
    ("options", "topic"),
    [({}, "dbserver1.transaction"), ({"topic_transaction": "tx.b"}, "dbserver1.tx.b")],
)
def test_the_topic_of_transactions_begins_with_the_prefix(options, topic) -> None:
    macros = Macros({"inventory": source(**options)})
    assert macros.transaction_topic(macros.source_config("inventory")) == topic


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90 seconds", 90), ("1 minute", 60), ("15 minutes", 900), ("2 Hours", 7200), ("1day", 86400)],
)
def test_a_duration_is_a_number_and_a_unit(text: str, seconds: int) -> None:
    read = load(max_lag=text)
    assert read.max_lag == seconds
    assert SourceConfig.from_dict(read.to_dict()) == read


@pytest.mark.parametrize(
    ("options", "topic"),
    [
        ({}, "__debezium-heartbeat.dbserver1"),
        # the option's name of each age of Debezium
        ({"topic_heartbeat_prefix": "beat"}, "beat.dbserver1"),
        ({"heartbeat_topics_prefix": "beat"}, "beat.dbserver1"),
    ],
)
def test_heartbeats_have_a_topic_of_the_prefix(options: dict[str, Any], topic: str) -> None:
    read = load(**options)
    assert heartbeat_topic(read.to_dict()) == topic
    assert SourceConfig.from_dict(read.to_dict()) == read


def test_all_sources_are_loaded_and_none_are_no_error() -> None:
    found = load_sources({"a": source(), "b_2": source(connector="mysql")})
    assert {name: config.connector for name, config in found.items()} == {
        "a": "postgresql",
        "b_2": "mysql",
    }
    assert load_sources(None) == load_sources({}) == {}


def test_what_is_done_to_a_description_is_not_seen_by_the_next() -> None:
    sources = {"inventory": source()}
    describe_source("inventory", sources).pop("connector")
    assert describe_source("inventory", sources) == DEFAULTS


def test_equal_options_of_other_types_are_read_each_as_they_are() -> None:
    options = source(connector="mysql", binlog_transaction_compression=True)
    assert describe_source("inventory", {"inventory": options})["binlog_transaction_compression"]
    options["binlog_transaction_compression"] = 1
    with pytest.raises(ConfigError, match="binlog_transaction_compression"):
        describe_source("inventory", {"inventory": options})


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
