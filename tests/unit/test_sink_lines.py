"""Single lines and whole containers of the sinks, read in plain Python."""

from __future__ import annotations

import gzip
import json

import pytest

from dbt_debezium_spark.inputs.sinks import (
    aiven_line,
    avro_container,
    lenses_line,
    raw_line,
    value_line,
)
from dbt_debezium_spark.inputs.sinks.avro_container import ContainerError
from dbt_debezium_spark.landing.record_line import Record
from dbt_debezium_spark.landing.record_values import LineError
from tests.support import avro_writer

EVENT = '{"op":"c","after":{"id":1,"price":1.10}}'
MOMENT_US = 1_795_000_000_123_000


PLACE = {"topic": "t", "partition": 0, "offset": 1}
METADATA = json.dumps(PLACE).encode()
OF_LENSES = {"topic": "p.s.t", "partition": 2, "offset": 9, "timestamp": MOMENT_US // 1000}


def envelope(**members):
    told = {"key": {"id": 1}, "value": json.loads(EVENT), "headers": {"h": "v"}}
    return json.dumps({**told, "metadata": OF_LENSES, **members}).encode()


OF_AIVEN = (
    b'{"key":{"id":1},"value":' + EVENT.encode() + b',"offset":7,'
    b'"timestamp":"2026-11-18T11:06:40.123Z","headers":[{"key":"h","value":"v"}]},'
)


@pytest.mark.parametrize(
    ("reader", "line", "expected"),
    [
        *(
            (value_line, line, {"value": expected})
            for line, expected in [
                (EVENT.encode(), EVENT),
                (f"  {EVENT}\r".encode(), EVENT),
                (b"\xef\xbb\xbf" + EVENT.encode(), EVENT),
                (json.dumps(EVENT).encode(), EVENT),
                (f"{EVENT},".encode(), EVENT),
                (b"null", None),
                (b"17", "17"),
                (b"[1, 2]", "[1, 2]"),
                ('"é€😀"'.encode(), "é€😀"),
            ]
        ),
        # a line without a value is no record
        *((value_line, line, None) for line in (b"", b" \r", b"[", b"]", b"[]")),
        # the bytes of a value stay as they are
        (raw_line, f"{EVENT}\r".encode(), {"value": EVENT}),
        (raw_line, b"", {"value": ""}),
        (raw_line, b"Struct{id=1}", {"value": "Struct{id=1}"}),
        # a line of Aiven's JSON has the configured fields
        (
            aiven_line,
            OF_AIVEN,
            Record("", 0, 7, MOMENT_US, None, '{"id":1}', EVENT, [("h", "v")])._asdict(),
        ),
        (aiven_line, b'{"value":null}', {"offset": value_line.NO_OFFSET}),
        (aiven_line, b"[", None),
        # an envelope of Lenses tells its own place; a null in it is a tombstone
        (
            lenses_line,
            envelope(),
            Record("p.s.t", 2, 9, MOMENT_US, None, '{"id":1}', None, [("h", "v")])._asdict()
            | {"value": json.dumps(json.loads(EVENT), separators=(",", ":"))},
        ),
        (lenses_line, envelope(value=None), {"key": '{"id":1}', "value": None}),
        # numbers of an envelope stay as they are written
        (
            lenses_line,
            b'{"value":' + EVENT.encode() + b',"metadata":' + METADATA + b"}",
            {"value": EVENT},
        ),
    ],
)
def test_a_line_is_a_record(reader, line, expected):
    record = reader.read_line(line)

    assert (record is None) == (expected is None)
    assert expected is None or expected.items() <= record._asdict().items()


@pytest.mark.parametrize(
    ("reader", "line", "why"),
    [
        (value_line, b"{", "malformed_line: not JSON"),
        (value_line, b'{"op":"c"}{"op":"d"}', "malformed_line: not JSON: Extra data"),
        (value_line, b'{"op":NaN}', "malformed_line: not JSON"),
        (value_line, b'{"op":"\xff"}', "malformed_line: not UTF-8: byte 0xff at byte 8"),
        (value_line, rb'{"op":"\ud800"}', "bad_value: value: half of a surrogate pair"),
        (value_line, b"[" * 100_000, "malformed_line: nested too deeply"),
        (raw_line, b"a\xff", "bad_value: value: not UTF-8: byte 0xff at byte 2"),
        (raw_line, rb'{"a":"\ud800"}', "half of a surrogate pair"),
        (aiven_line, b'{"key":1}', r"missing_column: value \(the line has `key`\)"),
        (aiven_line, EVENT.encode(), r"missing_column: value \(the line has `op`, `after`\)"),
        (aiven_line, b'{"value":1,"topic":"t"}', "malformed_line: `topic` is no field"),
        (aiven_line, b'{"value":1,"offset":-1}', "bad_value: offset: -1"),
        (aiven_line, b'{"value":1,"timestamp":"noon"}', "bad_value: timestamp"),
        (aiven_line, b'{"value":1,"headers":"h"}', "bad_value: headers"),
        (lenses_line, EVENT.encode(), "missing_column: metadata"),
        (lenses_line, b'{"value":1,"metadata":null}', "missing_column: metadata"),
        (lenses_line, b'{"key":1,"metadata":%s}' % METADATA, "missing_column: value"),
        (lenses_line, envelope(metadata={"topic": "t", "partition": 0}), "missing_column: offset"),
        (lenses_line, envelope(metadata={**PLACE, "offset": -2}), "bad_value: offset"),
        (lenses_line, envelope(metadata={**PLACE, "topic": 5}), "bad_value: topic"),
    ],
)
def test_a_line_that_is_no_record_says_why(reader, line, why):
    with pytest.raises(LineError, match=why):
        reader.read_line(line)


@pytest.mark.covers("form strings in JSON: aiven, lenses")
def test_text_in_the_fields_of_sinks_is_the_text_of_the_converter():
    text = '{"schema": {"type":"struct"}, "payload": {"price": 1.10}}'
    aiven = json.dumps({"key": '{"id":1}', "value": text}).encode()

    assert aiven_line.read_line(aiven)[5:7] == ('{"id":1}', text)
    assert lenses_line.read_line(envelope(key='{"id":1}', value=text))[5:7] == ('{"id":1}', text)


SCHEMA = {"type": "record", "name": "R", "fields": [{"name": "id", "type": "long"}]}
RECORDS = [avro_writer.written_long(number) for number in (1, -70, 1 << 40)]


@pytest.mark.parametrize("codec", ["null", "deflate", "snappy", "zstandard", "bzip2", "xz"])
def test_a_container_is_taken_apart_in_every_codec(codec):
    content = avro_writer.container(SCHEMA, [RECORDS[:2], [], RECORDS[2:]], codec)
    head = avro_container.head_of(content)

    assert json.loads(head.schema) == SCHEMA
    assert list(avro_container.blocks_of(content, head)) == [
        (0, 2, b"\x04" + RECORDS[0] + RECORDS[1] + b"\x00"),
        (2, 1, b"\x02" + RECORDS[2] + b"\x00"),
    ]


def test_a_container_that_is_compressed_as_a_whole_is_read():
    content = avro_writer.container(SCHEMA, [RECORDS])

    assert avro_container.content_of(gzip.compress(content)) == content
    assert avro_container.content_of(content) == content
    with pytest.raises(ContainerError, match="truncated_file: not whole gzip"):
        avro_container.content_of(gzip.compress(content)[:-9])


@pytest.mark.parametrize("length", [5, 40, 60])
def test_a_container_that_ends_in_its_head_says_so(length):
    content = avro_writer.container(SCHEMA, [RECORDS])[:length]

    with pytest.raises(ContainerError, match="^truncated_file"):
        avro_container.head_of(content)


def test_the_whole_blocks_of_a_cut_container_are_read():
    content = avro_writer.container(SCHEMA, [RECORDS[:2], RECORDS[2:]])
    head = avro_container.head_of(content)
    for length in range(head.length + 1, len(content)):
        found = []
        try:
            for block in avro_container.blocks_of(content[:length], head):
                found.append(block)
        except ContainerError as error:
            assert str(error).startswith("truncated_file: it ends after ")
        assert sum(block.records for block in found) in (0, 2)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"PAR1", "foreign_file"),
        (b"", "foreign_file"),
        (avro_writer.container(SCHEMA, [RECORDS], "null")[:-1] + b"x", "is damaged"),
        (avro_writer.container(SCHEMA, [RECORDS], "lz5"), "codec is `lz5`"),
        (avro_writer.container(SCHEMA, []) + b"\x7f\x02x" + avro_writer.SYNC, "after 0 records"),
        (avro_writer.container(SCHEMA, []) + b"\x08\x02x" + avro_writer.SYNC, "lacks some"),
        (avro_writer.container(SCHEMA, []) + b"\xff" * 12, "ends after 0 records"),
    ],
)
def test_a_damaged_container_says_why(content, why):
    with pytest.raises(ContainerError, match=why):
        head = avro_container.head_of(content)
        list(avro_container.blocks_of(content, head))


def test_damaged_compressed_blocks_are_told():
    for codec in ("deflate", "snappy", "bzip2", "xz"):
        content = avro_writer.container(SCHEMA, [RECORDS * 50], codec)
        head = avro_container.head_of(content)
        middle = (head.length + len(content)) // 2
        damaged = content[:middle] + b"\xff\x00\xff\x00" + content[middle + 4 :]
        with pytest.raises(ContainerError, match="malformed_file|truncated_file"):
            list(avro_container.blocks_of(damaged, head))
