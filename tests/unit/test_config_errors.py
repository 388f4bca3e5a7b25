"""What is wrong with a configuration is told, with its value and a remedy."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.avro import read_avro
from dbt_debezium_spark.config import ConfigError, describe_source, load_source, load_sources
from tests.support.said import is_said

FILES = {"type": "files", "path": "data/*.jsonl"}
USUAL = {"connector": "postgresql", "topic_prefix": "p", "input": FILES}
DASHBOARD = {"name": "sales", "type": "dashboard", "owner": {"email": "bi@example.com"}}


def rows() -> list[Any]:
    """Return the rows of the table of errors, which says how it is written."""
    text = Path(__file__).with_name("config_errors.txt").read_text(encoding="utf-8")
    table = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    entries = [one.partition("=>") for one in re.split(r"\n(?=\S)", table.strip())]
    return [
        pytest.param(" ".join(options.split()), " ".join(said.split()), id=options.strip())
        for options, _, said in entries
    ]


@pytest.mark.parametrize(("options", "said"), rows())
def test_what_is_wrong_is_told_with_its_value_and_a_remedy(options: str, said: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load_source("s", {"s": USUAL | yaml.safe_load(f"{{{options}}}")})

    message = str(raised.value)
    space = "" if said.startswith(".") else " "
    assert is_said(f"debezium_spark: debezium_sources.s{space}{said}", message), message
    assert message.endswith(".")
    # the password of the rows above
    assert "hunter2" not in message


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
def test_a_secret_in_plain_sight_is_refused_without_repeating_it(option: str) -> None:
    kafka = {"type": "kafka", "brokers": "b:9092", "options": {option: "hunter2"}}
    with pytest.raises(ConfigError) as raised:
        load_source("s", {"s": {**USUAL, "input": kafka}})
    assert f"options.{option} contains a secret in plain text" in str(raised.value)
    assert f"options_from_env: {{{option}: NAME}}" in str(raised.value)
    assert "hunter2" not in str(raised.value)


def test_a_block_avro_needs_a_registry() -> None:
    with pytest.raises(ConfigError, match="avro.registry is missing"):
        read_avro({}, "avro")


# -- names of sources, and what two of them say ---------------------------------------------------


@pytest.mark.parametrize("name", ["Inventory", "2x", "a__b", "_a", "a_", "a-b", "", "a.b"])
def test_names_that_break_model_names_are_refused(name: str) -> None:
    with pytest.raises(ConfigError, match="has a source named"):
        load_sources({name: USUAL})


def test_a_source_that_is_not_configured_is_told_with_the_nearest() -> None:
    with pytest.raises(ConfigError, match="no source 'inventry'. Did you mean `inventory`?"):
        load_source("inventry", {"inventory": USUAL})


def test_a_group_and_an_exposure_belong_to_one_source() -> None:
    group = {"group": {"name": "finance", "owner": {"email": "x@y.z"}}}
    sources = {"a": USUAL | group, "b": USUAL | group, "c": {**USUAL, "group": "finance"}}
    for name in ("a", "b"):
        with pytest.raises(ConfigError, match="group `finance` is defined in .* write `group: fin"):
            describe_source(name, sources)
    assert describe_source("c", sources)["group"] == {"name": "finance"}
    sources = {name: {**USUAL, "exposures": [DASHBOARD]} for name in "ab"}
    with pytest.raises(ConfigError, match="exposure `sales` is defined in debezium_sources.a and"):
        load_source("a", sources)


def test_what_is_wrong_in_another_source_does_not_hide_it() -> None:
    own = {**USUAL, "exposures": [DASHBOARD]}
    sources = {"a": own, "b": None, "c": {"group": 7, "exposures": "x"}}
    assert load_source("a", sources).exposures[0].name == "sales"
