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

FILES = {"type": "files", "path": "data/*.jsonl"}
DECIMAL = "org.apache.kafka.connect.data.Decimal"


def source(**options: Any) -> dict[str, Any]:
    return {"connector": "postgresql", "topic_prefix": "dbserver1", "input": FILES, **options}


def load(**options: Any) -> SourceConfig:
    return load_source("inventory", {"inventory": source(**options)})


def test_what_the_operator_tells_of_a_tables_past() -> None:
    told = {
        "renames": {"email": "mail", "c": ["b", "a"]},
        "added_defaults": {
            "level": 7,
            "fee": "2.50",
            "open": True,
            "since": dt.date(2026, 1, 31),
        },
    }
    assert load(tables={"public.t": told}).to_dict()["tables"]["public.t"] == {
        "renames": {"email": ["mail"], "c": ["b", "a"]},
        "added_defaults": {"level": "7", "fee": "2.50", "open": "true", "since": "2026-01-31"},
    }


@pytest.mark.covers("case replica-identity-index-then-full")
def test_a_replica_identity_can_hold_since_a_moment() -> None:
    told = [{"is": "index"}, {"is": "full", "from": "2026-01-31T13:00:00+01:00"}]
    found = load(tables={"public.t": {"replica_identity": told}}).to_dict()
    assert found["tables"]["public.t"]["replica_identity"] == [
        {"is": "index"},
        {"is": "full", "from": "2026-01-31T12:00:00Z"},
    ]
    found = load(tables={"public.t": {"replica_identity": told[:1]}}).to_dict()
    assert found["tables"]["public.t"]["replica_identity"] == "index"


def test_defaults_are_debeziums() -> None:
    assert load().to_dict() == {
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


def full() -> dict[str, Any]:
    return source(
        decimal_handling_mode="string",
        time_precision_mode="connect",
        binary_handling_mode="base64-url-safe",
        decimal_format="NUMERIC",
        signal_data_collection="public.debezium_signal",
        epochs=[
            {"from": "2026-01-31T13:00:00+01:00"},
            {"topic": "dbserver1.public.orders", "offsets": {0: 123, "1": 99}},
        ],
        incarnations=[
            dt.datetime(2026, 3, 1, tzinfo=dt.UTC),
            "2026-02-01T00:00:00.5+00:00",
        ],
        tables={
            "public.customers": {
                "replica_identity": "full",
                "key": ["id"],
                "model": "clients",
                "columns": [
                    {"name": "id", "type": "int32", "optional": False, "default": 0},
                    {
                        "name": "price",
                        "type": "bytes",
                        "semantic": DECIMAL,
                        "parameters": {"scale": 2},
                    },
                    {"name": "tags", "type": "array", "items": {"type": "string"}},
                    {
                        "name": "place",
                        "type": "struct",
                        "fields": [{"name": "x", "type": "double"}],
                    },
                ],
            },
            "public.empty": None,
        },
    )


def test_what_is_configured_is_normalised() -> None:
    found = load_source("inventory", {"inventory": full()}).to_dict()

    assert found["decimal_format"] == "numeric"
    assert found["incarnations"] == ["2026-02-01T00:00:00.500000Z", "2026-03-01T00:00:00Z"]
    assert found["epochs"] == [
        {"from": "2026-01-31T12:00:00Z"},
        {"topic": "dbserver1.public.orders", "offsets": {"0": 123, "1": 99}},
    ]
    assert found["tables"]["public.customers"]["columns"][1]["parameters"] == {"scale": "2"}
    assert found["tables"]["public.empty"] == {}


def test_incarnations_are_in_the_order_of_time() -> None:
    moments = ["2026-02-01T00:00:00.5Z", "2026-02-01T00:00:00Z", "2026-01-31T23:59:59.75Z"]

    assert load(incarnations=moments).incarnations == (
        "2026-01-31T23:59:59.750000Z",
        "2026-02-01T00:00:00Z",
        "2026-02-01T00:00:00.500000Z",
    )


def test_the_description_survives_json() -> None:
    config = load_source("inventory", {"inventory": full()})

    described = json.loads(json.dumps(config.to_dict()))

    assert SourceConfig.from_dict(described) == config
    assert SourceConfig.from_dict(described).to_dict() == described


def test_no_sources_are_no_error() -> None:
    assert load_sources(None) == {}
    assert load_sources({}) == {}


def test_all_sources_are_loaded() -> None:
    found = load_sources({"a": source(), "b_2": source(connector="mysql")})

    assert {name: config.connector for name, config in found.items()} == {
        "a": "postgresql",
        "b_2": "mysql",
    }


@pytest.mark.parametrize("name", ["Inventory", "2x", "a__b", "_a", "a_", "a-b", "", "a.b"])
def test_names_that_break_model_names_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="has a source named"):
        load_sources({name: source()})


