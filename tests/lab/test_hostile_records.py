"""Records that are damaged, or that no connector wrote: each is told, and none stops the others."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

from reference import KafkaRecord
from tests.support.blocks import source_options
from tests.support.catalog_run import CatalogRun
from tests.support.examples import compact
from tests.support.lab import Lab
from tests.support.raw import raw_row

TOPIC = "s.public.t"
ID, NOTE = {"name": "id", "type": "int32"}, {"name": "note", "type": "string"}
COLUMNS = [ID, NOTE]


def source(connector: str = "postgresql", **options: Any) -> dict[str, Any]:
    return {"s": source_options(connector, "s", **options)}


def event(offset: int, after: str, op: str = "c", times: str = '"ts_ms":1', **more: str) -> str:
    before = more.get("before", "null")
    return (
        f'{{"before":{before},"after":{after},"source":{{"db":"d","schema":"public","table":"t",'
        f'"lsn":{offset},{times}}},"op":"{op}","ts_ms":{more.get("ts_ms", "1")}}}'
    )


def staged(
    spark: SparkSession,
    records: list[tuple[str | None, str | None]],
    columns: list[dict[str, Any]] = COLUMNS,
    key: list[dict[str, Any]] | None = None,
    connector: str = "postgresql",
    schemas: str | None = None,
    shared_topic: bool = False,
    **options: Any,
) -> list[Row]:
    """Stage records, given as key and value, and return their rows in order."""
    lab = Lab(spark)
    rows = [
        raw_row(KafkaRecord(TOPIC, 0, offset, 1_700_000_000_000, *record), 1)
        for offset, record in enumerate(records)
    ]
    lab.append("raw", lab.rows(rows))
    lab.stage(
        source(connector, **options),
        "s",
        "raw",
        "stg",
        topics=[TOPIC],
        table="public.t",
        key=[ID] if key is None else key,
        columns=columns,
        schemas=schemas,
        shared_topic=shared_topic,
    )
    return lab.tables[lab.name("stg")].orderBy("_cdc_offset").collect()


def image(number: int, note: str = "fine") -> str:
    return f'{{"id":{number},"note":"{note}"}}'


# -- keys ------------------------------------------------------------------------------------------

NO_KEYS = [
    '"x"', "{}", '{"id":', '{"id":2,"id":2}', '{"if":2}', "[2]", '{"id":"x"}', '{"id":{"id":2}}',
    '{"id":2.5}', "true", "2}garbage", '2,"x":3', "Struct{id=x}", "Struct{if=2}",
    '{"id":2147483648}',
    '{"schema":{"type":"struct"},"payload":{"id":"x"}}',
    '{"schema":{"type":"struct"},"payload":{"id":2,"id":2}}',
]  # fmt: skip


@pytest.fixture(scope="module")
def with_wrong_keys(spark: SparkSession) -> list[Row]:
    records = [('{"id":1}', event(0, image(1)))]
    for key in NO_KEYS:
        records += [(key, event(len(records), image(2, "evil twin"))), (key, None)]
    records += [(' {"id": 3} ', event(len(records), image(3))), ("4", event(99, image(4)))]
    return staged(spark, records)


@pytest.mark.covers("case duplicate-key-member-stops-table", "case key-of-another-form-is-folded")
def test_a_key_that_cannot_be_read_is_no_row_of_its_own(with_wrong_keys):
    wrong = with_wrong_keys[1:-2]
    told = [row["_cdc_errors"] for row in wrong]
    expected = [f"record: the key is not (id): {key}" for key in NO_KEYS for _ in range(2)]
    assert told == [[one] for one in expected]
    assert {(row["_cdc_op"], row["_cdc_key"]) for row in wrong} == {(None, None)}


@pytest.mark.covers("case key-of-another-form-is-folded")
def test_records_beside_a_wrong_key_are_read(with_wrong_keys):
    fine = [with_wrong_keys[0], *with_wrong_keys[-2:]]
    assert [(row["_cdc_key"], row["_cdc_op"], row["_cdc_errors"]) for row in fine] == [
        (f'{{"id":{number}}}', "c", None) for number in (1, 3, 4)
    ]


def test_a_text_key_takes_any_scalar_and_no_cut_object(spark):
    name = {"name": "name", "type": "string"}
    keys = ['"x"', "plain words", '2,"x":3', '{"name":', "Struct{names=x}", '{"name":"y"}']
    records = [(key, event(0, '{"name":"z"}')) for key in keys]
    rows = staged(spark, records, columns=[name], key=[name])
    assert [row["_cdc_key"] for row in rows] == [
        '{"name":"x"}',
        '{"name":"plain words"}',
        '{"name":"2,\\"x\\":3"}',
        None,
        None,
        '{"name":"y"}',
    ]


def test_a_key_of_other_columns_of_the_table_is_another_identity(spark):
    """Until the models know a key that was changed by DDL (docs/schema-changes.md)."""
    records = [
        ('{"id":1,"note":"a"}', event(0, image(1, "a"))),
        ('{"id":1,"new":2}', event(1, '{"id":1,"note":"a","new":2}')),
        ('{"id":1,"unheard":2}', event(2, image(1))),
        ('{"id":1,"note":"a"}', None),
    ]
    rows = staged(spark, records)
    assert [row["_cdc_key"] for row in rows] == [
        '{"id":"1","note":"a"}', '{"id":"1","new":"2"}', None, '{"id":"1","note":"a"}',
    ]  # fmt: skip


def test_a_null_in_a_key_is_part_of_it(spark):
    (row,) = staged(spark, [('{"id":null,"note":"a"}', event(0, image(1)))], key=COLUMNS)
    assert (row["_cdc_key"], row["_cdc_errors"]) == ('{"id":null,"note":"a"}', None)


# -- members and times -----------------------------------------------------------------------------


@pytest.mark.parametrize("connector", ["postgresql", "mysql", "sqlserver", "oracle"])
def test_a_column_that_stands_twice_in_an_image_is_told(spark, connector):
    records = [
        ('{"id":1}', event(0, '{"id":1,"note":"a","note":"b"}')),
        ('{"id":1}', event(1, '{"id":1,"note":"a","other":"b"}')),
        ('{"id":1}', event(2, image(1), op="u", before='{"id":1,"note":"a","note":"b"}')),
        ('{"id":1}', event(3, image(1), op="u", before=image(1))),
    ]
    rows = staged(spark, records, connector=connector)
    twice = "record: a column stands twice in `{}`"
    assert [row["_cdc_errors"] for row in rows] == [
        [twice.format("after")],
        None,
        # PostgreSQL's is not read: only where it is complete
        None if connector == "postgresql" else [twice.format("before")],
        None,
    ]


OF_SOURCE = "the time of the source is none: "
OF_EVENT = "the time of the event is none: "
TIMES = [
    ('"ts_ms":1790000000000000000', "1", OF_SOURCE + "1790000000000000000"),
    ('"ts_ms":-9223372036854775808', "1", OF_SOURCE + "-9223372036854775808"),
    ('"ts_us":9223372036854775807', "1", OF_SOURCE + "9223372036854775807"),
    ('"ts_ms":253402300800000', "1", OF_SOURCE + "253402300800000"),
    ('"ts_ms":"soon"', "1", OF_SOURCE + "soon"),
    ('"ts_us":1e999,"ts_ms":{}', "1", OF_SOURCE + '"Infinity"'),
    ('"ts_ms":1', "99999999999999999999", OF_EVENT + "99999999999999999999"),
    ('"ts_us":253402300799999999', "-62000000000000", None),
    ('"ts_us":1e999,"ts_ms":1', "1", None),
    ('"ts_ms":"1"', '"1"', None),
    ('"ts_ms":null', "null", None),
    ('"ts_ms":"2026-11-21 20:48:20"', '"2026-11-21T20:48:20.5Z"', None),
    ('"ts_ms":"21.11.2026"', "1", OF_SOURCE + "21.11.2026"),
    ('"ts_ms":"2026-13-21 20:48:20"', "1", OF_SOURCE + "2026-13-21 20:48:20"),
    ('"ts_ms":"2026"', "1", None),
]


@pytest.mark.covers("case envelope-time-as-text", "case ts_ms-overflow-stops-table")
def test_a_time_that_is_none_is_told(spark):
    records = [
        ('{"id":1}', event(offset, image(1), times=times, ts_ms=ts_ms))
        for offset, (times, ts_ms, _) in enumerate(TIMES)
    ]
    rows = staged(spark, records)
    assert [row["_cdc_errors"] for row in rows] == [told and [told] for *_, told in TIMES]
    # no time is needed to know what an event says of its row
    assert {(row["_cdc_op"], row["_cdc_key"]) for row in rows} == {("c", '{"id":1}')}
    # nor is a number of the transaction topic
    records = [
        (key, value.replace('"op":', '"transaction":{"id":"5","total_order":"x"},"op":', 1))
        for key, value in records[:1]
    ]
    (numbered,) = staged(spark, records)
    assert numbered["_cdc_op"] == "c" and numbered["_cdc_tx_id"] == "5"
    assert numbered["_cdc_errors"][-1] == "transaction.total_order is no number: x"
    texts = [row for row in rows if row["_cdc_offset"] == len(TIMES) - 4]
    assert [str(row["_cdc_source_at"]) for row in texts] == ["2026-11-21 20:48:20"]


def test_documents_are_judged_likewise(spark):
    keys = ['{"id":"1"}', '{"id":"1","id":"2"}', '{"id":"{\\"a\\":"}', "[1]", '{"of":"1"}', "{}"]
    far = '{"id":"{\\"$date\\": 9223372036854775807}"}'
    value = '{"op":"c","after":"{\\"_id\\": 1}","source":{"db":"d","collection":"c","ts_ms":%s}}'
    records = [(key, value % 1) for key in keys]
    records += [('{"id":"1"}', value % 1790000000000000000), (far, value % 1), (keys[1], None)]
    lab = Lab(spark)
    lab.append(
        "raw",
        lab.rows(
            raw_row(KafkaRecord(TOPIC, 0, offset, 1, *record), 1)
            for offset, record in enumerate(records)
        ),
    )
    lab.stage_documents(source("mongodb"), "s", "raw", "stg", topics=[TOPIC], table="d.c")
    rows = lab.tables[lab.name("stg")].orderBy("_cdc_offset").collect()
    told = [(row["_cdc_errors"] or [None])[0] for row in rows]
    assert told == [
        None,
        *(f"record: the key is not (id): {key}" for key in keys[1:]),
        "the time of the source is none: 1790000000000000000",
        None,
        f"record: the key is not (id): {keys[1]}",
    ]
    assert rows[7]["_cdc_key"] == '{"$date":9223372036854775807}'


# -- schemas ---------------------------------------------------------------------------------------


def with_schema(offset: int, after: str, fields: list[dict[str, Any]]) -> tuple[str, str]:
    row = {"type": "struct", "fields": fields, "optional": True}
    schema = {"type": "struct", "fields": [{**row, "field": "before"}, {**row, "field": "after"}]}
    key_schema = {"type": "struct", "fields": fields[:1], "optional": False}
    number = json.loads(after)["id"]
    return (
        f'{{"schema":{compact(key_schema)},"payload":{{"id":{number}}}}}',
        f'{{"schema":{compact(schema)},"payload":{event(offset, after)}}}',
    )


FIELDS = [{"type": "int32", "field": "id"}, {"type": "string", "optional": True, "field": "note"}]
STVING = [FIELDS[0], {**FIELDS[1], "type": "stving"}]
STVUCT = [{**FIELDS[0], "type": "int23"}, FIELDS[1]]
WIDER = [*FIELDS, {"type": "string", "optional": True, "field": "new"}]
NARROWER = FIELDS[:1]


@pytest.fixture(scope="module")
def with_schemas(spark: SparkSession) -> list[Row]:
    records = [
        with_schema(0, image(1), FIELDS),
        with_schema(1, image(1), STVING),
        with_schema(2, image(1), STVUCT),
        with_schema(3, '{"id":1}', FIELDS),
        with_schema(4, '{"id":1}', NARROWER),
        with_schema(5, '{"id":1,"new":"x"}', WIDER),
        with_schema(6, '{"id":1,"note":"x","new":"y"}', WIDER),
        ('{"id":1}', event(7, '{"id":1}')),
    ]
    run = CatalogRun(spark, source())
    run.land(
        [
            {
                "topic": TOPIC, "partition": 0, "offset": offset, "timestamp": 1,
                "key": key, "value": value,
            }
            for offset, (key, value) in enumerate(records)
        ]
    )  # fmt: skip
    return staged(spark, records, schemas=run.build().schemas)


@pytest.mark.covers("case bitflip-in-schema-stops-table")
def test_a_schema_that_no_converter_writes_is_told_and_stops_nothing(with_schemas):
    rows = with_schemas
    told = "record: no converter writes its schema: column `{}` has the type `{}`"
    assert rows[0]["_cdc_errors"] is None
    assert rows[1]["_cdc_errors"] == [told.format("note", "stving")]
    assert rows[2]["_cdc_errors"] == [told.format("id", "int23")]
    assert [row["_cdc_op"] for row in rows[:3]] == ["c", None, None]


def test_a_column_that_the_schema_has_and_the_row_lacks_is_told(with_schemas):
    lacks = "note: not in the row, but in the schema of its record"
    rows = with_schemas[3:]
    assert [row["_cdc_errors"] for row in rows] == [[lacks], None, [lacks], None, None]
    # the event counts, as with any value that cannot be read
    assert {(row["_cdc_op"], row["_cdc_key"]) for row in rows} == {("c", '{"id":1}')}


# -- values ----------------------------------------------------------------------------------------

VARIABLE = {"type": "struct", "semantic": "io.debezium.data.VariableScaleDecimal"}
BITS = {"type": "bytes", "semantic": "io.debezium.data.Bits", "parameters": {"length": "3"}}
VALUES: list[tuple[dict[str, Any], str, str | None]] = [
    (VARIABLE, '{"scale":2000000000,"value":"AQ=="}', None),
    (VARIABLE, '{"scale":-2000000000,"value":"AQ=="}', None),
    (VARIABLE, '{"scale":16383,"value":"AQ=="}', "0." + "0" * 16382 + "1"),
    (VARIABLE, '{"scale":-3,"value":"AQ=="}', "1000"),
    (VARIABLE, '{"scale":0,"value":"' + "AAAA" * 1366 + '"}', None),
    ({"type": "double"}, "1e999", None),
    ({"type": "double"}, '"1e999"', None),
    ({"type": "double"}, '"-Infinity"', "-Infinity"),
    ({"type": "double"}, '"NaN"', "NaN"),
    ({"type": "float"}, "1e300", None),
    ({"type": "float"}, "1.5", "1.5"),
    ({"type": "map"}, '{"a":"1","a":"2"}', None),
    ({"type": "map"}, '{"a":"1","b":"2"}', '{"a":"1","b":"2"}'),
    (
        {"type": "struct", "semantic": "io.debezium.data.geometry.Point"},
        '{"x":1.5,"x":2,"y":1}',
        None,
    ),
    ({"type": "int64", "semantic": "io.debezium.time.MicroTime"}, "-9223372036854775808", None),
    ({"type": "int64", "semantic": "io.debezium.time.Timestamp"}, "9223372036854775807", None),
    (BITS, '"////"', "111"),
]


@pytest.mark.covers("case variable-scale-kills-jvm")
def test_a_value_that_would_stop_the_table_is_told(spark):
    columns = [ID, *({**column, "name": f"v{n}"} for n, (column, *_) in enumerate(VALUES))]
    members = ",".join(f'"v{number}":{text}' for number, (_, text, _) in enumerate(VALUES))
    (row,) = staged(spark, [('{"id":1}', event(0, f'{{"id":1,{members}}}'))], columns=columns)
    found = [row[f"v{number}"] for number in range(len(VALUES))]
    shown = [
        compact(one) if isinstance(one, dict) else None if one is None else str(one)
        for one in found
    ]
    shown = [{"nan": "NaN", "-inf": "-Infinity"}.get(one, one) for one in shown]
    assert shown == [wanted for *_, wanted in VALUES]
    unread = [f"v{number}" for number, (*_, wanted) in enumerate(VALUES) if wanted is None]
    assert [error.split(":")[0] for error in row["_cdc_errors"]] == unread


# -- records taken out -----------------------------------------------------------------------------


def ignored(*offsets: int) -> list[dict[str, Any]]:
    return [
        {"topic": TOPIC, "partition": 0, "offset": one, "reason": f"it's {one}"} for one in offsets
    ]


@pytest.mark.parametrize("shared_topic", [False, True])
def test_nothing_is_read_from_an_ignored_record(spark, shared_topic):
    records = [
        ('{"id":1}', event(0, image(1))),
        ('{"id":2}', event(1, image(2))),
        ('{"id":1}', None),
        ('{"id":3}', event(3, image(3))),
    ]
    elsewhere = {"topic": "s.public.other", "partition": 0, "offset": 0, "reason": "x"}
    rows = staged(
        spark, records, shared_topic=shared_topic, ignore_records=[*ignored(1, 2), elsewhere]
    )
    assert [row["_cdc_offset"] for row in rows] == [0, 1, 2, 3]
    assert [row["_cdc_op"] for row in rows] == ["c", None, None, "c"]
    assert [row["_cdc_errors"] for row in rows] == [
        None, ["record: ignored: it's 1"], ["record: ignored: it's 2"], None,
    ]  # fmt: skip
    told = {
        row["_cdc_event_id"]: (row["id"], row["_cdc_key"], row["_cdc_pos"]) for row in rows[1:3]
    }
    assert set(told.values()) == {(None, None, None)}


def test_nothing_is_read_from_an_ignored_document(spark):
    value = '{"op":"c","after":"{\\"_id\\": 1}","source":{"db":"d","collection":"c","ts_ms":1}}'
    lab = Lab(spark)
    lab.append("raw", lab.rows([raw_row(KafkaRecord(TOPIC, 0, 0, 1, '{"id":"1"}', value), 1)]))
    sources = source("mongodb", ignore_records=ignored(0))
    lab.stage_documents(sources, "s", "raw", "stg", topics=[TOPIC], table="d.c")
    (row,) = lab.tables[lab.name("stg")].collect()
    assert (row["_cdc_op"], row["_cdc_key"], row["after"]) == (None, None, None)
    assert row["_cdc_errors"] == ["record: ignored: it's 0"]


def test_an_ignored_record_is_no_evidence_of_a_layout(spark):
    key, value = with_schema(0, image(1), FIELDS)
    wide_key, wide = with_schema(1, '{"id":1,"note":"x","new":"y"}', WIDER)
    run = CatalogRun(spark, source(ignore_records=ignored(1)))
    places = {"topic": TOPIC, "partition": 0, "timestamp": 1}
    run.land(
        [
            {**places, "offset": 0, "key": key, "value": value},
            {**places, "offset": 1, "key": wide_key, "value": wide},
        ]
    )
    assert run.build().columns("column_name") == [("id",), ("note",)]
