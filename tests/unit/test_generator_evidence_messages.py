"""What is told about the evidence of a source as a whole."""

from __future__ import annotations

from typing import Any

import yaml

from dbt_debezium_spark.generator.evidence_messages import Evidence, evidence_messages
from dbt_debezium_spark.generator.messages import message, not_built

ROW = {"topics": ["pg.a"], "schema_name": "public", "table_name": "a"}


CONFIG = {"name": "shop", "topic_prefix": "pg", "signal_data_collection": "x.signals"}


def messages(**changes: Any) -> list[tuple[str, str]]:
    evidence: Evidence = {
        "columns": [ROW],
        "topics": [],
        "unwritten": [],
        "messages": [],
        "disagreements": None,
        **changes,  # type: ignore[typeddict-item]
    }
    found = evidence_messages(CONFIG, evidence)
    return [(one["kind"], one["message"]) for one in found]


def topic(name: str, **changes: Any) -> dict[str, Any]:
    return {"topic": name, "kind": "data", **changes}


def test_a_topic_is_told_once_and_only_where_nothing_describes_it() -> None:
    other = topic("pg.b", schema_name="public", table_name="b", value_fields=["x"])
    topics = [topic("pg.a", schema_name="public", table_name="a"), other, other]
    ((kind, text),) = messages(topics=topics)
    assert kind == "warning"
    assert text == (
        "the records of topic 'pg.b' carry no schema, so the types of table 'public.b' are unknown"
        " (fields seen: x). Declare them: debezium_sources.shop.tables.public.b.columns."
    )


def test_records_of_an_unknown_connector_are_told_with_the_table_to_declare() -> None:
    """The case unknown-connector."""
    seen = {"value_fields": ["id", "a b"], "key_fields": ["id"], "connector": "cockroachdb"}
    resolved = topic("pg.public.accounts", kind="other", event_id="pg.public.accounts:0:4")

    text = messages(topics=[topic("pg.public.accounts", **seen), resolved])[0][1]

    assert text.startswith(
        "the records of topic 'pg.public.accounts' are of connector 'cockroachdb', which is none of"
        " sqlserver, postgresql, oracle, mysql, mariadb, mongodb: their source block has no"
        " database, schema, table and no position in a log"
    )
    declared = text.split("debezium_sources.shop.tables: ")[1].split(". Records")[0]
    assert yaml.safe_load(declared) == {
        "public.accounts": {
            "columns": [{"name": "id", "type": "string"}, {"name": "a b", "type": "string"}]
        }
    }
    ignored = text.split("debezium_sources.shop.ignore_records: ")[1].removesuffix(".")
    assert yaml.safe_load(ignored) == [
        {
            "topic": "pg.public.accounts",
            "partition": 0,
            "offset": 4,
            "reason": "no change event",
        }
    ]


def test_records_of_no_connector_in_a_topic_of_one_name_are_of_the_schema_of_the_prefix() -> None:
    ((_, text),) = messages(topics=[topic("accounts", value_fields=["id"])])

    assert text.startswith("the records of topic 'accounts' name no connector: their source block")
    assert '{"pg.accounts": {columns: [{name: id, type: string}]}}' in text


def test_a_table_like_the_signal_table_is_told_how_to_say_so() -> None:
    fields = ["id", "type", "data"]
    ((_, text),) = messages(
        topics=[topic("pg.s", database_name="inv", table_name="s", value_fields=fields)]
    )
    assert text.endswith(" If it is the signal table: signal_data_collection: inv.s.")
    assert messages(topics=[topic("pg.s", schema_name="x", table_name="signals")]) == []


def test_records_that_are_no_changes_are_left_alone() -> None:
    assert messages(topics=[topic("heartbeat", kind="other")]) == [
        ("note", "topic 'heartbeat' contains records that are no change events; it is ignored.")
    ]


def test_a_topic_with_damaged_schemas_is_told_elsewhere() -> None:
    others = [message("problem", "shop", "b", "of the schema")]
    assert messages(topics=[topic("pg.b")], unwritten=[{"topic": "pg.b"}], messages=others) == [
        ("problem", "of the schema")
    ]


def test_disagreements_are_told_when_there_are_some() -> None:
    assert messages(disagreements={"disagreements": 0}) == []
    ((kind, text),) = messages(disagreements={"disagreements": 3, "example": "e"})
    assert kind == "note" and "disagree in 3 places" in text and text.endswith("One: e.")


def test_an_empty_or_missing_catalog_is_told() -> None:
    ((_, text),) = messages(columns=[])
    assert text == "source 'shop': the records landed so far contain no table."
    assert "the catalog is not built yet" in not_built("shop")["message"]


def of_topics(*topics: Any, flattened: bool = False) -> list[str]:
    evidence: Evidence = {
        "columns": [],
        "topics": topics,
        "unwritten": [],
        "messages": [],
        "disagreements": None,
    }
    config = {"name": "shop", "connector": "mysql", "flattened": {} if flattened else None}
    return [
        one["message"] for one in evidence_messages(config, evidence) if one["kind"] == "warning"
    ]


def test_flattened_records_of_a_source_of_envelopes_are_told_with_the_option() -> None:
    (text,) = of_topics(topic("shop.a", kind="flattened"))
    assert text == (
        "topic 'shop.a' contains flattened records (Debezium's ExtractNewRecordState), which are"
        " read only if the source says so: add `flattened: true` to debezium_sources.shop"
        " (docs/flattened.md)."
    )


def test_records_of_icebergs_transform_are_told_with_the_one_to_use() -> None:
    (text,) = of_topics(topic("shop.a", kind="iceberg_cdc"))
    assert "without a position in the source's log, without a partition" in text
    assert "delete.tombstone.handling.mode=rewrite and add.fields=op,source.version" in text
    assert "source.file,source.pos,source.row" in text


def test_flattened_records_that_name_no_table_are_told_with_the_fields_that_do() -> None:
    seen = topic("events", flattened="+file,pos,row", event_id="events:0:0")
    (text,) = of_topics(seen, flattened=True)
    assert text.startswith("the records of topic 'events' (the first: events:0:0) are flattened,")
    assert "source.table" in text
