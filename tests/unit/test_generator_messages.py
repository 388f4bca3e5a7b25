"""What `generate` says of the evidence of a source."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from dbt_debezium_spark.generator.messages import not_built
from tests.support.evidence_rows import key_schema
from tests.support.generated_text import (
    call_of,
    generate,
    row,
    shop,
    topic_row,
)
from tests.support.said import is_said

KEYED = [row(key=1)]
TOPIC = "pg.public.customers"
OPTION = "debezium_sources.shop"
OF_CUSTOMERS = f"{OPTION}.tables.public.customers"


def schema_row(offset: int, kind: str | None = "stving", topic: str = TOPIC) -> dict[str, Any]:
    """Return the schema of a record whose column `id` has a type that may be no type at all."""
    fields = [{"type": kind, "field": "id"}]
    schema = {"fields": [{"type": "struct", "fields": fields, "field": "after"}]}
    return {
        "topic": topic,
        "event_id": f"{topic}:0:{offset}",
        "table_name": topic.removeprefix("pg."),
        "key_hash": "1",
        "value_hash": str(offset),
        "value_schema": json.dumps(schema),
    }


DAMAGED_KEY = {
    **schema_row(9, topic="pg.events"),
    "value_schema": None,
    "table_name": None,
    "key_schema": key_schema("a").replace("string", "stving"),
}
BEHIND = "position in the log of the source's connector."
OTHER = {"topic_prefix": "stock", "topics": 3, "example": "stock.web.a"}
UNPLACED = {"topic_without_position": TOPIC, "connector": "TiCDC", "example": f"{TOPIC}:0:5"}


def of_tables(**tables: Any) -> dict[str, Any]:
    """Return a source with these options of `public.customers`."""
    return shop(tables={"public.customers": tables})


# What is seen => what is said of it; `…` stands for any words.
SAID: dict[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    "nothing yet": (
        {"rows": []},
        [("note", "source 'shop': the records landed so far contain no table.")],
    ),
    "topics of another connector": (
        {"rows": KEYED, "others": [OTHER, {**OTHER, "connector": "mariadb"}]},
        [
            (
                "note",
                f"source 'shop': its input also contains topics of the {connector} 'stock' (3, one"
                " of them 'stock.web.a'), which are ignored. Add a source for them. If they belong"
                f" to this source, set {OPTION}.topic_prefix: stock.",
            )
            for connector in ("connector", "mariadb connector")
        ],
    ),
    "records without a position, where a table has their topic": (
        {"rows": KEYED, "others": [UNPLACED, {**UNPLACED, "topic_without_position": "pg.x"}]},
        [
            (
                "warning",
                f"source 'shop': records of topic '{TOPIC}' (the first: {TOPIC}:0:5, of connector"
                f" 'TiCDC') have no {BEHIND} …",
            )
        ],
    ),
    "records without schema, whose topic is told once": (
        {"rows": KEYED, "topics": [topic_row(), *[topic_row("visits", value_fields=["id"])] * 2]},
        [
            (
                "warning",
                "the records of topic 'pg.public.visits' carry no schema, so the types of table"
                " 'public.visits' are unknown (fields seen: id). Declare them:"
                f" {OPTION}.tables.public.visits.columns.",
            )
        ],
    ),
    "records like those of the signal table": (
        {"rows": KEYED, "topics": [topic_row("s", value_fields=["id", "type", "data"])]},
        [("warning", "… If it is the signal table: signal_data_collection: public.s.")],
    ),
    "records of no connector in a topic of one name": (
        {"rows": KEYED, "topics": [{"topic": "accounts", "kind": "data", "value_fields": ["id"]}]},
        [
            (
                "warning",
                "the records of topic 'accounts' name no connector: their source block …"
                '{"pg.accounts": {columns: [{name: id, type: string}]}}…',
            )
        ],
    ),
    "records that are no changes": (
        {"rows": KEYED, "topics": [{"topic": "beat", "kind": "other"}]},
        [("note", "topic 'beat' contains records that are no change events; it is ignored.")],
    ),
    "a table without types in the topic of another": (
        {
            "rows": [row(key=1, topics=["pg.all"])],
            "topics": [
                topic_row(topic="pg.all"),
                topic_row("b", topic="pg.all", value_fields=["id", "v"], event_id="pg.all:0:7"),
                topic_row("c", topic="pg.all", kind="other"),
                topic_row(None, topic="pg.all"),
            ],
        },
        [
            (
                "warning",
                "topic 'pg.all' also contains records of table 'public.b' (the first: pg.all:0:7) …"
                f" {OPTION}.tables.public.b.columns…",
            )
        ],
    ),
    "the database of such a table stands in front where a neighbour has its name": (
        {
            "rows": [row(key=1, topics=["pg.all"])],
            "topics": [topic_row(topic="pg.all", database_name="db_2")],
        },
        [("warning", "… contains records of table 'db_2.public.customers' …")],
    ),
    "flattened records of a source of envelopes": (
        {"rows": KEYED, "topics": [{"topic": "pg.a", "kind": "flattened"}]},
        [
            (
                "warning",
                "topic 'pg.a' contains flattened records (Debezium's ExtractNewRecordState), which"
                f" are read only if the source says so: add `flattened: true` to {OPTION}"
                " (docs/flattened.md).",
            )
        ],
    ),
    "records of Iceberg's transform": (
        {
            "rows": KEYED,
            "sources": shop(connector="mysql"),
            "topics": [{"topic": "pg.a", "kind": "iceberg_cdc"}],
        },
        [
            (
                "warning",
                "… without a position in the source's log, without a partition …"
                " delete.tombstone.handling.mode=rewrite and add.fields=op,source.version"
                "…source.file,source.pos,source.row…",
            )
        ],
    ),
    "no disagreements": (
        {
            "rows": KEYED,
            "models": [{"name": "catalog_shop__disagreements"}],
            "disagreements": [{"disagreements": 0}],
        },
        [],
    ),
    "disagreements, with an example": (
        {
            "rows": KEYED,
            "models": [{"name": "catalog_shop__disagreements"}],
            "disagreements": [{"disagreements": 2, "example": "public.t, column a: string"}],
        },
        [
            (
                "note",
                "source 'shop': records, definitions and configuration disagree in 2 places, which"
                " catalog_shop__disagreements lists. One: public.t, column a: string.",
            )
        ],
    ),
    "a table that was renamed at the source": (
        {"rows": [row(key=1, ended_by="renamed to public.clients")]},
        [
            (
                "note",
                "table 'public.customers' was renamed to public.clients at the source; its models"
                " are kept and show the rows it held.",
            )
        ],
    ),
    "a table that was dropped at the source": (
        {"rows": [row(key=1, ended_by="dropped")]},
        [
            (
                "note",
                "table 'public.customers' was dropped at the source; its models are kept, and its"
                " rows end.",
            )
        ],
    ),
    "a column of unknown encoding": (
        {"rows": [*KEYED, row(column="g", position=2, connect_type=None, database_type="point")]},
        [
            (
                "note",
                "column 'g' of table 'public.customers' has the type 'point', which the connector"
                " does not encode in a known way; it is left out (values that arrive are kept in"
                f" _cdc_unmapped). Declare it: {OF_CUSTOMERS}.columns.",
            )
        ],
    ),
    "what configuration tells of a column that is not there": (
        {"rows": KEYED, "sources": of_tables(added_defaults={"x": "1"}, renames={"y": ["z"]})},
        [
            ("note", f"{OF_CUSTOMERS}.renames.y has no effect: …"),
            ("note", f"{OF_CUSTOMERS}.added_defaults.x has no effect: …"),
        ],
    ),
    "an option of a history that names no column": (
        {"rows": KEYED, "sources": of_tables(history={"ignore": ["nmae"]})},
        [("warning", "… names the column 'nmae' (ignore)…")],
    ),
    "a history of a table without a key": (
        {"rows": [row()], "sources": shop(history=True)},
        [("warning", "… no history …nothing shows which of its rows became which…")],
    ),
    "a history that such a table itself asks for": (
        {"rows": [row()], "sources": of_tables(history=True)},
        [("problem", f"…{OF_CUSTOMERS}.key…")],
    ),
    "a feed of a table without a key": (
        {"rows": [row()], "sources": shop(feed=True)},
        [("note", "… has no change feed…")],
    ),
    "a feed that such a table itself asks for": (
        {"rows": [row()], "sources": of_tables(feed=True)},
        [("warning", f"… has no change feed…{OF_CUSTOMERS}.key: [<column>]…")],
    ),
    "a configured name that two databases have": (
        {"rows": [*KEYED, row(key=1, database_name="other")], "sources": of_tables(key=["id"])},
        [
            (
                "warning",
                f"{OF_CUSTOMERS} applies to no table: there are now db.public.customers,"
                " other.public.customers. Write it under each of these names to which it applies.",
            )
        ],
    ),
    "a configured name of one table": ({"rows": KEYED, "sources": of_tables(key=["id"])}, []),
    "records without a key": ({"rows": [row()], "topics": [topic_row(has_key=False)]}, []),
    "records with a known key": ({"rows": KEYED, "topics": [topic_row(key_fields=["id"])]}, []),
}


# The same of damaged schemas.
SAID_OF_SCHEMAS: dict[str, tuple[dict[str, Any], list[tuple[str, str]]]] = {
    "damaged schemas, with the first record": (
        {"rows": KEYED, "schemas": [schema_row(4), schema_row(5, "int33"), schema_row(6, "int32")]},
        [
            (
                "warning",
                f"table 'public.customers': record {TOPIC}:0:4 carries a schema that no converter"
                " writes (and 1 more of its schemas): column `id` has the type `stving`. Its"
                " models are generated from the other records; records with such a schema are"
                f" quarantined. To exclude a record: {OPTION}.ignore_records.",
            )
        ],
    ),
    "damaged schemas of a table that nothing else describes": (
        {"rows": KEYED, "schemas": [schema_row(7, topic="pg.public.unheard")]},
        [
            (
                "problem",
                "table 'public.unheard': record pg.public.unheard:0:7 … No other record describes"
                " the table, so it has no models. …",
            )
        ],
    ),
    "a damaged schema of a record that names no table": (
        {"rows": KEYED, "schemas": [DAMAGED_KEY]},
        [
            (
                "problem",
                "table 'pg.events': record pg.events:0:9 … column `a` has the type `stving`…",
            )
        ],
    ),
    "a topic with damaged schemas is not told as one without schemas": (
        {
            "rows": KEYED,
            "topics": [topic_row("unheard")],
            "schemas": [schema_row(7, topic="pg.public.unheard")],
        },
        [("problem", "table 'public.unheard': …")],
    ),
}


def check_what_is_said(seen: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    _, messages = generate(**seen)
    assert [kind for kind, _ in messages] == [kind for kind, _ in expected], messages
    for (_, text), (_, said) in zip(messages, expected, strict=True):
        assert is_said(said, text), text


@pytest.mark.parametrize("case", SAID)
def test_what_is_said_of_what_is_seen(case: str) -> None:
    check_what_is_said(*SAID[case])


@pytest.mark.covers("case schema-garbage-stops-generate")
@pytest.mark.parametrize("case", SAID_OF_SCHEMAS)
def test_a_table_with_damaged_schemas_is_told_with_the_first_record(case: str) -> None:
    check_what_is_said(*SAID_OF_SCHEMAS[case])


# -- of keys and columns --------------------------------------------------------------------------


@pytest.mark.covers("case string-converter-keys")
@pytest.mark.parametrize("key_fields", [None, ["tenant"]])
def test_keys_that_name_no_column_are_told(key_fields):
    """Of records whose key is a bare value, the sample has no fields at all."""
    topic = topic_row(key_fields=key_fields, has_key=True, value_fields=["id"])
    _, messages = generate([row()], topics=[topic])

    ((kind, message),) = messages
    assert kind == "warning"
    assert "records of table 'public.customers' have keys that name none of its columns" in message
    assert "append-only" in message
    assert f"{OF_CUSTOMERS}.key: [<column>]" in message


@pytest.mark.covers("case keyless-sqlserver-lob-before-3.6")
@pytest.mark.parametrize(
    ("connector", "column", "words"),
    [
        ("sqlserver", {"connect_type": "string"}, "of note that an update does not change, if"),
        ("sqlserver", {"connect_type": "bytes"}, "of note that an update does not change, if"),
        ("sqlserver", {"database_type": "varchar(max)"}, "of note that an update does not change"),
        ("sqlserver", {"database_type": "NVARCHAR(MAX)"}, "of note that an update does not"),
        ("sqlserver", {"database_type": "ntext"}, "of note that an update does not"),
        ("sqlserver", {"database_type": "varchar(40)"}, None),
        ("sqlserver", {"database_type": "tinytext_like"}, None),
        ("sqlserver", {"connect_type": "bytes", "semantic_type": "decimal"}, None),
        ("sqlserver", {"connect_type": "int32"}, None),
        ("sqlserver", {"connect_type": "string", "key": 1}, None),
        ("oracle", {"connect_type": "string"}, "of note, if they are LOBs: updates"),
        ("mysql", {"connect_type": "string"}, None),
    ],
)
def test_values_that_before_lacks_are_told_of_tables_without_a_key(connector, column, words):
    """Before Debezium 3.6 it is NULL there, as if the row had none."""
    _, messages = generate([row(column="note", **column)], shop(connector=connector))

    told = [message for kind, message in messages if kind == "warning"]
    assert [f"`before` lacks values {words}" in one for one in told] == [True] * bool(words)


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
    sources = of_tables(renames={"email": ["mail", "e_mail"]})
    rows = [row(key=1), row(column="email", position=2)]

    files, messages = generate(rows, sources)
    columns = call_of(files, "stg_shop__customers")["columns"]
    assert (columns[1]["formerly"], messages) == (["mail", "e_mail"], [])

    files, ((kind, text),) = generate([*rows, row(column="mail", position=3)], sources)
    assert "formerly" not in call_of(files, "stg_shop__customers")["columns"][1]
    assert kind == "warning" and "mail is a column of the table again" in text


# -- of records that nobody reads -----------------------------------------------------------------


@pytest.mark.covers("trap 38")
def test_rows_of_the_signal_table_ask_for_nothing():
    signals = topic_row("signals", value_fields=["id", "type", "data"])
    for name in ("public.signals", "db.public.signals"):
        sources = shop(signal_data_collection=name)
        assert generate(KEYED, sources, topics=[signals])[1] == []
        shared = [{**signals, "topic": TOPIC}]
        assert generate(KEYED, sources, topics=shared)[1] == []


def test_records_of_an_unknown_connector_are_told_with_the_table_to_declare():
    """The case unknown-connector."""
    seen = {"value_fields": ["id", "a b"], "key_fields": ["id"], "connector": "cockroachdb"}
    topic = {"topic": "pg.public.accounts", "kind": "data", **seen}
    resolved = {
        "topic": "pg.public.accounts",
        "kind": "other",
        "event_id": "pg.public.accounts:0:4",
    }

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


def test_flattened_records_that_name_no_table_are_told_with_the_fields_that_do():
    fields = {"flattened": "+file,pos,row", "event_id": "events:0:0"}
    seen = {"topic": "events", "kind": "data", **fields}
    sources = shop(connector="mysql", flattened=True)
    ((_, text),) = [one for one in generate([], sources, topics=[seen])[1] if one[0] == "warning"]
    assert text.startswith("the records of topic 'events' (the first: events:0:0) are flattened,")
    assert "source.table" in text


def test_a_catalog_that_is_not_built_is_told():
    assert "the catalog is not built yet" in not_built("shop")["message"]
