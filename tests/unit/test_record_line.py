"""One line of a record file, read the careful way, also by workers of a cluster, and damaged."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pyspark import cloudpickle

from dbt_debezium_spark.generator.topic_prefix import TopicPrefixError, look_into_files
from dbt_debezium_spark.landing import record_line
from dbt_debezium_spark.landing.exact_lines import _batch_reader
from dbt_debezium_spark.landing.record_line import Record, read_line, read_row
from dbt_debezium_spark.landing.record_values import LineError
from tests.fuzz.mutants import mutants, originals
from tests.fuzz.readers import RECORD, outcome
from tests.support.said import rows_of

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


MOST = {"partition": 2**31 - 1, "offset": 2**63 - 1}


@pytest.mark.parametrize(
    ("members", "expected"),
    [
        # a tombstone may leave its value out
        ({}, {"value": None}),
        ({"value": None}, {"value": None}),
        ({"broker": 1}, {"value": None}),
        # a record without a time says -1
        ({"timestamp": -1}, {"timestamp_us": None}),
        ({"ts": "-1"}, {"timestamp_us": None}),
        ({"timestamp": -2}, {"timestamp_us": -2000}),
        # the known spelling of a member wins
        ({"payload": "v", "VALUE": "other"}, {"value": "v"}),
        ({"value": "v", "Value": "other"}, {"value": "v"}),
        ({"value": "v", "PAYLOAD": "other"}, {"value": "v"}),
        # limits of Kafka are values
        (MOST, MOST),
        # a header that stands twice is two headers
        ({"text": ', "headers": {"h": "1", "h": "2"}'}, {"headers": [("h", "1"), ("h", "2")]}),
    ],
)
def test_members_are_read(members, expected):
    record = read(**members)
    assert {name: getattr(record, name) for name in expected} == expected


@pytest.mark.parametrize(("members", "reason"), rows_of(__file__, "record_lines.txt"))
def test_a_line_that_holds_no_record_says_why(members, reason):
    with pytest.raises(LineError) as raised:
        read(**json.loads(members))
    assert str(raised.value) == reason


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


# -- workers --------------------------------------------------------------------------------------


WORKER = """
import json, pickle, sys
from pathlib import Path

import pyarrow as pa


class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "dbt_debezium_spark":
            raise ImportError(name)


sys.meta_path.insert(0, Blocker())
read = pickle.loads(Path(sys.argv[1]).read_bytes())
record = b'{"topic": "t", "partition": 0, "offset": 1, "value": {"a": 1.10}, "headers": ["h", "x"]}'
rows = [{"path": "p", "block": 0, "seq": 0, "line": line} for line in (record, b"?")]
(batch,) = read(iter([pa.RecordBatch.from_pylist(rows)]))
leftover = [name for name in sys.modules if name.startswith("dbt_debezium_spark")]
values = [[row["value"], row["headers"], row["state"]] for row in batch.to_pylist()]
print(json.dumps(values + leftover))
"""


def test_a_worker_reads_lines_without_the_package(tmp_path: Path) -> None:
    reader = tmp_path / "reader"
    reader.write_bytes(cloudpickle.dumps(_batch_reader()))

    worker = subprocess.run(
        [sys.executable, "-c", WORKER, str(reader)], capture_output=True, text=True
    )

    assert worker.returncode == 0, worker.stderr
    assert json.loads(worker.stdout) == [
        ['{"a":1.10}', [{"key": "h", "value": "x"}], "record"],
        [None, None, "rejected"],
    ]


# -- damaged records of the demo; `python -m tests.fuzz` reads many more --------------------------


SEED = 20261124
MUTANTS = 500


def test_each_damaged_line_is_a_record_or_is_rejected_with_its_reason():
    found = Counter(outcome(one.line) for one in mutants(SEED, MUTANTS))

    assert found.total() == MUTANTS
    assert set(found) >= {"record", "malformed_line", "missing_column", "bad_value"}


def test_a_line_that_was_not_damaged_is_a_record():
    assert {outcome(line) for _, line in originals()} == {RECORD}


def test_init_reads_past_damaged_lines(tmp_path):
    (tmp_path / "damaged.jsonl").write_bytes(
        b"\n".join(one.line for one in mutants(SEED, MUTANTS) if one.connector == "oracle")
    )
    try:
        assert look_into_files(str(tmp_path)).topic_prefix("oracle")
    except TopicPrefixError as error:
        assert "--topic-prefix" in str(error)
