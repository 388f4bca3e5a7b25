"""What topics carried, grouped from the rows of one query, and evidence that is read once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from dbt_debezium_spark.door.queries import Queries
from dbt_debezium_spark.generator.recorded_schemas import topics_of_schemas


def seen(offset: int, at: int | None, topic: str = "p.t", **members: Any) -> dict[str, Any]:
    first = {"partition": 0, "offset": offset, **({} if at is None else {"at": at})}
    return {"topic": topic, "kind": "data", "first": first, "has_key": False, **members}


def test_rows_of_the_same_fields_are_one_topic_with_its_first_record() -> None:
    rows = [
        seen(3, 20, value_fields=["id"], connector="mysql"),
        seen(7, 10, value_fields=["id"], has_key=True),
        seen(9, 30, value_fields=["id", "a"]),
        seen(1, 1, kind="schema_change"),
        seen(1, 1, kind="other_source"),
        seen(5, 40, "p.s", kind="other"),
    ]
    common = {"topic": "p.t", "kind": "data"}
    ids = {"connector": "mysql", "event_id": "p.t:0:7"}
    assert topics_of_schemas(rows) == [
        {"topic": "p.s", "kind": "other", "has_key": False, "connector": None}
        | {"event_id": "p.s:0:5"},
        {**common, "value_fields": ["id", "a"], "has_key": False, "connector": None}
        | {"event_id": "p.t:0:9"},
        {**common, "value_fields": ["id"], "has_key": True, **ids},
    ]


def test_a_record_without_a_time_is_the_first_one() -> None:
    (topic,) = topics_of_schemas([seen(1, 5), seen(8, None)])
    assert topic["event_id"] == "p.t:0:8"


def test_evidence_is_read_once_for_the_models_of_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    queries = Queries(SimpleNamespace())
    monkeypatch.setattr(queries, "texts", lambda sql: asked.append(sql) or [f"rows of {sql}"])
    assert [queries.evidence(sql) for sql in ("a", "a", "b")] == [
        ["rows of a"],
        ["rows of a"],
        ["rows of b"],
    ]
    assert asked == ["a", "b"]
