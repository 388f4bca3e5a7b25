"""Heartbeats and `max_lag` in the configuration."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.config import ConfigError, SourceConfig, load_source
from dbt_debezium_spark.config.lateness import heartbeat_topic


def load(**options: Any) -> SourceConfig:
    files = {"type": "files", "path": "data"}
    block = {"connector": "postgresql", "topic_prefix": "db.1", "input": files, **options}
    return load_source("shop", {"shop": block})


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90 seconds", 90), ("1 minute", 60), ("15 minutes", 900), ("2 Hours", 7200), ("1day", 86400)],
)
def test_a_duration_is_a_number_and_a_unit(text: str, seconds: int) -> None:
    read = load(max_lag=text)
    assert read.max_lag == seconds
    assert SourceConfig.from_dict(read.to_dict()) == read


@pytest.mark.parametrize(
    "value", ["0 minutes", "15", "15 m", "-1 day", "1.5 hours", "", True, [], "5000 days", 0]
)
def test_anything_else_is_refused_with_an_example(value: Any) -> None:
    with pytest.raises(ConfigError, match=r"shop\.max_lag is .*like `15 minutes`"):
        load(max_lag=value)


def test_without_the_options_nothing_of_a_source_changes() -> None:
    assert {"max_lag", "topic_heartbeat_prefix"}.isdisjoint(load().to_dict())
    assert heartbeat_topic(load().to_dict()) == "__debezium-heartbeat.db.1"


@pytest.mark.parametrize("option", ["topic_heartbeat_prefix", "heartbeat_topics_prefix"])
def test_the_prefix_has_a_name_of_each_age_of_debezium(option: str) -> None:
    read = load(**{option: "beat"})
    assert heartbeat_topic(read.to_dict()) == "beat.db.1"
    assert SourceConfig.from_dict(read.to_dict()) == read


def test_both_names_at_once_are_refused() -> None:
    with pytest.raises(ConfigError, match="Remove `heartbeat_topics_prefix`"):
        load(topic_heartbeat_prefix="a", heartbeat_topics_prefix="a")


def test_a_prefix_that_no_topic_can_have_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"topic_heartbeat_prefix is 'a b'"):
        load(topic_heartbeat_prefix="a b")
