"""Groups, exposures and contracts in the configuration of a source."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.config import ConfigError, SourceConfig, describe_source, load_source
from tests.unit.test_config_sources import source

OWNER = {"name": "Finance: it's us", "email": "finance@example.com"}
DASHBOARD = {"name": "sales", "type": "dashboard", "owner": {"email": "bi@example.com"}}


def load(**options: Any) -> SourceConfig:
    return load_source("inventory", {"inventory": source(**options)})


def refused(**options: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        load(**options)
    return str(caught.value)


def test_what_is_configured_arrives_in_the_form_of_the_configuration() -> None:
    told = {
        "contract": True,
        "group": {"name": "finance", "owner": OWNER},
        "exposures": [DASHBOARD | {"tables": ["public.t"], "maturity": "high", "label": "Sales"}],
        "tables": {"public.t": {"contract": False}, "public.u": {}},
    }
    found = load(**told).to_dict()
    assert {name: found[name] for name in told} == told
    assert SourceConfig.from_dict(found).to_dict() == found


def test_nothing_is_told_of_what_is_not_configured() -> None:
    assert not {"contract", "group", "exposures"} & set(load().to_dict())
    assert load(group=None, contract=False, exposures=None).to_dict() == load().to_dict()


def test_a_name_alone_is_a_group_that_is_defined_elsewhere() -> None:
    assert load(group="finance").to_dict()["group"] == {"name": "finance"}


def test_a_collection_can_have_a_contract() -> None:
    told = source(connector="mongodb", tables={"db.c": {"contract": True}})
    assert load_source("s", {"s": told}).tables["db.c"].contract is True


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"contract": "yes"}, ".contract is 'yes'. Use true or false."),
        ({"tables": {"a.b": {"contract": 1}}}, "tables.a.b.contract is 1. Use true or false."),
        ({"group": "the finance team"}, ".group.name is 'the finance team'. Use letters"),
        ({"group": {"owner": OWNER}}, ".group.name is missing. Write for example `finance`."),
        ({"group": {"name": "a", "owner": {}}}, ".group.owner names nobody. Write a name"),
        ({"group": {"name": "a", "owner": {"mail": "x"}}}, "Did you mean `email`?"),
        ({"group": ["a"]}, ".group is ['a']. Write it as a mapping"),
        ({"exposures": DASHBOARD}, "Write it as a list."),
        ({"exposures": [{**DASHBOARD, "type": "dash"}]}, ".exposures[0].type is 'dash'. "),
        ({"exposures": [{**DASHBOARD, "name": "../x"}]}, ".exposures[0].name is '../x'. Use"),
        ({"exposures": [{**DASHBOARD, "maturity": "hi"}]}, "Allowed: `high`, `medium`, `low`."),
        ({"exposures": [{**DASHBOARD, "tables": []}]}, ".exposures[0].tables is empty. Name"),
        ({"exposures": [{**DASHBOARD, "tables": [1]}]}, ".tables[0] is 1, not text."),
        ({"exposures": [DASHBOARD, DASHBOARD]}, " has the exposure `sales` twice. Give each"),
        ({"exposures": [{**DASHBOARD, "owner": None}]}, ".exposures[0].owner is None."),
    ],
)
def test_mistakes_are_refused_with_the_value_and_the_remedy(options, words) -> None:
    assert words in refused(**options)


def test_a_group_and_an_exposure_belong_to_one_source() -> None:
    group = {"name": "finance", "owner": OWNER}
    sources = {"a": source(group=group), "b": source(group=group), "c": source(group="finance")}
    for name in ("a", "b"):
        with pytest.raises(ConfigError, match="group `finance` is defined in .* write `group: fin"):
            describe_source(name, sources)
    assert describe_source("c", sources)["group"] == {"name": "finance"}
    sources = {"a": source(exposures=[DASHBOARD]), "b": source(exposures=[DASHBOARD])}
    with pytest.raises(ConfigError, match="exposure `sales` is defined in debezium_sources.a and"):
        load_source("a", sources)


def test_what_is_wrong_in_another_source_does_not_hide_it() -> None:
    sources = {"a": source(exposures=[DASHBOARD]), "b": None, "c": {"group": 7, "exposures": "x"}}
    assert load_source("a", sources).exposures[0].name == "sales"
