"""The columns of a table's models, read from the text of its staging model."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.adapter_parts.sources import load_source
from dbt_debezium_spark.table_columns import table_columns
from tests.support.drift_harness import Relation
from tests.support.generated_text import SHOP
from tests.support.macros import CompilerError, Macros

STAGING = """{{ config(materialized='debezium_append') }}
{{ debezium_spark.staging(
    source='shop', raw=ref('raw_shop'), topics=['t'], table='public.t', key=[],
    columns=[
        {'name': 'id', 'type': 'int32'},
        {'name': 'seen', 'type': 'int64', 'semantic': 'io.debezium.time.NanoTimestamp'},
    ],
    shared_topic=true,
) }}"""
STATE = """{{ debezium_spark.state(
    source='shop', table='public.t', staging=ref('stg_shop__t'), key=['id'],
    columns=COLUMNS,
) }}"""
DERIVED = "debezium_spark.table_columns(ref('stg_shop__t'))"
ALL = ["id", "seen", "_cdc_text_seen"]


def node(name: str, code: str, **changes: Any) -> dict[str, Any]:
    return {"resource_type": "model", "name": name, "alias": name, "raw_code": code, **changes}


def columns(model: str, *nodes: dict[str, Any]) -> list[str] | None:
    graph = {str(place): one for place, one in enumerate(nodes)}
    return table_columns(graph, model, {"debezium_sources": SHOP}.get, load_source)


def test_a_staging_model_has_the_columns_that_it_declares_and_their_exact_texts() -> None:
    assert columns("stg_shop__t", node("stg_shop__t", STAGING)) == ALL


DECLARED = "[{'name': 'id', 'type': 'int32'}]"


@pytest.mark.parametrize(
    ("listed", "expected"),
    [
        (DERIVED, ALL),
        ("['id']", ["id"]),
        (
            f"debezium_spark.decoded_columns('shop', {DECLARED}) | map(attribute='name') | list",
            ["id"],
        ),
        (f"{DERIVED} + ['note']", [*ALL, "note"]),
    ],
)
def test_a_state_has_those_of_its_staging_model_or_those_that_it_lists(
    listed: str, expected: list[str]
) -> None:
    state = node("state_shop__t", STATE.replace("COLUMNS", listed))
    assert columns("state_shop__t", node("stg_shop__t", STAGING), state) == expected


def test_a_model_is_found_by_its_alias_first() -> None:
    other = node("stg_shop__t", "select 1", alias="other")
    aliased = node("mine", STAGING, alias="stg_shop__t")
    assert columns("stg_shop__t", other, aliased) == ALL
    assert columns("mine", other, aliased) == ALL


def test_the_state_of_a_collection_has_the_fields_of_its_configuration() -> None:
    config = {"fields": [{"name": "city", "path": "address.city", "type": "string"}]}
    state = node("state_shop__c", "def model(): ...", language="python", config=config)
    assert columns("state_shop__c", state) == ["_id", "document", "city"]


@pytest.mark.parametrize(
    "nodes",
    [
        [],
        [node("stg_shop__t", "select 1 as id")],
        [node("stg_shop__t", STAGING + STAGING)],
        [node("stg_shop__t", "def model(): ...", language="python", config={})],
    ],
)
def test_a_text_that_does_not_tell_is_not_guessed_at(nodes: list[dict[str, Any]]) -> None:
    assert columns("stg_shop__t", *nodes) is None
    state = node("state_shop__t", STATE.replace("COLUMNS", DERIVED))
    assert columns("state_shop__t", *nodes, state) is None


def test_current_shows_the_columns_of_its_state() -> None:
    models = [
        {"name": "stg_shop__t", "raw_code": STAGING},
        {"name": "state_shop__t", "raw_code": STATE.replace("COLUMNS", DERIVED)},
    ]
    macros = Macros(SHOP, models=models)
    sql = macros.current(state=Relation("state_shop__t"))
    assert sql.split("from")[0].split() == [
        "select",
        *("`id`,", "`seen`,", "`_cdc_text_seen`,"),
        *("_cdc_op,", "_cdc_pos,", "_cdc_source_at"),
    ]


def test_a_model_that_does_not_tell_its_columns_is_named_with_the_remedy() -> None:
    with pytest.raises(CompilerError, match="model state_shop__t does not tell its columns. List"):
        Macros(SHOP).current(state=Relation("state_shop__t"))


def test_a_list_without_columns_is_refused() -> None:
    with pytest.raises(CompilerError, match="must be a non-empty list"):
        Macros(SHOP).check_columns("state", "public.t", [])
