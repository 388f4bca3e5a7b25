"""Collections and their fields, as Python decides them."""

from __future__ import annotations

from typing import Any

from dbt_debezium_spark.generator.origins import OriginRules
from dbt_debezium_spark.generator.recorded_collections import (
    collection_catalog,
    collections_of_rows,
    described_collection,
)

CONFIG: dict[str, Any] = {"name": "content", "signal_data_collection": "inv.signals"}
RULES: OriginRules = {
    "members": ["name", "db", "collection"],
    "columns": {
        "name": ["topic_prefix"],
        "db": ["schema_name", "database_name"],
        "collection": ["table_name"],
    },
    "included": [
        {
            "table": "inv.a",
            "own": {"db": "inv", "collection": "a"},
            "members": {"db": "old", "collection": "a"},
        }
    ],
}


def found(*rows: tuple[str, ...]) -> list[dict[str, Any]]:
    return collections_of_rows(CONFIG, RULES, rows)


def test_topics_of_a_collection_stand_once_and_the_signals_nowhere() -> None:
    rows = [("inv", "a", "t1", "p"), ("inv", "a", "t2", "p"), ("inv", "a", "t1", "p")]
    (one,) = found(*rows, ("inv", "signals", "t1", "p"))
    assert (one["name"], one["model"], one["topics"]) == ("inv.a", "a", ["t1", "t2"])
    assert "is_shared_topic" not in one


def test_what_a_collection_includes_is_of_its_origins() -> None:
    one, other = found(("inv", "a", "t", "p"), ("inv", "b", "t", "p"))
    own = {"name": "p", "db": "inv", "collection": "a"}
    assert one["origins"] == [own, {**own, "db": "old"}]
    assert other["origins"] == [{**own, "collection": "b"}]
    assert one["is_shared_topic"] and other["is_shared_topic"]


def test_a_refused_collection_shares_no_topic() -> None:
    one, other = found(("inv", "a", "t", "p"), ("inv", "\n", "t", "p"))
    assert not one["problems"] and other["problems"]
    assert "is_shared_topic" not in one
    told = collection_catalog(CONFIG, [one, other], [], [])["messages"]
    assert {message["kind"] for message in told} == {"problem"}


def test_fields_are_described_by_their_paths_as_plain_words() -> None:
    (one,) = found(("inv", "a", "t", "p"))
    described = described_collection(CONFIG, one, ['{"_id":1,"{{ x }}":{"y":1}}'])
    assert described["evidence"] == "sample"
    (field,) = described["fields"]
    about = described["described"][field["name"]]["about"]
    assert "{" not in about and about.endswith("as JSON text; NULL where it has none.")
    assert [column["data_type"] for column in described["decoded"]] == ["string"] * 3


def test_configured_fields_need_no_sample() -> None:
    (one,) = found(("inv", "a", "t", "p"))
    fields = {"b.c": {"name": "b_c", "type": "int"}}
    config = {**CONFIG, "tables": {"inv.a": {"fields": fields}}}
    described = described_collection(config, one, ["not looked at"])
    assert described["evidence"] == "configuration"
    assert described["fields"] == [{"name": "b_c", "path": "b.c", "type": "int"}]
    none = {**CONFIG, "tables": {"inv.a": {"fields": {}}}}
    assert described_collection(none, one, [])["fields"] == []
