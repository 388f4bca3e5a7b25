"""Where records come from: files, Kafka's topics; what of them is checked when a run begins."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from dbt_debezium_spark.config import (
    ConfigError,
    KafkaInput,
    SourceConfig,
    check_input,
    input_location,
    load_source,
)
from dbt_debezium_spark.config.columns_from import is_parquet
from dbt_debezium_spark.config.input_files import local_path
from tests.support.blocks import source_options


def source(**options: Any) -> SourceConfig:
    block = source_options(prefix="db.srv-1", input=options)
    return load_source("inventory", {"inventory": block})


def files(path: str) -> SourceConfig:
    return source(type="files", path=path)


def kafka(**options: Any) -> tuple[SourceConfig, KafkaInput]:
    """Return a source, and its input."""
    read = source(type="kafka", brokers="b1:9092", **options)
    assert isinstance(read.input, KafkaInput)
    return read, read.input


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
    assert Path(local_path("file:///data/x")) == Path("/data/x")


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


@pytest.mark.parametrize("place", ["x.PARQUET", "folder.parquet/", "a/b.Parquet"])
def test_a_folder_of_parquet_is_known_by_its_name(place: str) -> None:
    assert is_parquet(place)


# -- Kafka ----------------------------------------------------------------------------------------


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
    pattern = kafka()[1].pattern("db.srv-1", "__debezium-heartbeat.db.srv-1")
    assert bool(re.fullmatch(pattern, topic)) is matches
    assert kafka(topic_pattern="x|y")[1].pattern("db.srv-1", "beat.db.srv-1") == "x|y"


def test_secrets_stand_in_the_environment_and_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAAS", "a secret")
    one, read = kafka(options_from_env={"kafka.sasl.jaas.config": "JAAS"})
    check_input(one, "/project")
    assert read.secrets() == {"kafka.sasl.jaas.config": "a secret"}
    assert "a secret" not in json.dumps(one.to_dict()) + repr(one)

    monkeypatch.delenv("JAAS")
    assert read.secrets() == {"kafka.sasl.jaas.config": ""}
    with pytest.raises(ConfigError, match=r"`JAAS`, which is not set\. Set it in the environment"):
        check_input(one, "/project")
