"""One line of a record file, read the careful way."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dbt_debezium_spark.landing import record_line
from dbt_debezium_spark.landing.record_line import Record, read_line, read_row
from dbt_debezium_spark.landing.record_values import LineError

MEMBERS = {"topic": "t", "partition": 0, "offset": 5}
MOMENT_US = 1_795_000_000_123_000


def read(text: str = "", **members: Any) -> Record:
    """Return the record of a line with these members; `text` stands behind them, as written."""
    line = json.dumps(MEMBERS | members)[:-1] + text + "}"
    record = read_line(line.encode("utf-8", "surrogatepass"))
    assert record is not None
    return record


def test_a_line_is_read_in_the_spelling_of_kafka_spark_and_kcat():
    expected = Record("t", 0, 5, MOMENT_US, 0, "k", "v", [("h", "1")])
    told = {"key": "k", "headers": [{"key": "h", "value": "1"}]}

    assert read(**told, value="v", timestamp=MOMENT_US // 1000, timestampType=0) == expected
    assert read(**told, payload="v", ts=MOMENT_US // 1000, tstype="create") == expected
    assert read(**told, VALUE="v", timestamp=MOMENT_US // 1000, timestamp_type="0") == expected


def test_a_blank_line_holds_nothing_and_the_mark_of_utf_8_is_none_of_it():
    assert read_line(b" \t\r") is None
    assert read_line(b"\xef\xbb\xbf" + json.dumps(MEMBERS).encode()) == read()


def test_numbers_in_objects_are_taken_as_they_are_written():
    long = "123456789012345678901234567890"

    assert read(', "value": {"a" : 1.10, "b": ' + long + "}").value == '{"a":1.10,"b":' + long + "}"


def test_a_header_that_stands_twice_is_two_headers():
    record = read(', "headers": {"h": "1", "h": "2"}')

    assert record.headers == [("h", "1"), ("h", "2")]


def test_a_tombstone_may_leave_its_value_out():
    assert (read().value, read(value=None).value, read(broker=1).value) == (None, None, None)


def test_a_record_without_a_time_says_minus_one():
    assert (read(timestamp=-1).timestamp_us, read(ts="-1").timestamp_us) == (None, None)
    assert read(timestamp=-2).timestamp_us == -2000


def test_the_known_spelling_of_a_member_wins():
    assert read(payload="v", VALUE="other").value == "v"
    assert read(value="v", Value="other").value == "v"
    assert read(value="v", PAYLOAD="other").value == "v"


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"message": "v"}, "missing_column: value (the line has `message` instead)"),
        ({"topic": None}, "missing_column: topic"),
        ({"topic": 5}, "bad_value: topic: 5"),
        ({"value": None, "payload_error": "no schema"}, "bad_value: payload_error: no schema"),
        ({"key_error": "no schema"}, "bad_value: key_error: no schema"),
        ({"value": "a", "payload": "b"}, "bad_value: both `value` and `payload` are given"),
        ({"partition": 2**31}, "bad_value: partition: 2147483648"),
        ({"offset": 2**63}, "bad_value: offset: 9223372036854775808"),
        ({"offset": -1}, "bad_value: offset: -1"),
        ({"offset": 1.5}, "bad_value: offset: 1.5"),
        ({"timestamp": "12:00"}, "bad_value: timestamp: 12:00"),
        ({"timestamp": "1e999"}, "bad_value: timestamp: 1e999"),
        ({"timestampType": 7}, "bad_value: timestampType: 7"),
        ({"value": "\ud83d"}, "bad_value: value: half of a surrogate pair at character 1"),
        ({"headers": ["a"]}, 'bad_value: headers: ["a"]'),
        ({"headers": [{"a": 1, "b": 2}]}, 'bad_value: headers: {"a": 1, "b": 2}'),
    ],
)
def test_a_line_that_holds_no_record_says_why(members, reason):
    with pytest.raises(LineError) as raised:
        read(**members)
    assert str(raised.value) == reason


def test_limits_of_kafka_are_values():
    record = read(partition=2**31 - 1, offset=2**63 - 1)

    assert (record.partition, record.offset) == (2**31 - 1, 2**63 - 1)


@pytest.mark.parametrize("line", [b"[1]", b"{} {}", b'{"a":1,}', b"{'a':1}", b'{"a":NaN}', b"\xff"])
def test_what_is_no_single_object_is_malformed(line):
    with pytest.raises(LineError, match="malformed_line: "):
        read_line(line)


@pytest.mark.covers("case timestamp-exponent-stops-landing")
@pytest.mark.parametrize(
    "written",
    ["1e99999999999999999999", "-1e99999999999999999999", "1e999", "9223372036854775807", '"1e77"'],
)
def test_a_timestamp_beyond_every_clock_is_a_bad_value(written):
    with pytest.raises(LineError) as raised:
        read(f', "timestamp": {written}')
    assert str(raised.value) == f"bad_value: timestamp: {written.strip(chr(34))}"


@pytest.mark.parametrize("name", ["key", "value"])
@pytest.mark.parametrize(
    ("text", "half"),
    [
        (r'{"a":"\ud800"}', r"\ud800"),
        (r'{"a":"x\uDC00"}', r"\uDC00"),
        (r'{"a":"\udc00\ud83d"}', r"\udc00"),
        (r' {"a":"\ud83d\ud83d\ude00"}', r"\ud83d"),
        (r'["\\\ud800"]', r"\ud800"),
        (r'{"\ud800":1}', r"\ud800"),
    ],
)
def test_half_a_surrogate_pair_inside_a_key_or_value_is_told(name, text, half):
    # What parses it later would put a question mark there without a word.
    with pytest.raises(LineError) as raised:
        read(**{"value": None, name: text})
    assert str(raised.value) == f"bad_value: {name}: half of a surrogate pair: {half}"


@pytest.mark.parametrize(
    "text", [r'{"a":"\ud83d\ude00"}', r'{"a":"\\ud800"}', r"C:\ud800", r'["\\\ud83d\ude00"]']
)
def test_whole_pairs_backslashes_and_plain_texts_are_none(text):
    assert read(value=text, key=text)[5:7] == (text, text)


def test_half_a_pair_in_a_name_can_be_told():
    row = read_row("f", 0, 0, b'{"topic":"t","partition":0,"offset":1,"\\ud800":1}')

    assert row["reason"] == r"missing_column: value (the line has `\ud800` instead)"


def test_nothing_leaves_the_reader(monkeypatch):
    def fail(line):
        raise ArithmeticError(f"1e9 of {len(line)}")

    monkeypatch.setattr(record_line, "read_line", fail)
    row = read_row("f", 0, 0, b"{}")

    assert (row["state"], row["content"]) == ("rejected", "{}")
    assert row["reason"] == "malformed_line: cannot be read: ArithmeticError: 1e9 of 2"


def test_a_reason_is_short_whatever_the_line_holds():
    place = b'"partition":0,"offset":0'
    row = read_row("f", 0, 0, b'{"topic":[%s0],%s}' % (b"0," * 100_000, place))
    assert row["reason"].startswith("bad_value: topic: [0,0,")
    assert len(row["reason"]) < record_line.MAX_REASON_CHARACTERS

    row = read_row("f", 0, 0, b'{"topic":"t",%s,"key_error":"%s"}' % (place, b"0" * 100_000))
    assert row["reason"].startswith("bad_value: key_error: 000")
    assert len(row["reason"]) == record_line.MAX_REASON_CHARACTERS