WRONG: dict[str, tuple[dict[str, Any], str, str]] = {
    # options → what is said, and the remedy
    "misspelt option": ({"topic_prefx": "x"}, "unknown option `topic_prefx`", "`topic_prefix`?"),
    "debezium's dots": (
        {"decimal.handling.mode": "string"},
        "unknown option `decimal.handling.mode`",
        "Did you mean `decimal_handling_mode`?",
    ),
    "connector": ({"connector": "postgres"}, "connector is 'postgres'", "mean `postgresql`?"),
    "no connector": ({"connector": None}, "connector is None", "`oracle`"),
    "no prefix": ({"topic_prefix": None}, "topic_prefix is missing", "dbserver1"),
    "number as prefix": ({"topic_prefix": 1}, "topic_prefix is 1", "dbserver1"),
    "prefix with a space": ({"topic_prefix": "a b"}, "'a b'", "Use letters"),
    "no input": ({"input": None}, "input is missing", "type: files"),
    "input as text": ({"input": "data"}, "input is 'data'", "as a mapping"),
    "kafka": ({"input": {"type": "kafka"}}, "input.brokers is missing", "broker1:9092"),
    "table": ({"input": {"type": "table"}}, "input.relation is missing", "bronze."),
    "input type": ({"input": {"type": "file"}}, "input.type is 'file'", "mean `files`?"),
    "no path": ({"input": {"type": "files"}}, "input.path is missing", "jsonl"),
    "input option": ({"input": {**FILES, "pth": "x"}}, "unknown option `pth`", "`path`?"),
    "mode": ({"decimal_handling_mode": "presise"}, "is 'presise'", "mean `precise`?"),
    "preview mode": ({"time_precision_mode": "structured"}, "is 'structured'", "`isostring`"),
    "decimal format": ({"decimal_format": "number"}, "is 'number'", "`numeric`"),
    "placeholder": ({"unavailable_value_placeholder": ""}, "placeholder is ''", "Write"),
    "signal": ({"signal_data_collection": "sig"}, "is `sig`", "public.debezium_signal"),
    "epoch of nothing": ({"epochs": [{}]}, "epochs[0] is {}", "offsets"),
    "epoch of both": (
        {"epochs": [{"from": "2026-01-01T00:00:00Z", "topic": "t", "offsets": {"0": 1}}]},
        "epochs[0] is",
        "offsets",
    ),
    "epoch offset": (
        {"epochs": [{"topic": "t", "offsets": {"0": "x"}}]},
        "offsets.0 is 'x'",
        "from 0 up",
    ),
    "epoch before all offsets": (
        {"epochs": [{"topic": "t", "offsets": {"0": -1}}]},
        "offsets.0 is -1",
        "from 0 up",
    ),
    "epoch partition": (
        {"epochs": [{"topic": "t", "offsets": {"a": 1}}]},
        "partition 'a'",
        "from 0 up",
    ),
    "epochs not a list": ({"epochs": {"from": "x"}}, "epochs is", "as a list"),
    "incarnation without zone": (
        {"incarnations": ["2026-02-01T00:00:00"]},
        "no time zone",
        "Z",
    ),
    "naive yaml timestamp": (
        {"incarnations": [dt.datetime(2026, 2, 1)]},
        "no time zone",
        "Z",
    ),
    "incarnation word": ({"incarnations": ["soon"]}, "'soon', not a timestamp", "ISO 8601"),
    "incarnation twice": (
        {"incarnations": ["2026-02-01T00:00:00Z", "2026-02-01T01:00:00+01:00"]},
        "twice",
        "Remove",
    ),
    "incarnations as text": (
        {"incarnations": "2026-02-01T00:00:00Z"},
        "incarnations is",
        "as a list",
    ),
    "table without schema": ({"tables": {"t": {}}}, "the table `t`", "<schema>.<table>"),
    "table option": ({"tables": {"a.t": {"keys": []}}}, "unknown option `keys`", "`key`?"),
    "identity": (
        {"tables": {"a.t": {"replica_identity": "FULL"}}},
        "is 'FULL'",
        "mean `full`?",
    ),
    "identity of later records only": (
        {"tables": {"a.t": {"replica_identity": [{"is": "index"}, {"is": "full"}]}}},
        "replica_identity[1].from is missing",
        "the record timestamp from which",
    ),
    "identities out of order": (
        {
            "tables": {
                "a.t": {
                    "replica_identity": [
                        {"is": "index", "from": "2026-02-01T00:00:00Z"},
                        {"is": "full", "from": "2026-01-01T00:00:00Z"},
                    ]
                }
            }
        },
        "not after the entry before it",
        "Order the entries",
    ),
    "no identity": ({"tables": {"a.t": {"replica_identity": []}}}, "empty list", "or remove it"),
    "identity since no zone": (
        {"tables": {"a.t": {"replica_identity": [{"is": "full", "from": "2026-01-01T00:00:00"}]}}},
        "no time zone",
        "Add one",
    ),
    "identity of another name": (
        {"tables": {"a.t": {"replica_identity": [{"is": "full", "since": "2026-01-01"}]}}},
        "unknown option `since`",
        "`from`",
    ),
    "identity elsewhere": (
        {"connector": "mysql", "tables": {"a.t": {"replica_identity": "full"}}},
        "connector `mysql`",
        "only PostgreSQL",
    ),
    "compression elsewhere": (
        {"connector": "mariadb", "binlog_transaction_compression": True},
        "connector `mariadb`",
        "only MySQL",
    ),
    "compression as a word": (
        {"connector": "mysql", "binlog_transaction_compression": "on"},
        "binlog_transaction_compression is 'on'",
        "Write true",
    ),
    "key as text": ({"tables": {"a.t": {"key": "id"}}}, "key is 'id'", "as a list"),
    "key column twice": (
        {"tables": {"a.t": {"key": ["id", "id"]}}},
        "key is ['id', 'id'], with a column twice",
        "Name each once",
    ),
    "key column unknown": (
        {"tables": {"a.t": {"key": ["x"], "columns": [{"name": "id", "type": "int32"}]}}},
        "names `x`",
        "declare the column",
    ),
    "renames of a list": (
        {"tables": {"a.t": {"renames": ["x"]}}},
        "renames is ['x']",
        "",
    ),
    "former name without text": (
        {"tables": {"a.t": {"renames": {"b": 1}}}},
        "renames.b",
        "as a list",
    ),
    "former name twice": (
        {"tables": {"a.t": {"renames": {"b": "a", "c": "a"}}}},
        "`a` the former name of `b` and of `c`",
        "one of them",
    ),
    "chain of names": (
        {"tables": {"a.t": {"renames": {"b": "a", "c": "b"}}}},
        "makes it the former name of `c`",
        "c: [b, ...]",
    ),
    "closing that is no boolean": (
        {"tables": {"a.t": {"close_unseen": "yes"}}},
        "close_unseen is 'yes'",
        "true or false",
    ),
    "added default without a value": (
        {"tables": {"a.t": {"added_defaults": {"b": None}}}},
        "added_defaults.b is None",
        "Write the value",
    ),
    "model name": ({"tables": {"a.t": {"model": "A"}}}, "model is 'A'", "lower-case"),
    "model twice": (
        {"tables": {"a.t": {"model": "m"}, "b.t": {"model": "m"}}},
        "the model `m`",
        "its own",
    ),
    "column type": (
        {"tables": {"a.t": {"columns": [{"name": "id", "type": "integer"}]}}},
        "type is 'integer'",
        "`int32`",
    ),
    "two types of a column": (
        {"tables": {"a.t": {"columns": [{"name": "i", "type": "int8", "database_type": "int"}]}}},
        "has `database_type` and `type`",
        "Give one",
    ),
    "empty database type": (
        {"tables": {"a.t": {"columns": [{"name": "i", "database_type": ""}]}}},
        "database_type is ''",
        "numeric(10,2)",
    ),
    "database type elsewhere": (
        {
            "connector": "mysql",
            "tables": {"a.t": {"columns": [{"name": "i", "database_type": "int"}]}},
        },
        "gives `i` by its `database_type`",
        "its Connect type",
    ),
    "column twice": (
        {"tables": {"a.t": {"columns": [{"name": "i", "type": "int8"}] * 2}}},
        "`i` twice",
        "Remove",
    ),
    "column without name": (
        {"tables": {"a.t": {"columns": [{"type": "int8"}]}}},
        "name is missing",
        "id",
    ),
    "array without items": (
        {"tables": {"a.t": {"columns": [{"name": "i", "type": "array"}]}}},
        "no `items`",
        "items",
    ),
    "struct without fields": (
        {"tables": {"a.t": {"columns": [{"name": "i", "type": "struct"}]}}},
        "no `fields`",
        "fields",
    ),
    "decimal without scale": (
        {"tables": {"a.t": {"columns": [{"name": "i", "type": "bytes", "semantic": DECIMAL}]}}},
        "without a scale",
        "scale",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_told_with_its_value_and_a_remedy(case: str) -> None:
    options, what, remedy = WRONG[case]

    with pytest.raises(ConfigError) as raised:
        load(**options)

    message = str(raised.value)
    assert message.startswith("debezium_spark: debezium_sources.inventory")
    assert what in message
    assert remedy in message
    assert message.endswith(".")


def test_a_source_that_is_not_configured_is_told_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="no source 'inventry'. Did you mean `inventory`?"):
        load_source("inventry", {"inventory": source()})


def test_what_is_done_to_a_description_is_not_seen_by_the_next() -> None:
    sources = {"inventory": source()}
    expected = load_source("inventory", sources).to_dict()

    describe_source("inventory", sources).pop("connector")

    assert describe_source("inventory", sources) == expected


def test_equal_options_of_other_types_are_read_each_as_they_are() -> None:
    options = source(connector="mysql", binlog_transaction_compression=True)

    assert describe_source("inventory", {"inventory": options})["binlog_transaction_compression"]
    with pytest.raises(ConfigError, match="binlog_transaction_compression"):
        describe_source(
            "inventory", {"inventory": {**options, "binlog_transaction_compression": 1}}
        )


def test_importing_the_configuration_does_not_import_spark() -> None:
    code = "import sys, dbt_debezium_spark.config; assert 'pyspark' not in sys.modules"

    subprocess.run([sys.executable, "-c", code], check=True)
