"""Where records come from: files, Kafka's topics, tables of the team's own; and their registry."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dbt_debezium_spark.avro import AvroSettings, read_avro
from dbt_debezium_spark.config import (
    ConfigError,
    KafkaInput,
    SourceConfig,
    TableInput,
    check_input,
    input_location,
    load_source,
)

ADDRESS = "http://127.0.0.1:8081"


def source(**options: Any) -> SourceConfig:
    block = {"connector": "postgresql", "topic_prefix": "db.srv-1", "input": options}
    return load_source("inventory", {"inventory": block})


def files(path: str) -> SourceConfig:
    return source(type="files", path=path)


def kafka(**options: Any) -> SourceConfig:
    return source(type="kafka", brokers="b1:9092", **options)


def kafka_input(**options: Any) -> KafkaInput:
    read = kafka(**options).input
    assert isinstance(read, KafkaInput)
    return read


# -- files ----------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    (tmp_path / "data/a.jsonl").touch()
    return tmp_path


@pytest.mark.parametrize(
    "path",
    ["data", "data/", "data/*.jsonl", "data/a.jsonl", "*/x", "data/[ab]*", "s3a://bucket/x*"],
)
def test_folders_files_and_globs_without_matches_are_fine(project: Path, path: str) -> None:
    check_input(files(path), str(project))


def test_absolute_paths_and_file_uris_are_fine(tmp_path: Path) -> None:
    check_input(files(str(tmp_path / "*")), "/elsewhere")
    check_input(files((tmp_path).as_uri()), "/elsewhere")


@pytest.mark.parametrize("path", ["dta", "dta/*.jsonl", "data/b.jsonl", "data/a.jsonl/*"])
def test_a_path_that_is_not_there_is_told(project: Path, path: str) -> None:
    with pytest.raises(ConfigError) as raised:
        check_input(files(path), str(project))

    assert f"debezium_sources.inventory.input.path is `{path}`" in str(raised.value)
    assert "orrect the path" in str(raised.value)


def test_a_folder_that_cannot_be_read_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever runs the tests may be allowed everything, so the answer of the system is replaced.
    monkeypatch.setattr("os.access", lambda path, mode: False)

    with pytest.raises(ConfigError, match="cannot be read"):
        check_input(files("."), str(tmp_path))


def test_relative_paths_count_from_the_project() -> None:
    assert input_location("data/*.jsonl", "/home/me/project") == "/home/me/project/data/*.jsonl"
    assert input_location("../in", "/home/me/project") == "/home/me/in"
    assert input_location("s3a://bucket/x", "/home/me/project") == "s3a://bucket/x"


# -- Kafka and tables -----------------------------------------------------------------------------


def test_kafka_needs_brokers_alone() -> None:
    read = kafka_input()
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
def test_the_topics_are_those_of_the_prefix_unless_told(topic: str, matches: bool) -> None:
    pattern = kafka_input().pattern("db.srv-1", "__debezium-heartbeat.db.srv-1")
    assert bool(re.fullmatch(pattern, topic)) is matches
    assert kafka_input(topic_pattern="x|y").pattern("db.srv-1", "beat.db.srv-1") == "x|y"


@pytest.mark.parametrize(
    "options",
    [
        {"type": "kafka", "brokers": "b", "options": {"a": "b"}, "max_records_per_run": 5},
        {"type": "kafka", "brokers": "b", "options_from_env": {"kafka.sasl.jaas.config": "JAAS"}},
        {"type": "table", "relation": "bronze.records", "columns": {"value": "payload"}},
    ],
)
def test_a_source_comes_back_from_what_python_models_get(options: dict[str, Any]) -> None:
    one = source(**options)
    assert SourceConfig.from_dict(json.loads(json.dumps(one.to_dict()))) == one


def test_numbers_and_booleans_become_spark_s_texts() -> None:
    read = kafka_input(options={"minPartitions": 8, "kafka.enable.metrics.push": False})
    assert read.options == {"minPartitions": "8", "kafka.enable.metrics.push": "false"}


def test_secrets_stand_in_the_environment_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAAS", "a secret")
    one = kafka(options_from_env={"kafka.sasl.jaas.config": "JAAS"})
    check_input(one, "/project")
    assert isinstance(one.input, KafkaInput)
    assert one.input.secrets() == {"kafka.sasl.jaas.config": "a secret"}
    assert "a secret" not in json.dumps(one.to_dict()) + repr(one)

    monkeypatch.delenv("JAAS")
    with pytest.raises(ConfigError, match=r"`JAAS`, which is not set\. Set it in the environment"):
        check_input(one, "/project")


def test_columns_of_a_table_are_mapped_by_our_names() -> None:
    read = source(type="table", relation="b.r", columns={"value": "payload"}).input
    assert read == TableInput(relation="b.r", columns={"value": "payload"})


# -- the schema registry --------------------------------------------------------------------------


def test_a_registry_is_enough() -> None:
    read = read_avro({"registry": f"{ADDRESS}/apis/ccompat/v7/"}, "avro")
    assert read == AvroSettings(registry=f"{ADDRESS}/apis/ccompat/v7")


def test_a_block_is_read_from_its_own_form_again() -> None:
    block = {"registry": ADDRESS, "key": "text", "options_from_env": {"basic_auth": "A"}}
    assert read_avro(block, "avro").to_dict() == block
