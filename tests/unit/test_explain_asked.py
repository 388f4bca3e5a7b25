"""Which table and key a person asks for, and what came of rows by truncates of dropped tables."""

from __future__ import annotations

from typing import Any

import pytest

from dbt_debezium_spark.explain.asked import find_table, key_asked
from dbt_debezium_spark.explain.events import chains, of_events, read
from dbt_debezium_spark.text.literals import argument_text

PAIR = {"kind": "rows", "table": "t", "call": {"key": [{"name": "a"}, {"name": "a b"}]}}
SINGLE = {"kind": "rows", "table": "t", "call": {"key": [{"name": "id"}]}}
DOCUMENT = {"kind": "documents", "table": "t"}


@pytest.mark.parametrize(
    ("model", "key", "values"),
    [
        (SINGLE, "5", {"id": "5"}),
        (SINGLE, 5, {"id": "5"}),
        (SINGLE, ["x=y z"], {"id": "x=y z"}),
        (SINGLE, "id=id=5", {"id": "id=5"}),
        (SINGLE, '{"id":1.50}', {"id": "1.50"}),
        (SINGLE, '{"x":1}', {"id": '{"x":1}'}),
        (PAIR, "a=1 a b=x y", {"a": "1", "a b": "x y"}),
        (PAIR, ["a b= x ", "a=1 a b=2"], {"a": "1 a b=2", "a b": " x "}),
        (PAIR, {"a b": True, "a": 1}, {"a": "1", "a b": "true"}),
    ],
)
def test_keys(model: dict[str, Any], key: Any, values: dict[str, str]):
    assert key_asked(model, key) == {"values": values}


@pytest.mark.parametrize(
    ("key", "candidates"),
    [
        ("42", ["42", '"42"']),
        ("ann", ['"ann"']),
        ('{"$oid": "596e275826f08b2730779e1f"}', ['{"$oid":"596e275826f08b2730779e1f"}']),
        (["596e275826f08b2730779e1f"], ['{"$oid":"596e275826f08b2730779e1f"}']),
        ({"$oid": "596e275826f08b2730779e1f"}, ['{"$oid":"596e275826f08b2730779e1f"}']),
    ],
)
def test_ids_of_documents(key: Any, candidates: list[str]):
    found = key_asked(DOCUMENT, key)["candidates"]
    assert found[: len(candidates)] == candidates


def test_a_dropped_table_removes_its_rows():
    drop = {
        **{"topic": "ddl", "partition": 0, "offset": 7, "is_drop": True},
        **{"source_at": None, "timestamp": "2026-01-01"},
    }
    event = {
        **{"event_id": "t:0:1", "topic": "t", "is_applied": True, "is_upsert": True, "row": {}},
        **{"kind": "stream", "verdict": "change", "removed_by": [drop], "closed_by": []},
        **{"source_at": None, "recorded_at": "2025-01-01", "batch_id": 1, "op": "c"},
    }
    facts: dict[str, Any] = {"quarantined": [], "state": []}
    outcome = of_events({"source": "s", "table": "t"}, "1", [event], facts, None)["outcome"]

    assert outcome["what"] == "drop"
    assert outcome["text"].endswith("removed with its dropped table: ddl:0:7 at 2026-01-01.")


def test_chains_of_keys():
    links = [
        '{"row_key": "c", "life": 1, "origin_key": "b", "origin_life": 1, "origin_arrival": 2}',
        '{"row_key": "b", "life": 1, "origin_key": "a", "origin_life": 0, "origin_arrival": 3}',
        '{"row_key": "a", "life": 0, "origin_key": "b", "origin_life": 1, "origin_arrival": 4}',
    ]
    found = [
        (link["row_key"], link["origin_key"], link["depth"]) for link in read([chains(links)])[0]
    ]
    assert found == [("c", "b", 1), ("c", "a", 2), ("b", "a", 1), ("a", "b", 1)]


CALL = (
    "{{ debezium_spark.staging(source='shop', raw=ref('raw_shop'), topics=['shop.public.t'],"
    " table='public.t', key=[{'name': 'id', 'type': 'int32'}],"
    " columns=[{'name': 'id', 'type': 'int32'}]) }}"
)
STATE = (
    "{{ debezium_spark.state(source='shop', table='public.t', staging=ref('stg_t'), key=['id'],"
    " columns=debezium_spark.table_columns(ref('stg_t'))) }}"
)


def variable(name: str, default: Any = None) -> Any:
    """Return the value of dbt's vars: the sources."""
    files = {"type": "files", "path": "records"}
    source = {"connector": "postgresql", "topic_prefix": "shop", "input": files}
    return {"debezium_sources": {"shop": source}}.get(name, default)


def nodes(table: str) -> dict[str, dict[str, Any]]:
    """Return the nodes of a table's models, as `generate` describes them."""
    meta = {"debezium_spark": {"source": "shop", "table": argument_text(table)}}
    return {
        f"model.p.{name}": {
            "name": name,
            "alias": name,
            "resource_type": "model",
            "language": "sql",
            "config": {"meta": meta},
            "raw_code": code,
        }
        for name, code in (("stg_t", CALL), ("state_t", STATE))
    }


@pytest.mark.parametrize("table", ["public.t", "public.it's {{ odd }}", "public.größe\n"])
def test_a_table_is_found_by_its_name_at_the_source(table: str) -> None:
    assert find_table(nodes(table), table, None, variable)["table"] == table
    assert find_table(nodes(table), "state_t", "shop", variable)["table"] == table


def test_what_is_close_is_named() -> None:
    told = find_table(nodes("public.it's"), "public.its", None, variable)

    assert told == {"problem": "no table public.its.", "remedy": "Known: public.it's."}
