"""Files that Kafka Connect's object-store sinks wrote land as the records they were."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

from dbt_debezium_spark.inputs.sinks.names import SPREAD
from tests.support import avro_writer, parquet_writer
from tests.support.landing_lake import Lake
from tests.support.sink_writer import write_aiven, write_connect, write_lenses

NOW = 1_795_000_000_123
TOPIC = "p.public.orders"
CONNECT = "org.apache.kafka.connect.data"
FOLDER = f"topics/{TOPIC}/partition=0"
SCHEMA = {
    "type": "struct",
    "fields": [
        {
            "type": "struct",
            "optional": True,
            "field": "after",
            "name": f"{TOPIC}.Value",
            "fields": [
                {"type": "int32", "optional": False, "field": "id"},
                {
                    "type": "bytes",
                    "optional": True,
                    "field": "price",
                    "name": "org.apache.kafka.connect.data.Decimal",
                    "version": 1,
                    "parameters": {"scale": "2", "connect.decimal.precision": "38"},
                },
                {
                    "type": "int64",
                    "optional": True,
                    "field": "at",
                    "name": "io.debezium.time.MicroTimestamp",
                    "version": 1,
                },
                {
                    "type": "map",
                    "keys": {"type": "string", "optional": False},
                    "values": {"type": "string", "optional": True},
                    "optional": True,
                    "field": "tags",
                },
                {"type": "double", "optional": True, "field": "ratio"},
            ],
        },
        {"type": "string", "optional": False, "field": "op"},
        {"type": "int64", "optional": True, "field": "ts_ms"},
    ],
    "optional": False,
    "name": f"{TOPIC}.Envelope",
    "version": 1,
}
BYTES = {"type": "bytes", "optional": False}
KEY_SCHEMA = {
    "type": "struct",
    "fields": [{"type": "int32", "optional": False, "field": "id"}],
    "optional": False,
    "name": f"{TOPIC}.Key",
}


def event(offset: int, **columns: Any) -> str:
    return json.dumps({"op": "c", "after": {"id": offset, **columns}, "ts_ms": NOW + offset})


def record(offset: int, **members: Any) -> dict[str, Any]:
    return {
        "topic": TOPIC,
        "partition": 0,
        "offset": offset,
        "timestamp": NOW + offset,
        "key": json.dumps({"id": offset}),
        "value": event(offset),
        "headers": [{"key": "h", "value": f"v{offset}"}],
        **members,
    }


def with_schema(offset: int, **columns: Any) -> dict[str, Any]:
    row = {"id": offset, "price": "AQ==", "at": -1, "tags": {"a": None}, "ratio": 0.1, **columns}
    payload = {"after": row, "op": "c", "ts_ms": NOW + offset}
    value = json.dumps({"schema": SCHEMA, "payload": payload}, ensure_ascii=False)
    key = json.dumps({"schema": KEY_SCHEMA, "payload": {"id": offset}})
    return record(offset, value=value, key=key)


def landed(lake: Lake, *columns: str) -> list[Any]:
    rows = lake.rows(*columns)
    return [row[0] for row in rows] if len(columns) == 1 else [tuple(row) for row in rows]


def moment(offset: int) -> datetime:
    told = datetime.fromtimestamp((NOW + offset) // 1000, UTC).replace(tzinfo=None)
    return told.replace(microsecond=(NOW + offset) % 1000 * 1000)


@pytest.fixture
def lake(lake: Lake) -> Lake:
    lake.input = {"type": "files", "path": "data", "layout": "connect"}
    return lake


@pytest.mark.covers("form JSON, JSON compressed, strings in JSON, lines of bytes: connect")
def test_every_form_of_lines_lands_with_the_offsets_of_its_names(lake: Lake):
    forms = ("json", "json.gz", "string.json", "bin")
    for number, form in enumerate(forms):
        ours = [record(7 + at, topic=f"p.s.t{number}", partition=number) for at in range(5)]
        write_connect(lake.folder, ours, form=form, flush=2)
    lake.run()

    assert landed(lake, "topic", "partition", "offset") == [
        (f"p.s.t{number}", number, 7 + at) for number in range(len(forms)) for at in range(5)
    ]
    assert landed(lake, "value") == [event(7 + at) for _ in forms for at in range(5)]
    assert landed(lake, "timestamp") == [moment(7 + at) for _ in forms for at in range(5)]
    assert set(landed(lake, "key", "headers", "timestampType")) == {(None, None, None)}
    assert lake.rejected() == []
    before = lake.versions()
    lake.run()
    assert lake.versions() == before


@pytest.mark.full
def test_a_file_that_grows_or_is_replaced_lands_what_is_new(lake: Lake):
    name = f"{FOLDER}/{TOPIC}+0+0000000003.json"
    lines = [event(offset) + "\n" for offset in range(3, 9)]
    lake.write(name, lines[0] + lines[1][:-20])
    lake.run()
    assert (landed(lake, "offset"), lake.rejected()) == ([3], [(name, 2, "truncated_line")])

    lake.write(name, "".join(lines[:4]))
    lake.run()
    assert (landed(lake, "offset"), lake.rejected()) == ([3, 4, 5, 6], [])

    # Redelivered from another first offset on, and the file replaced by a longer one.
    lake.write(f"{FOLDER}/{TOPIC}+0+0000000005.json", "".join(lines[2:5]))
    lake.write(name, "".join(lines))
    lake.run()
    assert (landed(lake, "offset"), lake.rejected()) == ([3, 4, 5, 6, 7, 8], [])
    assert landed(lake, "value") == [line.strip() for line in lines]

    lake.write(f"{FOLDER}/{TOPIC}+0+0000000008.json", event(100))
    lake.run()
    assert landed(lake, "value")[-1] == event(8)
    assert lake.rejected() == [(f"{FOLDER}/{TOPIC}+0+0000000008.json", 1, "conflicting_record")]


@pytest.mark.full
def test_bad_lines_and_names_are_quarantined_with_their_place(lake: Lake):
    other = f"topics/p.public.items/partition=0/{TOPIC}+0+0000000000.json"
    lake.write(
        f"{FOLDER}/{TOPIC}+0+0000000010.json",
        b"\xef\xbb\xbf"
        + event(10).encode()
        + b'\n\n{"op":\n{"op":"\xff"}\n'
        + rb'{"op":"\ud800"}'
        + b"\nnull\n17\n"
        + event(17).encode()
        + b"\n",
    )
    lake.write(other, event(0))
    lake.write(f"{FOLDER}/part-0.json", event(0))
    lake.write(f"{FOLDER}/{TOPIC}+0+0000000090.bin", b"\xff\n\n" + event(92).encode())
    lake.write("topics/x/partition=0/x+0+0000000000.json.gz", b"no gzip")
    lake.write(f"topics/{TOPIC}/tombstone/{TOPIC}+0+0000000011.keys.json", '{"id":1}\n')
    lake.run()

    assert landed(lake, "offset", "value") == [
        (10, event(10)),
        (15, None),
        (16, "17"),
        (17, event(17)),
        (91, ""),
        (92, event(92)),
    ]
    assert lake.rejected() == sorted(
        [
            (f"{FOLDER}/{TOPIC}+0+0000000010.json", 3, "malformed_line"),
            (f"{FOLDER}/{TOPIC}+0+0000000010.json", 4, "malformed_line"),
            (f"{FOLDER}/{TOPIC}+0+0000000010.json", 5, "bad_value"),
            (f"{FOLDER}/{TOPIC}+0+0000000090.bin", 1, "bad_value"),
            (f"{FOLDER}/part-0.json", None, "foreign_file"),
            (other, None, "foreign_file"),
            ("topics/x/partition=0/x+0+0000000000.json.gz", None, "foreign_file"),
        ],
        key=lambda one: (one[0], one[1] or 0),
    )
    before = lake.versions()
    lake.run()
    assert lake.versions() == before


@pytest.mark.covers("form keys, headers: connect")
@pytest.mark.parametrize(
    "form", ["json", *(pytest.param(form, marks=pytest.mark.full) for form in ("avro", "parquet"))]
)
def test_keys_and_headers_are_those_of_the_same_line(lake: Lake, form: str):
    make = record if form == "json" else with_schema
    records = [make(offset) for offset in range(40)]
    records[7] = {**records[7], "value": None}
    write_connect(lake.folder, records, form=form, flush=9, keys=form, headers=form)
    lake.run()

    def payload(text: str) -> Any:
        return json.loads(text) if form == "json" else json.loads(text)["payload"]

    told = [payload(key) for key in landed(lake, "key")]
    ids = [payload(value)["after"]["id"] for value in landed(lake, "value")]
    assert ids == [offset for offset in range(40) if offset != 7]
    assert told == [{"id": one} for one in ids]
    assert landed(lake, "headers") == [[Row(key="h", value=f"v{one}")] for one in ids]
    # Tombstones are left out, so offsets are first offset and place, still in order.
    assert landed(lake, "offset") == sorted(landed(lake, "offset"))
    assert lake.rejected() == []


@pytest.mark.full
def test_values_wait_for_keys_and_late_keys_are_told(lake: Lake):
    def values(first: int) -> str:
        return f"{FOLDER}/{TOPIC}+0+{first:010d}.json"

    def keys(first: int) -> str:
        return f"{FOLDER}/{TOPIC}+0+{first:010d}.keys.json"

    lake.write(values(0), event(0))
    lake.run()
    assert landed(lake, "offset") == [0]
    lake.write(keys(0), '{"id":0}')
    lake.write(values(1), event(1))
    lake.write(keys(1), '{"id":1}')
    lake.run()
    assert landed(lake, "offset", "key") == [(0, None), (1, '{"id":1}')]
    assert lake.rejected() == [(keys(0), None, "foreign_file")]

    lake.write(values(2), event(2))
    before = lake.versions()
    lake.run()
    assert lake.versions() == before
    lake.write(keys(2), '{"id":2}')
    lake.run()
    assert landed(lake, "key") == [None, '{"id":1}', '{"id":2}']

    # A file of keys that is shorter than its values keeps the others back.
    lake.write(values(3), event(3) + "\n" + event(4) + "\n")
    lake.write(keys(3), '{"id":3}\n')
    lake.run()
    assert landed(lake, "key")[3:] == ['{"id":3}']
    assert (values(3), 2, "missing_column") in lake.rejected()
    lake.write(keys(3), '{"id":3}\n{"id":4}\n')
    lake.run()
    assert landed(lake, "key")[3:] == ['{"id":3}', '{"id":4}']
    assert lake.rejected() == [(keys(0), None, "foreign_file")]


@pytest.mark.covers("form Avro containers: connect")
def test_values_of_avro_containers_are_exact(lake: Lake):
    records = [
        with_schema(0, price="S7UcC3w9yZ2v8kQ=", at=-62135596800000001, ratio=0.30000000000000004),
        with_schema(1, price=None, at=None, tags=None, ratio=None),
        with_schema(2, price="gA==", tags={"ключ": "é€😀", "b": ""}, ratio=1e300),
    ]
    content = avro_writer.values_container([one["value"] for one in records], "deflate", 2)
    name = f"{FOLDER}/{TOPIC}+0+0000000005.avro"
    lake.write(name, content)
    lake.run()

    assert landed(lake, "offset") == [5, 6, 7]
    assert landed(lake, "timestamp") == [moment(0), moment(1), moment(2)]
    for value, one in zip(landed(lake, "value"), records, strict=True):
        told, expected = json.loads(value), json.loads(one["value"])
        assert told["payload"] == expected["payload"]
        assert told["schema"] == expected["schema"]


@pytest.mark.full
def test_containers_that_are_damaged_land_what_is_whole(lake: Lake):
    content = avro_writer.values_container([with_schema(n)["value"] for n in range(6)], block=2)
    cut = f"{FOLDER}/{TOPIC}+0+0000000000.avro"
    lake.write(cut, content[:-30])
    lake.write(f"{FOLDER}/{TOPIC}+0+0000000100.avro", b"no container")
    wrong = avro_writer.container({"type": "string"}, [[b"\x02a", b"\x7f"]])
    lake.write(f"{FOLDER}/{TOPIC}+0+0000000200.avro", wrong)
    texts = avro_writer.container({"type": "string"}, [[avro_writer.written_bytes(b"{}")]])
    lake.write(f"{FOLDER}/{TOPIC}+0+0000000300.avro", texts)
    lake.run()

    assert landed(lake, "offset") == [0, 1, 2, 3, 300]
    assert landed(lake, "value")[-1] == "{}"
    assert lake.rejected() == [
        (cut, 5, "truncated_file"),
        (f"{FOLDER}/{TOPIC}+0+0000000100.avro", 1, "foreign_file"),
        (f"{FOLDER}/{TOPIC}+0+0000000200.avro", 1, "malformed_file"),
    ]
    lake.write(cut, content)
    lake.run()
    assert landed(lake, "offset") == [0, 1, 2, 3, 4, 5, 300]


@pytest.mark.full
@pytest.mark.covers("form time and field partitioners: connect")
def test_records_that_a_partitioner_spread_all_land(lake: Lake):
    records = [record(offset) for offset in range(10)]
    write_connect(lake.folder, records, flush=6, partitioner=lambda one: f"odd={one['offset'] % 2}")
    lake.run()

    assert len(landed(lake, "offset")) == 10
    assert sorted(landed(lake, "value")) == sorted(one["value"] for one in records)
    assert landed(lake, "offset") == [
        first * SPREAD + place
        for first, count in ((0, 3), (1, 3), (6, 2), (7, 2))
        for place in range(count)
    ]
    assert lake.rejected() == []


AIVEN: dict[str, dict[str, Any]] = {
    "csv": {},
    "csv_in_another_order": {"fields": ["offset", "headers", "value", "timestamp", "key"]},
    "csv_without_encoding": {
        "fields": ["key", "value", "offset", "timestamp", "headers"],
        "value_encoding": "none",
    },
    "jsonl": {"format": "jsonl"},
    "json": {"format": "json"},
}


@pytest.mark.covers("form JSON, JSON compressed, CSV, keys, headers, tombstones: aiven")
@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, marks=() if case in ("csv", "jsonl") else pytest.mark.full)
        for case in AIVEN
    ],
)
def test_files_of_aivens_sinks_land(lake: Lake, case: str):
    options = AIVEN[case]
    fields = options.get("fields", ["key", "value", "offset", "timestamp", "headers"])
    if case == "csv":
        options = {"fields": fields}
    lake.input = {"type": "files", "path": "data", "layout": "aiven", **options}
    records = [record(offset) for offset in (3, 4, 6, 9)]
    records[2]["value"] = None
    form = options.get("format", "csv")
    write_aiven(
        lake.folder,
        records,
        form=form,
        fields=fields,
        encoding=options.get("value_encoding", "base64"),
        flush=2,
        compression=".gz" if form == "jsonl" else "",
    )
    lake.run()

    assert landed(lake, "topic", "partition", "offset") == [
        (TOPIC, 0, one["offset"]) for one in records
    ]
    assert [None if one is None else json.loads(one) for one in landed(lake, "value")] == [
        None if one["value"] is None else json.loads(one["value"]) for one in records
    ]
    assert [json.loads(one) for one in landed(lake, "key")] == [
        json.loads(one["key"]) for one in records
    ]
    assert landed(lake, "timestamp") == [moment(one["offset"]) for one in records]
    assert landed(lake, "headers") == [[Row(key="h", value=f"v{one['offset']}")] for one in records]
    assert lake.rejected() == []


@pytest.mark.full
@pytest.mark.covers("form CSV: aiven")
def test_values_alone_of_aivens_sinks_get_offsets_from_names(lake: Lake):
    lake.input = {"type": "files", "path": "data", "layout": "aiven"}
    records = [record(offset) for offset in (3, 4, 5)]
    write_aiven(lake.folder, records, fields=["value"], compression=".gz")
    lake.write(f"{TOPIC}-0-9", "not base64!\neyJvcCI6ImMifQ==\na,b\n")
    lake.write("orders.csv", "eyJvcCI6ImMifQ==")
    lake.run()

    assert landed(lake, "offset") == [3, 4, 5, 10]
    assert landed(lake, "value") == [*[one["value"] for one in records], '{"op":"c"}']
    assert lake.rejected() == [
        ("orders.csv", None, "foreign_file"),
        (f"{TOPIC}-0-9", 1, "bad_value"),
        (f"{TOPIC}-0-9", 3, "malformed_line"),
    ]


@pytest.mark.covers(
    "form JSON, JSON compressed, headers, tombstones, time and field partitioners: lenses"
)
def test_envelopes_of_lenses_land_with_their_own_place(lake: Lake):
    lake.input = {"type": "files", "path": "data", "layout": "lenses"}
    records = [record(offset) for offset in (3, 4, 6)]
    records[1]["value"] = None
    *_, last = write_lenses(lake.folder, records, flush=2)
    lake.write(f"{last.relative_to(lake.folder)}.gz", gzip.compress(last.read_bytes()))
    last.unlink()
    lake.write("x/broken.json", event(1) + '\n{"key":1,"metadata":{"topic":"t"}}\n')
    lake.run()

    assert landed(lake, "offset") == [3, 4, 6]
    assert [one and json.loads(one) for one in landed(lake, "value")] == [
        one["value"] and json.loads(one["value"]) for one in records
    ]
    assert landed(lake, "timestamp") == [moment(offset) for offset in (3, 4, 6)]
    assert landed(lake, "headers")[0] == [Row(key="h", value="v3")]
    assert lake.rejected() == [
        ("x/broken.json", 1, "missing_column"),
        ("x/broken.json", 2, "missing_column"),
    ]


@pytest.mark.covers("form Parquet with nested columns: connect")
def test_values_of_parquet_are_exact(lake: Lake, spark: SparkSession):
    """The footer has the Avro schema; Spark would make other values of some columns."""
    row_fields = SCHEMA["fields"][0]["fields"]
    added = [
        {"type": "int32", "optional": True, "field": "day", "name": f"{CONNECT}.Date"},
        {"type": "int32", "optional": True, "field": "clock", "name": f"{CONNECT}.Time"},
        {"type": "int64", "optional": True, "field": "moment", "name": f"{CONNECT}.Timestamp"},
        {"type": "int16", "optional": True, "field": "small"},
        {"type": "array", "optional": True, "field": "list", "items": BYTES},
    ]
    versioned = [{**one, "version": 1} if "name" in one else one for one in added]
    row_schema = {**SCHEMA["fields"][0], "fields": [*row_fields, *versioned]}
    schema = {**SCHEMA, "fields": [row_schema, *SCHEMA["fields"][1:]]}
    more = [
        {"day": -719162, "clock": 86399999, "moment": -62135596799999, "small": -7, "list": []},
        {"day": None, "clock": None, "moment": None, "small": None, "list": None},
        {"day": 2932896, "clock": 0, "moment": 1, "small": 0, "list": ["AP8=", ""]},
    ]
    records = [
        with_schema(0, price="S7UcC3w9yZ2v8kQ=", at=-62135596800000001, ratio=0.30000000000000004),
        with_schema(1, price=None, at=None, tags=None, ratio=None),
        with_schema(2, price="gA==", tags={"ключ": "é€😀", "b": ""}, ratio=1e300),
    ]
    for one, columns in zip(records, more, strict=True):
        payload = json.loads(one["value"])["payload"]
        payload["after"] |= columns
        one["value"] = json.dumps({"schema": schema, "payload": payload})
    write_connect(lake.folder, records, form="parquet", keys="parquet")
    # Of another schema, which looks the same to Spark, and one that a tool wrote again.
    plain = json.loads(json.dumps(SCHEMA).replace("io.debezium.time.MicroTimestamp", "x.Other"))
    other = {"schema": plain, "payload": json.loads(with_schema(9)["value"])["payload"]}
    write_connect(
        lake.folder, [record(9, value=json.dumps(other), key=with_schema(9)["key"])],
        form="parquet", keys="parquet",
    )  # fmt: skip
    zone = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    try:
        lake.run()
    finally:
        spark.conf.set("spark.sql.session.timeZone", zone)

    assert lake.rejected() == []
    assert landed(lake, "offset", "timestamp") == [(at, moment(at)) for at in (0, 1, 2, 9)]
    wanted = [*[json.loads(one["value"]) for one in records], other]
    for value, expected in zip(landed(lake, "value"), wanted, strict=True):
        assert json.loads(value) == expected
    assert [json.loads(key)["payload"] for key in landed(lake, "key")] == [
        {"id": at} for at in (0, 1, 2, 9)
    ]
    before = lake.versions()
    lake.run()
    assert lake.versions() == before


@pytest.mark.covers("form Avro containers, Parquet with nested columns: aiven, lenses")
@pytest.mark.covers("form keys: lenses")
@pytest.mark.parametrize("form", [pytest.param("avro", marks=pytest.mark.full), "parquet"])
@pytest.mark.parametrize("layout", ["aiven", pytest.param("lenses", marks=pytest.mark.full)])
def test_typed_envelopes_are_exact(lake: Lake, layout: str, form: str):
    """The value of a tombstone is null, or as in Avro of Lenses left out."""
    place: dict[str, Any] = {"offset": "int64", "timestamp": "int64"}
    if layout == "lenses":
        place |= {"topic": "string", "partition": "int32"}
    places = [{"type": kind, "optional": True, "field": name} for name, kind in place.items()]
    metadata = [{"type": "struct", "fields": places, "field": "metadata", "name": "Metadata"}]
    texts = {"type": "map", "keys": {"type": "string"}, "values": {"type": "string"}}
    fields = [
        {**KEY_SCHEMA, "optional": True, "field": "key"},
        {**SCHEMA, "optional": True, "field": "value"},
        {**texts, "optional": True, "field": "headers"},
        *(metadata if layout == "lenses" else places),
    ]
    lake.input = {"type": "files", "path": "data", "layout": layout}
    if layout == "aiven":
        lake.input["format"] = form
    told = json.loads(with_schema(4, price="gA==")["value"])
    write = avro_writer.values_container if form == "avro" else parquet_writer.values_file
    for offset, value in ((4, told["payload"]), (6, None)):
        where = {"topic": TOPIC, "partition": 0, "offset": offset, "timestamp": NOW + offset}
        row = {"key": {"id": offset}, "value": value, "headers": {"h": "v"}}
        row |= {"metadata": where} if layout == "lenses" else where
        is_left_out = value is None and (layout, form) == ("lenses", "avro")
        ours = [one for one in fields if not (is_left_out and one["field"] == "value")]
        schema = {"type": "struct", "fields": ours, "name": "Row"}
        name = f"any/{offset}.{form}" if layout == "lenses" else f"{TOPIC}-0-{offset}"
        lake.write(name, write([json.dumps({"schema": schema, "payload": row})]))
    lake.run()

    assert lake.rejected() == []
    assert landed(lake, "topic", "partition", "offset", "timestamp", "headers") == [
        (TOPIC, 0, offset, moment(offset), [Row(key="h", value="v")]) for offset in (4, 6)
    ]
    assert [json.loads(key)["payload"] for key in landed(lake, "key")] == [{"id": 4}, {"id": 6}]
    first, second = landed(lake, "value")
    assert json.loads(first)["payload"] == told["payload"]
    assert second is None


@pytest.mark.full
@pytest.mark.covers("form Parquet with nested columns: connect")
def test_parquet_without_a_schema_of_its_writer_is_read_by_its_columns(
    lake: Lake, spark: SparkSession
):
    source = "named_struct('name', 'p', 'lsn', 7L) as source"
    row = "named_struct('id', 1, 'path', 'a', 'price', cast(1.10 as decimal(10,2)))"
    before = "cast(null as struct<id:int>) as before"
    event = f"select {before}, {row} as after, {source}, 'c' as op, {NOW}L as ts_ms"
    good = f"{FOLDER}/{TOPIC}+0+0000000004.parquet"
    other = f"{FOLDER}/{TOPIC}+0+0000000020.parquet"
    odd = f"{FOLDER}/{TOPIC}+0+0000000030.parquet"
    renamed = f"{FOLDER}/{TOPIC}+0+0000000040.parquet"
    broken = f"{FOLDER}/{TOPIC}+0+0000000050.parquet"
    lake.write(good, parquet_of(lake, spark.sql(event)))
    lake.write(other, parquet_of(lake, spark.sql("select 5 as id, 'x' as path, 6L as ts_ms")))
    invalid = "named_struct('id', 2, 'name', cast(X'ff' as string))"
    lake.write(odd, parquet_of(lake, spark.sql(f"select {invalid} as after, 'c' as op")))
    lake.write(renamed, with_other_columns(with_schema(1)["value"]))
    lake.write(broken, b"PAR1 no Parquet PAR1")
    lake.run()

    assert landed(lake, "topic", "partition", "offset") == [(TOPIC, 0, 4), (TOPIC, 0, 20)]
    first, second = map(json.loads, landed(lake, "value"))
    assert first["payload"]["after"] == {"id": 1, "path": "a", "price": "AAAAAAAAAG4="}
    assert [one["field"] for one in first["schema"]["fields"]][:2] == ["before", "after"]
    assert second["payload"] == {"id": 5, "path": "x", "ts_ms": 6}
    assert [(one[0], one[2]) for one in lake.rejected()] == [
        (odd, "bad_value"), (renamed, "foreign_file"), (broken, "foreign_file"),
    ]  # fmt: skip


@pytest.mark.full
def test_a_damaged_file_of_parquet_stops_no_other(lake: Lake):
    """Nor one that Spark cannot read by itself: a time of day in milliseconds."""
    clock = {"type": "int32", "optional": True, "field": "clock", "name": f"{CONNECT}.Time"}
    schema = {"type": "struct", "fields": [clock], "optional": False, "name": "Row"}
    line = json.dumps({"schema": schema, "payload": {"clock": 7}})
    content = parquet_writer.values_file([line] * 3)
    lake.write(f"{FOLDER}/{TOPIC}+0+0000000000.parquet", content)
    damaged = f"{FOLDER}/{TOPIC}+0+0000000100.parquet"
    lake.write(damaged, content[:4] + bytes(36) + content[40:])
    lake.run()

    assert landed(lake, "offset") == [0, 1, 2]
    assert {json.loads(one)["payload"]["clock"] for one in landed(lake, "value")} == {7}
    assert lake.rejected() == [(damaged, None, "foreign_file")]


@pytest.mark.covers("form flattened records in columns: connect")
def test_flattened_rows_of_parquet_are_values(lake: Lake, spark: SparkSession):
    columns = {"id": 4, "op": "x", "source": "y", "path": "z", "__op": "c", "__lsn": 7}
    fields = [
        {"type": "string" if isinstance(one, str) else "int64", "optional": True, "field": name}
        for name, one in columns.items()
    ]
    schema = {"type": "struct", "fields": fields, "optional": False, "name": f"{TOPIC}.Value"}
    line = json.dumps({"schema": schema, "payload": columns})
    lake.write(f"{FOLDER}/{TOPIC}+0+0000000004.parquet", parquet_writer.values_file([line]))
    row = ", ".join(f"{one!r} as `{name}`" for name, one in columns.items())
    lake.write(
        f"{FOLDER}/{TOPIC}+0+0000000005.parquet", parquet_of(lake, spark.sql(f"select {row}"))
    )
    lake.run()

    assert lake.rejected() == []
    assert [json.loads(one)["payload"] for one in landed(lake, "value")] == [columns, columns]


def parquet_of(lake: Lake, frame: Any) -> bytes:
    """Return a file that Spark wrote."""
    folder = lake.project / f"out-{len(list(lake.project.glob('out-*')))}"
    frame.coalesce(1).write.parquet(str(folder))
    (part,) = folder.glob("*.parquet")
    return part.read_bytes()


def with_other_columns(value: str) -> bytes:
    """Return a file whose columns are not those of the schema that its footer kept."""
    import io

    import pyarrow.parquet as pq

    table = pq.read_table(io.BytesIO(parquet_writer.values_file([value])))
    content = io.BytesIO()
    renamed = table.rename_columns(["was", "op", "ts_ms"])
    pq.write_table(renamed.replace_schema_metadata(table.schema.metadata), content)
    return content.getvalue()


@pytest.mark.full
@pytest.mark.covers("form Parquet with texts: aiven")
def test_parquet_with_texts_lands(lake: Lake, spark: SparkSession):
    lake.input = {"type": "files", "path": "data", "layout": "aiven", "format": "parquet"}
    frame = spark.createDataFrame(
        [('{"id":4}', 4, NOW + 4, {"h": "v"}, event(4)), ('{"id":5}', 5, NOW + 5, {}, None)],
        "key string, offset bigint, timestamp bigint, headers map<string,string>, value string",
    )
    frame.coalesce(1).write.parquet(str(lake.project / "out"))
    (part,) = (lake.project / "out").glob("*.parquet")
    lake.write(f"{TOPIC}-0-4", part.read_bytes())
    lake.run()

    assert landed(lake, "offset", "key", "value", "timestamp") == [
        (4, '{"id":4}', event(4), moment(4)),
        (5, '{"id":5}', None, moment(5)),
    ]
