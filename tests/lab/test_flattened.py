"""Flattened records, from landing to `cur_`, as `generate` writes the models."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from dev.simulator import random_features, random_history
from dev.simulator.flatten import Transform
from reference import KafkaRecord
from tests.property.flattened import ALL_FIELDS, flattened_history, transform_of
from tests.property.histories import expected_values
from tests.property.plain_values import comparable
from tests.support.lab_source import LabSource

FEATURES = {
    "key": "single", "schemas": "with", "truncates": False, "toast": False, "compressed": False,
    "headers": "all", "compaction": False, "max_before": False,
    # A schema does not tell bytes that are sent as text from text.
    "binary": "bytes",
}  # fmt: skip
CONNECTORS = ("postgresql", "sqlserver", "oracle", "mysql", "mariadb")
PREFIX = "shop"


def history_of(connector, seed):
    """Return a history with changes whose log leads to the table."""
    for number in range(seed, seed + 200):
        features = random_features(random.Random(number), connector, **FEATURES)
        history = random_history(
            number, connector, topic=f"{PREFIX}.public.articles", keys=5, steps=25,
            features=replace(features, restore="no", recreate_topic=False, second_topic=False),
        )  # fmt: skip
        if history.truth_holds and history.complete and len(history.truth) > 1:
            return history
    raise AssertionError("no such history")


def built(spark, connector, records, **options):
    source = LabSource(spark, PREFIX, {"connector": connector, "topic_prefix": PREFIX, **options})
    source.land(records)
    source.build()
    return source


@pytest.mark.covers("form flattened records: every input")
@pytest.mark.parametrize("connector", CONNECTORS)
def test_models_of_flattened_records_show_the_source_table(spark, connector):
    history = history_of(connector, 1)
    transform = transform_of(connector, ALL_FIELDS)
    flattened = flattened_history(history, transform)

    # The types come from the embedded schemas, all else from the connector's configuration.
    options = {k: v for k, v in flattened.source_config().items() if k != "tables"}
    source = built(spark, records=flattened.records, **options)

    (table,) = source.models.values()
    assert source.messages == []
    staged = source.staged(table["table"])
    assert {row["_cdc_errors"] and row["_cdc_errors"][0] for row in staged} == {None}
    assert all(row["_cdc_unmapped"] is None for row in staged)
    call = source._call(next(iter(source.models)))
    names = [column["name"] for column in call["columns"]]
    assert names == [column["name"] for column in history.declared_columns()]
    wanted = sorted(
        (
            tuple(expected_values(history, row)[name] for name in names)
            for row in history.truth.values()
        ),
        key=repr,
    )
    found = [
        tuple(value for name, value in zip(source_names(source), row, strict=True) if name in names)
        for row in next(iter(source.current().values()))
    ]
    assert sorted((tuple(map(comparable, row)) for row in found), key=repr) == wanted
    source.lab.drop()


def source_names(source):
    """Return the names of the columns of the only current table, without those of this package."""
    model = next(iter(source.models))
    return source._columns(source._call(model))


ROW = {"id": 1, "name": "a"}
SCHEMA = {
    "type": "struct",
    "optional": False,
    "name": "shop.public.articles.Value",
    "fields": [
        {"type": "int32", "optional": False, "field": "id"},
        {"type": "string", "optional": True, "field": "name"},
    ],
}


def event(offset, op, before, after, lsn, *, snapshot="false"):
    """Return an envelope of PostgreSQL with its schema, as a record."""
    images = [{**SCHEMA, "optional": True, "field": one} for one in ("before", "after")]
    source_fields = [
        {"type": kind, "optional": True, "field": name}
        for name, kind in (
            ("version", "string"), ("connector", "string"), ("name", "string"),
            ("ts_ms", "int64"), ("snapshot", "string"), ("db", "string"), ("sequence", "string"),
            ("schema", "string"), ("table", "string"), ("lsn", "int64"),
        )
    ]  # fmt: skip
    schema = {
        "type": "struct",
        "optional": False,
        "name": "shop.public.articles.Envelope",
        "fields": [
            *images,
            {"type": "struct", "fields": source_fields, "optional": False, "field": "source"},
            {"type": "string", "optional": False, "field": "op"},
            {"type": "int64", "optional": True, "field": "ts_ms"},
        ],
    }
    payload = {
        "before": before,
        "after": after,
        "source": {
            "version": "3.6.3.Final", "connector": "postgresql", "name": PREFIX,
            "ts_ms": 1_700_000_000_000 + lsn, "snapshot": snapshot, "db": "shop",
            "sequence": f'["{lsn - 1}","{lsn}"]', "schema": "public", "table": "articles",
            "lsn": lsn,
        },
        "op": op,
        "ts_ms": 1_700_000_000_500 + lsn,
    }  # fmt: skip
    key = {"id": (after or before)["id"]}
    return KafkaRecord(
        f"{PREFIX}.public.articles", 0, offset, 1_700_000_001_000 + offset, json.dumps(key),
        json.dumps({"schema": schema, "payload": payload}, separators=(",", ":")),
    )  # fmt: skip


def flattened(records, fields, **options):
    transform = Transform(add_fields=fields, **options)
    return [one for record in records if (one := transform.flatten(record)) is not None]


STORY = [
    event(0, "r", None, {"id": 1, "name": "a"}, 100, snapshot="last"),
    event(1, "c", None, {"id": 2, "name": "b"}, 110),
    event(2, "u", None, {"id": 1, "name": "c"}, 120),
    event(3, "d", {"id": 2, "name": None}, None, 130),
]


def test_envelopes_and_flattened_records_may_share_a_topic(spark):
    records = [*STORY[:2], *flattened(STORY[2:], "op,table,lsn,source.ts_ms")]

    source = built(spark, "postgresql", records, flattened=True)

    assert source.current() == {"public.articles": [(1, "c")]}
    assert [row["_cdc_op"] for row in source.staged("public.articles")] == ["r", "c", "u", "d"]
    assert source.messages == []
    source.lab.drop()


def test_a_delete_without_a_record_key_has_its_key_in_its_row(spark):
    records = flattened(STORY, "op,lsn,source.sequence")
    keyless = [replace(record, key=None) for record in records]

    source = built(
        spark, "postgresql", keyless, flattened=True, tables={"public.articles": {"key": ["id"]}}
    )

    assert source.current() == {"public.articles": [(1, "c")]}
    source.lab.drop()


def test_a_table_without_a_position_is_refused_with_the_line_that_adds_it(spark):
    other = [replace(one, topic=f"{PREFIX}.public.orders") for one in STORY]
    records = [*flattened(STORY, "op,table"), *flattened(other, "op,source.lsn")]

    source = built(spark, "postgresql", records, flattened=True)

    assert list(source.current()) == ["public.orders"]
    (problem,) = [text for text in source.messages if "articles" in text]
    assert problem.endswith(
        "add.fields=op,source.version,source.name,source.db,source.snapshot,source.ts_ms,"
        "source.lsn,source.sequence,source.schema,source.table,ts_ms"
    )
    source.lab.drop()


def test_a_record_without_a_position_among_others_is_quarantined(spark):
    records = [*flattened(STORY[:2], "op"), *flattened(STORY[2:], "op,lsn")]

    source = built(spark, "postgresql", records, flattened=True)

    staged = source.staged("public.articles")
    assert [row["_cdc_op"] for row in staged] == [None, None, "u", "d"]
    assert staged[0]["_cdc_errors"][0].startswith("record: flattened without its position: add.")
    assert any("flattened without a position" in text for text in source.messages)
    source.lab.drop()


def test_without_the_option_flattened_records_are_named_and_not_read(spark):
    source = built(spark, "postgresql", flattened(STORY, "op,lsn"))

    assert source.models == {}
    assert any("add `flattened: true` to debezium_sources.shop" in text for text in source.messages)
    source.lab.drop()


def test_a_column_with_the_prefix_that_is_no_added_field_stays(spark):
    named = [{**ROW, "__mine": 1}]
    records = [
        event(0, "c", None, {"id": 1, "name": "a"}, 100),
        replace(
            flattened([event(1, "u", None, named[0], 110)], "op,lsn")[0],
            value='{"id":1,"name":"z","__mine":5,"__op":"u","__lsn":110,"__deleted":"false"}',
        ),
    ]

    source = built(spark, "postgresql", records, flattened=True)

    staged = source.staged("public.articles")
    assert staged[1]["_cdc_unmapped"] == {"__mine": "5"}
    source.lab.drop()


def test_a_topic_that_names_no_table_needs_the_table_among_the_fields(spark):
    routed = [replace(one, topic=f"{PREFIX}.events") for one in STORY]
    named = [replace(one, topic=f"{PREFIX}.routed") for one in STORY]
    records = [*flattened(routed, "op,lsn"), *flattened(named, "op,lsn,schema,table")]

    source = built(spark, "postgresql", records, flattened=True)

    assert source.current() == {"public.articles": [(1, "c")]}
    (text,) = [text for text in source.messages if "shop.events" in text]
    assert "neither a field nor the topic's name tells their table" in text
    source.lab.drop()


def test_an_added_field_is_no_sign_of_a_made_up_key(spark):
    records = [
        event(0, "c", None, {"id": 0, "name": "a"}, 100),
        event(1, "d", {"id": 0, "name": None}, None, 110),
    ]

    source = built(spark, "postgresql", flattened(records, "op,lsn"), flattened=True)

    assert source.current() == {"public.articles": []}
    assert [row["_cdc_errors"] for row in source.staged("public.articles")] == [None, None]
    source.lab.drop()


def test_a_delete_in_headers_has_its_place_in_the_log(spark):
    """`tombstone` leaves a null value of a delete; repeats of what was before it stay repeats."""
    transform = Transform(add_headers="op,source.lsn,source.sequence", mode="tombstone")
    records = [one for record in STORY if (one := transform.flatten(record)) is not None]
    repeats = [
        replace(record, offset=10 + number, timestamp_ms=record.timestamp_ms + 60_000)
        for number, record in enumerate(records[1:3])
    ]

    source = built(
        spark,
        "postgresql",
        [*records, *repeats],
        flattened={"add_headers": "op,source.lsn,source.sequence"},
    )

    assert source.current() == {"public.articles": [(1, "c")]}
    assert [row["_cdc_op"] for row in source.staged("public.articles")][:4] == ["r", "c", "u", "d"]
    source.lab.drop()


def test_names_in_the_configuration_are_data(spark):
    named = "op:o'p,source.lsn:l`s\"n"
    records = flattened(STORY, named, prefix="$")

    source = built(
        spark,
        "postgresql",
        records,
        flattened={"add_fields": named, "add_fields_prefix": "$"},
    )

    assert source.current() == {"public.articles": [(1, "c")]}
    source.lab.drop()


def test_an_envelope_is_none_of_the_flattened_records_of_an_empty_prefix(spark):
    fields = "op,source.lsn:lsn"
    records = [*STORY[:2], *flattened(STORY[2:], fields, prefix="")]

    source = built(
        spark,
        "postgresql",
        records,
        flattened={"add_fields": fields, "add_fields_prefix": ""},
    )

    assert source.current() == {"public.articles": [(1, "c")]}
    assert [row["_cdc_op"] for row in source.staged("public.articles")] == ["r", "c", "u", "d"]
    source.lab.drop()


def test_times_that_a_sink_made_timestamps_are_read(spark):
    value = {"id": 1, "name": "a", "__op": "c", "__lsn": 100, "__deleted": "false",
             "__source_ts_ms": "2026-11-21T20:48:20.161Z", "__ts_ms": 1795294100229}  # fmt: skip
    typed = [event(0, "c", None, ROW, 90), replace(STORY[1], value=json.dumps(value), offset=1)]

    source = built(spark, "postgresql", typed, flattened=True)

    row = source.staged("public.articles")[1]
    assert str(row["_cdc_source_at"]) == "2026-11-21 20:48:20.161000"
    assert row["_cdc_errors"] is None
    source.lab.drop()
