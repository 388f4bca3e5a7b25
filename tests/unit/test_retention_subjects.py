"""Which tables a retention shortens, and why it leaves others; horizons that only go forward."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.config import describe_source
from dbt_debezium_spark.config.errors import ConfigError
from dbt_debezium_spark.retention.horizon import Horizon, from_json, horizon
from dbt_debezium_spark.retention.subjects import raw_logs, retention_of, subjects

HOUR_US = 3_600_000_000
STAGING = (
    "{{{{ debezium_spark.staging(source='{source}', raw=ref('raw'), topics=['{source}.a.b'],"
    " table='a.b', key={key}, columns=[{{'name': 'id', 'type': 'int32'}}]) }}}}"
)


BLOCK = {"connector": "mysql", "topic_prefix": "s", "input": {"type": "files", "path": "d"}}


def source(**options: Any) -> dict[str, Any]:
    return describe_source("s", {"s": BLOCK | options})


def variable(name: str, default: Any = None) -> Any:
    """Return the value of a var of the project."""
    return {"debezium_sources": {"s": BLOCK}}.get(name, default)


def nodes(
    *layers: str, key: str = "[{'name': 'id', 'type': 'int32'}]", table: str = "a.b"
) -> dict[str, Any]:
    meta = {"debezium_spark": {"source": "s", "table": table}}
    return {
        f"{layer} {table}": {
            "name": f"{layer}_s__{table[-1]}",
            "alias": f"{layer}_s__{table[-1]}",
            "resource_type": "model",
            "config": {"meta": meta},
            "raw_code": STAGING.format(source="s", key=key),
        }
        for layer in layers
    }


def reason(config: dict[str, Any], graph: dict[str, Any]) -> Any:
    (subject,) = subjects(graph, variable, {"s": config})
    return subject["kept_because"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, None),
        ({"retention": {"raw": "36 hours"}}, None),
        ({"retention": {"staging": "36 hours"}}, 36 * HOUR_US),
        ({"tables": {"a.b": {"retention": {"staging": "2 days"}}}}, 48 * HOUR_US),
        (
            {
                "retention": {"staging": "1 day"},
                "tables": {"a.b": {"retention": {"staging": None}}},
            },
            None,
        ),
    ],
)
def test_a_table_has_its_own_retention_or_that_of_its_source(options, expected):
    assert retention_of(source(**options), "a.b", "staging") == expected


def test_a_wrong_duration_is_refused_with_the_remedy():
    with pytest.raises(ConfigError) as refused:
        source(retention={"staging": "soon"})
    assert "retention.staging is 'soon', not a duration" in str(refused.value)
    assert "400 days" in str(refused.value)


KEPT = {"retention": {"staging": "2 days"}}


@pytest.mark.parametrize(
    ("config", "graph", "words"),
    [
        (source(**KEPT), nodes("stg", "state", "cur"), None),
        (source(**KEPT), nodes("stg", "state", key="[]"), "it has no key"),
        (source(**KEPT), nodes("stg", "state", "versions", "hist"), "its history is made of them"),
        (
            source(provide_transaction_metadata=True, **KEPT),
            nodes("stg", "state"),
            "transactions are counted by them",
        ),
        (source(offset_gaps="lost", **KEPT), nodes("stg", "state"), "lost events are found"),
    ],
)
def test_what_needs_all_records_keeps_them(config, graph, words):
    found = reason(config, graph)
    assert found is None if words is None else found.startswith(words)


def test_tables_without_a_retention_are_no_subjects():
    assert subjects(nodes("stg", "state"), variable, {"s": source()}) == []


def test_a_topic_that_a_table_keeps_stays_in_raw():
    kept = {"tables": {"a.b": {"retention": {"raw": "2 days"}}}}
    (log,) = raw_logs(nodes("stg", "state"), variable, {"s": source(**kept)})
    assert (log["raw"], log["kept_because"]) == ("raw_s", None)
    assert log["tables"] == [{"staging": log["topics"]["s.a.b"][0], "raw_us": 48 * HOUR_US}]

    others = {**nodes("stg", "state"), **nodes("stg", "state", table="a.c")}
    (log,) = raw_logs(others, variable, {"s": source(**kept)})
    assert (log["tables"], log["topics"]) == ([], {})

    (log,) = raw_logs(nodes("stg", "state"), variable, {"s": source(offset_gaps="lost", **kept)})
    assert log["kept_because"].startswith("lost events are found")


def test_a_horizon_never_goes_back():
    first = horizon('{"offsets": {"t:0:0": 9}, "changes": {"t": "b"}}', 20, 10, None)
    later = horizon('{"offsets": {"t:0:1": 3}, "changes": {"t": "a"}}', 15, 12, first)

    assert later == Horizon(
        20, 12, first.open_seconds, offsets={"t:0:0": 9, "t:0:1": 3}, changes={"t": "b"}
    )
    assert from_json(later.to_json()) == later
