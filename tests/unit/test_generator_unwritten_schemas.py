"""Messages about evidence that is left alone: damaged schemas, records of other connectors."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_debezium_spark.generator.invalid_schemas import invalid_schema_messages, invalid_schemas
from dbt_debezium_spark.generator.other_sources import other_source_messages
from tests.support.evidence_rows import events, key_schema, node


def row(offset: int, **members: Any) -> str:
    usual = {"topic": "p.t", "event_id": f"p.t:0:{offset}", "table_name": "dbo.t"}
    return json.dumps({**usual, **members})


GOOD = row(0, value_schema=events(["a"])["value_schema"], key_schema=key_schema("a"))
BAD = row(1, value_schema=events([node("a", "stving")])["value_schema"])
BAD_KEY = row(2, key_schema=key_schema("a").replace("string", "stving"), table_name=None)


def test_only_schemas_that_no_converter_writes_are_reported() -> None:
    found = invalid_schemas([GOOD, BAD, BAD_KEY])

    assert [(one["event_id"], one["problem"]) for one in found] == [
        ("p.t:0:1", "column `a` has the type `stving`"),
        ("p.t:0:2", "column `a` has the type `stving`"),
    ]


@pytest.mark.parametrize(
    ("topics", "kind", "effect"),
    [
        (["p.t"], "warning", "records with such a schema are quarantined."),
        ([], "problem", "so it has no models."),
    ],
)
def test_a_table_without_other_evidence_is_refused(
    topics: list[str], kind: str, effect: str
) -> None:
    (message,) = invalid_schema_messages("s", invalid_schemas([BAD, BAD_KEY]), topics)

    assert (message["kind"], message["table"]) == (kind, "dbo.t")
    assert message["message"].startswith(
        "table 'dbo.t': record p.t:0:1 carries a schema that no converter writes (and 1 more of"
        " its schemas): column `a` has the type `stving`. "
    )
    assert effect in message["message"]


def test_a_record_that_names_no_table_is_reported_by_its_topic() -> None:
    (message,) = invalid_schema_messages("s", invalid_schemas([BAD_KEY]), [])

    assert message["table"] == "p.t"


def test_records_of_other_connectors_are_a_note() -> None:
    other = {"topic_prefix": "q", "topics": 2, "example": "q.t"}
    first, second = other_source_messages(
        "s", [json.dumps(other), json.dumps({**other, "connector": "mysql"})]
    )

    assert first["message"] == (
        "source 's': its input also contains topics of the connector 'q' (2, one of them 'q.t'),"
        " which are ignored. Add a source for them. If they belong to this source, set"
        " debezium_sources.s.topic_prefix: q."
    )
    assert "the mysql connector 'q'" in second["message"]


def test_records_without_a_position_are_a_warning_once_for_each_topic() -> None:
    row = {"topic_without_position": "p.t", "connector": "TiCDC", "example": "p.t:0:5"}
    (told,) = other_source_messages("s", [json.dumps(row)])

    assert told["kind"] == "warning"
    assert told["message"].startswith(
        "source 's': records of topic 'p.t' (the first: p.t:0:5, of connector 'TiCDC') have no"
        " position in the log of the source's connector."
    )
    assert other_source_messages("s", [json.dumps(row)], ["p.t"]) == [told]
    assert other_source_messages("s", [json.dumps(row)], ["p.other"]) == []
