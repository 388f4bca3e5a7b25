"""Records that real Avro converters wrote, decoded: equal to what Kafka's JsonConverter writes."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession

from dbt_debezium_spark.inputs.avro import AvroSettings
from dbt_debezium_spark.inputs.avro.decode import decode
from dbt_debezium_spark.inputs.avro.errors import RegistryError
from dev.servers.registry import Registry
from tests.avro.cases import (
    CORNERS,
    NATIVE,
    corners,
    demo_records,
    examples,
    fields_of,
    row_of,
)
from tests.avro.converters import Converted, convert
from tests.avro.stub_registry import StubRegistry, stub_registry
from tests.type_cases.every import CASES

SCHEMA = "avro_tests"
COLUMNS = "topic string, partition int, offset bigint, key binary, value binary"
# A schema of this example was shortened by hand; the JSON converter does not read it.
UNREADABLE = {"sqlserver_2.1.4_schema_change_create_from_seed.0"}


@dataclass
class Decoded:
    """What the converters wrote, and what `decode` made of it, in the same order."""

    converted: Converted
    rows: list[Any]
    native: list[Any]


@pytest.fixture(scope="module")
def decoded(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Decoded]:
    folder = tmp_path_factory.mktemp("registry")
    groups = [fields_of(connector) for connector in CASES]
    with Registry(folder) as registry:
        fitting = convert(registry, folder, cases=groups).fitting
        types = [
            one
            for connector, places in zip(CASES, fitting, strict=True)
            for one in row_of(connector, places)
        ]
        converted = convert(
            registry,
            folder,
            records=[*examples(), *types, *corners(), *demo_records()],
            native=[{"schema": schema, "value": value} for _, schema, value in NATIVE],
        )
        whole = [one for one in converted.records if "failed" not in one]
        rows = [
            (one["topic"], 0, offset, one["key"]["avro"], one["value"]["avro"])
            for offset, one in enumerate(whole)
        ]
        found = run(
            spark, rows, AvroSettings(registry=registry.confluent), f"{SCHEMA}.raw__schemas"
        )
    with stub_registry() as stub:
        native = []
        for number, (one, (_, schema, _value)) in enumerate(
            zip(converted.native, NATIVE, strict=True), start=1
        ):
            stub.add(number, schema)
            native.append(("native", 0, number, None, framed(number, one["body"])))
        bare = run(spark, native, AvroSettings(registry=stub.address), f"{SCHEMA}.native__schemas")
    yield Decoded(converted, found, bare)


def run(spark: SparkSession, rows: list[Any], settings: AvroSettings, table: str) -> list[Any]:
    frame = decode_rows(spark, rows, settings, table)
    return sorted(frame.collect(), key=lambda row: row.offset)


def decode_rows(
    spark: SparkSession, rows: list[Any], settings: AvroSettings, table: str, columns: str = COLUMNS
) -> DataFrame:
    spark.sql(f"create schema if not exists {SCHEMA}")
    records = spark.createDataFrame(rows, columns)
    return decode(spark, records, settings=settings, table=table, file_format="iceberg")


def framed(schema_id: int, body: bytes) -> bytes:
    return b"\x00" + schema_id.to_bytes(4, "big") + body


def canonical(text: str | None) -> str | None:
    """Return a JSON text with sorted members; pairs of a map are as little in order as members.

    An integer is not equal to a fraction here, and a number not to its text.
    """
    if text is None:
        return None
    record = json.loads(text)
    sort_pairs(record["schema"], record["payload"])
    return json.dumps(record, sort_keys=True)


def sort_pairs(schema: Mapping[str, Any], value: Any) -> None:
    if value is None:
        return
    if schema["type"] == "struct":
        for field in schema["fields"]:
            sort_pairs(field, value[field["field"]])
    elif schema["type"] == "array":
        for item in value:
            sort_pairs(schema["items"], item)
    elif schema["type"] == "map" and isinstance(value, dict):
        for item in value.values():
            sort_pairs(schema["values"], item)
    elif schema["type"] == "map":
        for pair in value:
            sort_pairs(schema["values"], pair[1])
        value.sort(key=json.dumps)


def compare(decoded: Decoded, topic: str | None = None) -> int:
    """Compare all records, or those of a topic; return how many sides were compared."""
    compared = 0
    whole = [one for one in decoded.converted.records if "failed" not in one]
    for record, row in zip(whole, decoded.rows, strict=True):
        if topic not in (None, record["topic"].partition(".")[2]):
            continue
        assert row.reason is None, (record["topic"], row.reason)
        for side in ("key", "value"):
            assert canonical(row[side]) == canonical(record[side]["json"]), record["topic"]
            compared += record[side]["json"] is not None
    return compared


# -- values ---------------------------------------------------------------------------------------


def test_every_record_was_written_by_both_converters(decoded):
    failed = {
        one["topic"].partition(".")[2]: one["failed"]
        for one in decoded.converted.records
        if "failed" in one
    }

    assert set(failed) == UNREADABLE, failed


@pytest.mark.covers("form Avro with a registry: kafka")
def test_every_record_is_equal_to_its_json_form(decoded):
    assert compare(decoded) > 5_000


@pytest.mark.parametrize("connector", CASES)
def test_every_type_is_equal_to_its_json_form(decoded, connector):
    assert compare(decoded, f"types.{connector}") == 4
    first = next(one for one in decoded.rows if one.topic == f"apicurio.types.{connector}")
    # Values that fit no type are left out: they are cases of texts that no converter writes.
    assert len(json.loads(first.value)["payload"]["after"]) > 0.8 * len(CASES[connector])


@pytest.mark.parametrize(("number", "about"), enumerate(CORNERS))
def test_a_corner_is_equal_to_its_json_form(decoded, number, about):
    assert compare(decoded, f"corner.{number}") == 4 * len(CORNERS[about][1])


def test_the_text_begins_as_the_catalog_expects_it(decoded):
    assert all(
        text.startswith('{"schema":{"type":') and ',"payload":' in text
        for row in decoded.rows
        for text in (row.key, row.value)
        if text is not None
    )


@pytest.mark.parametrize(("place", "about"), enumerate(about for about, _, _ in NATIVE))
def test_avro_that_connect_did_not_write_is_what_connect_makes_of_it(decoded, place, about):
    assert decoded.native[place].reason is None
    assert canonical(decoded.native[place].value) == canonical(
        decoded.converted.native[place]["json"]
    )


# -- what is not Avro, and registries -------------------------------------------------------------

ROW = json.dumps(
    {"type": "record", "name": "R", "fields": [{"name": "id", "type": "int"},
                                               {"name": "t", "type": ["null", "string"]}]}
)  # fmt: skip
GOOD = b"\x02\x02\x04ab"


@pytest.fixture
def stub() -> Iterator[StubRegistry]:
    with stub_registry() as server:
        server.add(7, ROW)
        yield server


@pytest.fixture
def table(spark: SparkSession) -> Iterator[str]:
    name = f"{SCHEMA}.some__schemas"
    spark.sql(f"create schema if not exists {SCHEMA}")
    yield name
    spark.sql(f"drop table if exists {name}")


def row(offset: int, value: Any, key: Any = None) -> tuple[Any, ...]:
    return ("p.t", 0, offset, key, value)


def test_a_record_that_is_not_avro_is_rejected_with_a_reason_and_the_rest_is_decoded(
    spark, stub, table
):
    stub.add(8, "syntax = 'proto3';", schemaType="PROTOBUF")
    stub.add(9, '{"type":"record","name":"L","fields":[{"name":"n","type":["null","L"]}]}')
    stub.add(10, '"bytes"')
    rows = [
        row(0, framed(7, GOOD), framed(7, GOOD)),
        row(1, b'{"op":"c"}'),
        row(2, b"\x00\x00"),
        row(3, framed(7, GOOD[:-1])),
        row(4, framed(7, GOOD + b"\x00")),
        row(5, framed(7, b"")),
        row(6, framed(7, b"\x02\x08\x04ab")),
        row(7, framed(8, b"x")),
        row(8, framed(9, b"\x00")),
        row(9, framed(10, b"x")),
        row(10, framed(7, GOOD), b"text"),
        row(11, framed(7, b"\x02\x02\xfe\xff\xff\xff\x0f")),
    ]

    found = run(spark, rows, AvroSettings(registry=stub.address), table)

    assert json.loads(found[0].value)["payload"] == {"id": 1, "t": "ab"}
    assert found[0].key == found[0].value
    assert [one.reason for one in found] == [
        None,
        "bad_value: value: not Avro with a schema id: 10 bytes that begin with 0x7b226f7022",
        "bad_value: value: not Avro with a schema id: 2 bytes that begin with 0x0000",
        *["bad_value: value: not what its schema describes: schema id 7"] * 4,
        "bad_value: value: schema id 8 of topic p.t is in Protobuf, which is not read: let the "
        "connector write JSON (JsonConverter), Avro (AvroConverter) or JSON Schema "
        "(JsonSchemaConverter)",
        "bad_value: value: schema id 9 cannot be written as JSON: `L` contains itself, which JSON "
        "schemas cannot say",
        "bad_value: value: schema id 10 cannot be written as JSON: it is of bytes, which "
        "serializers write without their length",
        "bad_value: key: not Avro with a schema id: 4 bytes that begin with 0x74657874",
        "bad_value: value: not what its schema describes: schema id 7",
    ]
    assert all(one.key is None and one.value is None for one in found[1:])


def test_what_is_no_number_is_text_as_in_the_json_form(spark, stub, table):
    stub.add(1, '{"type":"record","name":"N","fields":[{"name":"f","type":"float"},'
                '{"name":"d","type":{"type":"array","items":"double"}}]}')  # fmt: skip
    values = [math.nan, math.inf, -math.inf, -0.0, 1e-7, 123456789.0]
    rows = [
        row(place, framed(1, struct.pack("<f", one) + b"\x02" + struct.pack("<d", one) + b"\x00"))
        for place, one in enumerate(values)
    ]

    found = run(spark, rows, AvroSettings(registry=stub.address), table)

    assert [json.loads(one.value)["payload"]["d"][0] for one in found] == [
        "NaN", "Infinity", "-Infinity", -0.0, 1e-7, 123456789.0
    ]  # fmt: skip
    # Kafka's converter prints floats with as many digits as tell them apart, like Java.
    assert [one.value.partition('"payload":')[2][:-1] for one in found] == [
        '{"f":"NaN","d":["NaN"]}',
        '{"f":"Infinity","d":["Infinity"]}',
        '{"f":"-Infinity","d":["-Infinity"]}',
        '{"f":-0.0,"d":[-0.0]}',
        '{"f":1.0E-7,"d":[1.0E-7]}',
        '{"f":1.23456792E8,"d":[1.23456789E8]}',
    ]


def test_null_stays_null_and_empty_stays_empty(spark, stub, table):
    rows = [row(0, None), row(1, b"", b""), row(2, None, framed(7, GOOD))]

    found = run(spark, rows, AvroSettings(registry=stub.address), table)

    assert [(one.value, one.reason) for one in found] == [(None, None), ("", None), (None, None)]
    assert [one.key and json.loads(one.key)["payload"] for one in found] == [
        None,
        "",
        {"id": 1, "t": "ab"},
    ]


def test_nothing_framed_needs_no_registry(spark, table):
    settings = AvroSettings(registry="http://127.0.0.1:9")

    found = run(spark, [row(0, None), row(1, b"{}")], settings, table)

    assert [one.reason is None for one in found] == [True, False]


def test_other_columns_stay_and_an_earlier_reason_is_kept(spark, stub, table):
    rows = [
        ("p.t", 0, 0, None, framed(7, GOOD), "too early", 1.5),
        ("p.t", 0, 1, None, None, None, 2.5),
    ]
    columns = f"{COLUMNS}, reason string, `my column` double"

    frame = decode_rows(spark, rows, AvroSettings(registry=stub.address), table, columns)

    assert frame.columns == ["topic", "partition", "offset", "key", "value", "my column", "reason"]
    first, second = sorted(frame.collect(), key=lambda one: one.offset)
    assert (first.value, first.reason, first["my column"]) == (None, "too early", 1.5)
    assert (second.value, second.reason) == (None, None)


def test_a_key_in_text_is_taken_as_it_is(spark, stub, table):
    rows = [row(0, framed(7, GOOD), b'{"id":1}'), row(1, None, b"\xff"), row(2, None, None)]

    found = run(spark, rows, AvroSettings(registry=stub.address, key="text"), table)

    assert [one.key for one in found] == ['{"id":1}', None, None]
    assert [one.reason for one in found] == [None, "bad_value: key: not UTF-8", None]


def test_text_in_place_of_bytes_is_refused(spark, stub, table):
    with pytest.raises(TypeError, match="need `value` as bytes, but it is of type string"):
        decode_rows(
            spark,
            [("p.t", 0, 0, None, "x")],
            AvroSettings(registry=stub.address),
            table,
            COLUMNS.replace("value binary", "value string"),
        )


def test_known_schemas_need_no_registry(spark_by_target, stub, target):
    session = spark_by_target[target]
    session.sql(f"create schema if not exists {SCHEMA}")
    name = f"{SCHEMA}.kept__schemas"
    session.sql(f"drop table if exists {name}")
    settings = AvroSettings(registry=stub.address)
    rows = [row(0, framed(7, GOOD))]
    records = session.createDataFrame(rows, COLUMNS)
    stub.answers["/schemas/ids/7"] = (
        200,
        {"schema": ROW, "references": [{"name": "X", "subject": "x", "version": 1}]},
    )
    stub.answers["/subjects/x/versions/1"] = (
        200,
        {"schema": '{"type":"enum","name":"X","symbols":["A"]}'},
    )

    def once() -> str:
        return (
            decode(session, records, settings=settings, table=name, file_format=target)
            .collect()[0]
            .value
        )

    first = once()
    stub.answers.clear()
    again = once()

    assert first == again
    assert len(stub.asked) == 2
    kept = session.table(name).collect()
    assert [(one.registry, one.id, one.type, one["schema"]) for one in kept] == [
        (stub.address, 7, "AVRO", ROW)
    ]
    assert kept[0].referenced[0].name == "X"
    assert kept[0].fetched_at is not None


def test_an_id_of_another_registry_is_another_schema(spark, stub, table):
    run(spark, [row(0, framed(7, GOOD))], AvroSettings(registry=stub.address), table)
    with stub_registry() as other:
        other.add(7, '"string"')
        found = run(
            spark, [row(0, framed(7, b"\x02x"))], AvroSettings(registry=other.address), table
        )

    assert json.loads(found[0].value)["payload"] == "x"


def test_records_of_unknown_and_unusable_schemas_are_set_aside_and_the_others_are_read(
    spark, stub, table
):
    itself = {"name": "x", "subject": "x", "version": 1}
    stub.add(9, '"int"', references=[itself])
    stub.answers["/subjects/x/versions/1"] = (200, {"schema": '"int"', "references": [itself]})
    odd = {"type": "record", "name": "R", "fields": [{"name": "a b", "type": "int"}]}
    stub.add(10, odd)
    rows = [row(number, framed(7 + number, GOOD)) for number in range(4)]

    found = run(spark, rows, AvroSettings(registry=stub.address), table)

    assert found[0].reason is None
    for one, why in zip(
        found[1:],
        (
            "8 is not known to the registry",
            "9 refers to itself by way of `x`: {",
            "10 cannot be read by Spark: ",
        ),
        strict=True,
    ):
        assert one.reason.startswith(f"bad_value: value: schema id {why}")
    assert json.loads(found[0].value)["payload"]
    # What may be registered or repaired is asked for again.
    assert sorted(one.id for one in spark.table(table).collect()) == [7, 10]


def test_a_registry_that_never_gave_a_schema_and_knows_no_id_is_the_wrong_one(spark, stub, table):
    rows = [row(9, framed(8, b"")), row(6, framed(8, b""))]

    with pytest.raises(
        RegistryError, match="schema id 8, which the value of p.t partition 0 offset 6 needs"
    ):
        run(spark, rows, AvroSettings(registry=stub.address), table)
