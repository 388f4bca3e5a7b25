"""What `generate` says of the evidence of a source."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.generator.messages import not_built
from tests.support.generated_text import call_of, evidence_of, generate, row, shop, topic_row
from tests.support.said import is_said, rows_of

KEYED = [row(key=1)]
TOPIC = "pg.public.customers"
OPTION = "debezium_sources.shop"


def schema_row(
    offset: int, kind: str = "stving", topic: str = TOPIC, side: str = "value"
) -> dict[str, Any]:
    """Return the schema of a record whose column `id` has a type that may be no type at all."""
    node = {"type": "struct", "fields": [{"type": kind, "field": "id"}]}
    schema = node if side == "key" else {"fields": [{**node, "field": "after"}]}
    return {
        **topic_row(topic.removeprefix("pg.public.") if side == "value" else None),
        "topic": topic,
        "event_id": f"{topic}:0:{offset}",
        f"{side}_schema": json.dumps(schema),
    }


def of_customers(**options: Any) -> dict[str, Any]:
    """Return a source with these options of `public.customers`."""
    return shop(tables={"public.customers": options})


@pytest.mark.covers(
    "case schema-garbage-stops-generate",
    "case string-converter-keys",
    "case keyless-sqlserver-lob-before-3.6",
    "trap 38",
)
@pytest.mark.parametrize(("seen", "said"), rows_of(__file__, "generator_messages.txt"))
def test_what_is_said_of_what_is_seen(seen: str, said: str) -> None:
    evidence = evidence_of(seen, KEYED, schemas=schema_row)
    if "disagreements" in evidence:
        evidence["models"] = [{"name": "catalog_shop__disagreements"}]

    _, messages = generate(**evidence)

    expected = [one.partition(": ") for one in said.split(" => ") if one]
    assert [kind for kind, _ in messages] == [kind for kind, _, _ in expected], messages
    for (_, text), (_, _, words) in zip(messages, expected, strict=True):
        assert is_said(words, text), text


@pytest.mark.covers("case column-dropped-and-added-again")
def test_a_column_that_was_gone_is_told_and_generated_with_its_place():
    rows = [row(key=1), row(column="v", position=2, gone_until="0200")]
    files, messages = generate(rows)

    ((kind, message),) = messages
    assert kind == "note"
    assert "column 'v' of table 'public.customers' was dropped and added again" in message
    assert "0200" in message
    columns = call_of(files, "stg_shop__customers")["columns"]
    assert [one.get("gone_until") for one in columns] == [None, "0200"]


def test_a_former_name_that_is_a_column_again_is_left_out():
    sources = of_customers(renames={"email": ["mail", "e_mail"]})
    rows = [row(key=1), row(column="email", position=2)]

    files, messages = generate(rows, sources)
    columns = call_of(files, "stg_shop__customers")["columns"]
    assert (columns[1]["formerly"], messages) == (["mail", "e_mail"], [])

    files, ((kind, text),) = generate([*rows, row(column="mail", position=3)], sources)
    assert "formerly" not in call_of(files, "stg_shop__customers")["columns"][1]
    assert kind == "warning" and "mail is a column of the table again" in text


def test_records_of_an_unknown_connector_are_told_with_the_table_to_declare():
    """The case unknown-connector."""
    seen = {"value_fields": ["id", "a b"], "key_fields": ["id"], "connector": "cockroachdb"}
    topic = {"topic": "pg.public.accounts", "kind": "data", **seen}
    resolved = {"topic": topic["topic"], "kind": "other", "event_id": "pg.public.accounts:0:4"}

    (_, text), *_ = generate(KEYED, topics=[topic, resolved])[1]

    assert text.startswith(
        "the records of topic 'pg.public.accounts' are of connector 'cockroachdb', which is none of"
        " sqlserver, postgresql, oracle, mysql, mariadb, mongodb: their source block has no"
        " database, schema, table and no position in a log"
    )
    declared = text.split(f"{OPTION}.tables: ")[1].split(". Records")[0]
    columns = [{"name": "id", "type": "string"}, {"name": "a b", "type": "string"}]
    assert yaml.safe_load(declared) == {"public.accounts": {"columns": columns}}
    ignored = text.split(f"{OPTION}.ignore_records: ")[1].removesuffix(".")
    place = {"topic": "pg.public.accounts", "partition": 0, "offset": 4}
    assert yaml.safe_load(ignored) == [{**place, "reason": "no change event"}]


def test_a_catalog_that_is_not_built_is_told():
    assert "the catalog is not built yet" in not_built("shop")["message"]
