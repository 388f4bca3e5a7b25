"""Kafka topics and tables of the team's own as inputs."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from dbt_debezium_spark.config import ConfigError, KafkaInput, SourceConfig, TableInput, load_source
from dbt_debezium_spark.config import check_input as check


def source(**options: Any) -> SourceConfig:
    return load_source(
        "shop",
        {"shop": {"connector": "postgresql", "topic_prefix": "db.srv-1", "input": options}},
    )


def kafka(**options: Any) -> SourceConfig:
    return source(type="kafka", brokers="b1:9092", **options)


def test_kafka_needs_brokers_alone():
    read = kafka().input
    assert isinstance(read, KafkaInput)
    assert (read.brokers, read.topic_pattern, read.max_records_per_run) == ("b1:9092", None, None)


@pytest.mark.parametrize(
    ("topic", "matches"),
    [
        ("db.srv-1", True),
        ("db.srv-1.public.orders", True),
        ("db.srv-1.transaction", True),
        ("db.srv-10.public.orders", False),
        ("dbxsrv-1.public.orders", False),
        ("a.db.srv-1.public.orders", False),
        ("__debezium-heartbeat.db.srv-1", True),
        ("__debezium-heartbeat.db.srv-10", False),
        ("__debezium-heartbeat.db.srv-1.public", False),
        ("__debezium-heartbeat.dbxsrv-1", False),
    ],
)
def test_the_topics_are_those_of_the_prefix_unless_told(topic, matches):
    read = kafka().input
    assert isinstance(read, KafkaInput)
    pattern = read.pattern("db.srv-1", "__debezium-heartbeat.db.srv-1")
    assert bool(re.fullmatch(pattern, topic)) is matches
    told = kafka(topic_pattern="x|y").input
    assert isinstance(told, KafkaInput)
    assert told.pattern("db.srv-1", "beat.db.srv-1") == "x|y"


def test_a_source_comes_back_from_what_python_models_get():
    for one in (
        kafka(options={"kafka.security.protocol": "SSL"}, max_records_per_run=5),
        kafka(options_from_env={"kafka.sasl.jaas.config": "JAAS"}),
        source(type="table", relation="bronze.records", columns={"value": "payload"}),
    ):
        assert SourceConfig.from_dict(json.loads(json.dumps(one.to_dict()))) == one


def test_numbers_and_booleans_become_spark_s_texts():
    read = kafka(options={"minPartitions": 8, "kafka.enable.metrics.push": False}).input
    assert isinstance(read, KafkaInput)
    assert read.options == {"minPartitions": "8", "kafka.enable.metrics.push": "false"}


def test_secrets_stand_in_the_environment_and_nowhere_else(monkeypatch):
    monkeypatch.setenv("JAAS", "a secret")
    one = kafka(options_from_env={"kafka.sasl.jaas.config": "JAAS"})
    check(one, "/project")
    assert isinstance(one.input, KafkaInput)
    assert one.input.secrets() == {"kafka.sasl.jaas.config": "a secret"}
    assert "a secret" not in json.dumps(one.to_dict()) + repr(one)

    monkeypatch.delenv("JAAS")
    with pytest.raises(ConfigError, match=r"`JAAS`, which is not set\. Set it in the environment"):
        check(one, "/project")


@pytest.mark.parametrize(
    "option",
    [
        "kafka.sasl.jaas.config",
        "kafka.ssl.keystore.password",
        "kafka.ssl.truststore.password",
        "kafka.ssl.key.password",
        "kafka.ssl.keystore.key",
        "kafka.sasl.oauthbearer.client.credentials.client.secret",
    ],
)
def test_a_secret_in_plain_sight_is_refused_without_repeating_it(option):
    with pytest.raises(ConfigError) as raised:
        kafka(options={option: "hunter2"})
    assert f"options.{option} contains a secret in plain text" in str(raised.value)
    assert f"options_from_env: {{{option}: NAME}}" in str(raised.value)
    assert "hunter2" not in str(raised.value)


def test_a_value_where_a_variable_s_name_belongs_is_not_repeated():
    with pytest.raises(ConfigError) as raised:
        kafka(options_from_env={"kafka.ssl.key.password": "hunter 2"})
    assert "hunter" not in str(raised.value)


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"options": {"startingOffsets": "latest"}}, "options.startingOffsets selects records"),
        ({"options": {"kafka.bootstrap.servers": "b"}}, "use `brokers`"),
        ({"options": {"minPartitions": [1]}}, "options.minPartitions is [1]"),
        ({"options_from_env": {"assign": "X"}}, "options_from_env.assign selects records"),
        ({"max_records_per_run": 0}, "max_records_per_run is 0"),
        ({"max_records_per_run": True}, "max_records_per_run is True"),
        ({"topic_pattern": " "}, "topic_pattern is ' '"),
        ({"topics": "x"}, "unknown option `topics`"),
    ],
)
def test_what_is_wrong_with_kafka_is_told(options, what):
    with pytest.raises(ConfigError) as raised:
        kafka(**options)
    assert what in str(raised.value).replace("Remove it; ", "")


def test_kafka_without_brokers_is_told():
    with pytest.raises(ConfigError, match="input.brokers is missing"):
        source(type="kafka")


def test_columns_of_a_table_are_mapped_by_our_names():
    read = source(type="table", relation="b.r", columns={"value": "payload"}).input
    assert read == TableInput(relation="b.r", columns={"value": "payload"})
    with pytest.raises(ConfigError, match="unknown option `payload`"):
        source(type="table", relation="b.r", columns={"payload": "value"})
    with pytest.raises(ConfigError, match="input.relation is missing"):
        source(type="table")
