"""What is wrong with a configuration is told, with its value and a remedy."""

from __future__ import annotations

import pytest
import yaml

from dbt_debezium_spark.avro import read_avro
from dbt_debezium_spark.config import ConfigError, describe_source, load_source, load_sources
from tests.support.blocks import source_options
from tests.support.said import is_said, rows_of

USUAL = source_options()
DASHBOARD = {"name": "sales", "type": "dashboard", "owner": {"email": "bi@example.com"}}


@pytest.mark.parametrize(("options", "said"), rows_of(__file__, "config_errors.txt"))
def test_what_is_wrong_is_told_with_its_value_and_a_remedy(options: str, said: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load_source("s", {"s": USUAL | yaml.safe_load(f"{{{options}}}")})

    message = str(raised.value)
    space = "" if said.startswith(".") else " "
    assert is_said(f"debezium_spark: debezium_sources.s{space}{said}", message), message
    assert message.endswith(".")
    # the secrets of the rows
    assert "hunter2" not in message


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
