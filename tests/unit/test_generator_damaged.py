"""What `generate` tells of damaged records, and what it leaves as it is because of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dbt_debezium_spark.generator import Change, GeneratedFile, plan_changes
from dbt_debezium_spark.generator.rendering import EVENT_PREFIX, read_events
from tests.support.macros import Macros
from tests.unit.test_generator_macros import CATALOG_MODELS, SHOP, row

TOPIC = "pg.public.customers"


def generated(
    rows: list[dict[str, Any]],
    models: list[dict[str, Any]] | None = None,
    schemas: list[dict[str, Any]] | None = None,
) -> list[dict[str, Any]]:
    queries = {
        "catalog_row": rows,
        "topic_row": [],
        "disagreement_row": [{"disagreements": 0}],
        "other_source_row": [],
        "as schema_row": schemas or [],
    }
    answers = {word: [(json.dumps(one),) for one in found] for word, found in queries.items()}
    macros = Macros(SHOP, answers, [*CATALOG_MODELS, *(models or [])])
    return list(macros.generate(source="shop", part="tables"))


def messages(results: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(one["kind"], one["message"]) for one in results if "message" in one]


def staging_of(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the staging model of the rows as a node of the project."""
    path = "models/staging/shop/stg_shop__customers.sql"
    (text,) = [one["content"] for one in generated(rows) if one.get("path") == path]
    meta = {"debezium_spark": {"source": "shop", "table": "public.customers", "model": "customers"}}
    return [
        {"name": "stg_shop__customers", "raw_code": text, "meta": meta, "path": path},
    ]


WIDE = [row(key=1), row(column="name", position=2), row(column="amount", position=3)]


@pytest.mark.covers("case quarantined-record-decides-layout")
def test_a_column_that_vanishes_is_told_with_the_record_that_says_so():
    narrow = [row(key=1, last_position=f"{TOPIC}:0:3")]
    told = (
        "of table 'public.customers' is no longer generated: record pg.public.customers:0:3"
        " is the last one in the source's log and does not have it. If it is wrong:"
        " debezium_sources.shop.ignore_records."
    )
    assert messages(generated(narrow, staging_of(WIDE))) == [
        ("warning", f"column 'name' {told}"),
        ("warning", f"column 'amount' {told}"),
    ]


def test_a_key_that_vanishes_is_told():
    keyless = [{**one, "is_key": False, "key_position": None} for one in WIDE]
    (message,) = messages(generated(keyless, staging_of(WIDE)))
    assert message[1].startswith("the key (id) of table 'public.customers' is no longer generated")


def test_nothing_is_told_where_nothing_vanishes():
    assert messages(generated(WIDE, staging_of(WIDE))) == []
    assert messages(generated(WIDE, staging_of(WIDE[:1]))) == []


def schema_row(topic: str, offset: int, kind: str = "stving") -> dict[str, Any]:
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


@pytest.mark.covers("case schema-garbage-stops-generate")
def test_a_table_with_damaged_schemas_is_told_with_the_first_record():
    schemas = [
        schema_row(TOPIC, 4),
        schema_row(TOPIC, 5, "int33"),
        schema_row(TOPIC, 6, "int32"),
        schema_row("pg.public.unheard", 7),
    ]
    (known, unknown) = messages(generated([row(key=1)], schemas=schemas))
    assert known == (
        "warning",
        "table 'public.customers': record pg.public.customers:0:4 carries a schema that no"
        " converter writes (and 1 more of its schemas): column `id` has the type `stving`. Its"
        " models are generated from the other records; records with such a schema are quarantined."
        " To exclude a record: debezium_sources.shop.ignore_records.",
    )
    assert unknown[0] == "problem"
    assert "'public.unheard': record pg.public.unheard:0:7" in unknown[1]
    assert "No other record describes the table" in unknown[1]


REFUSED = [*WIDE, row(column="_cdc_mine", position=4)]


def test_a_refused_table_keeps_its_models_and_its_place_in_observability():
    results = generated([*REFUSED, row("orders", key=1)], staging_of(WIDE))
    assert [one["kind"] for one in results if "message" in one] == ["problem"]
    (kept,) = [one for one in results if one["kind"] == "kept"]
    assert kept["path"] == "models/staging/shop/stg_shop__customers.sql"
    (lag,) = [one for one in results if one.get("path", "").endswith("debezium_obs__lag.sql")]
    assert "ref('stg_shop__customers')" in lag["content"]
    assert "ref('stg_shop__orders')" in lag["content"]


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_kept_file_is_not_removed(tmp_path: Path, is_kept: bool):
    name = "models/staging/shop/stg_shop__customers.sql"
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text("-- generated by debezium-spark generate\n")
    event = EVENT_PREFIX + json.dumps({"kind": "kept", "path": name})
    kept = read_events([event]).kept if is_kept else []
    files: list[GeneratedFile] = []
    changes = plan_changes(tmp_path, files, clean_sources=["shop"], kept=kept)
    assert [one.change for one in changes] == ([] if is_kept else [Change.REMOVED])
