"""The fast way of reading a line gives what the careful way gives, or leaves the line to it."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from dbt_debezium_spark.landing.fast_lines import read_lines
from dbt_debezium_spark.landing.record_line import Record, read_line
from dbt_debezium_spark.landing.record_values import LineError
from dbt_debezium_spark.landing.schemas import RECORD
from dbt_debezium_spark.landing.text_lines import BLANK, LINE
from tests.fuzz.mutants import mutants
from tests.support.landing_lake import record

SEED = 20261121
LINES = 4_000
MUTANTS = 1_000
TEXTS = [
    "",
    "x",
    '{"id":1}',
    '{"value":1.10,"b": [1]}',
    "null",
    "é😀\u2028",
    "a\0b",
    "\\",
    '"',
    "}{",
]
OTHER = [None, 0, 1.5, -1, 10**25, True, [], ["a"], {"a": 1.10}, [{"b": None}], "\ud83d"]
TIMES: list[Any] = [
    None, -1, 0, 1_795_000_000_123, "1795000000123", "2026-11-18T11:00:00Z", 1.5e12,
    "2026-11-18 11:00:00.123456", "2026-11-18T11:00:00+05:30", "2026-11-18", "12:00", "", "soon",
    "2026-02-30T00:00:00Z", 10**17, "2026-11-18T11:00:00 Europe/Berlin",
]  # fmt: skip
HEADERS: list[Any] = [
    None, [], [{"key": "a", "value": "b"}], [{"key": "a", "value": None}, {"key": "a"}], ["a", "b"],
    ["a", None], ["a"], ["a", "b", "c"], [["a", "b"]], {"a": "b"}, [{"a": "b"}], ["a", 1], [1, "a"],
    ["a", ",1", "[", "x"], [{"key": None, "value": "b"}], [{"value": "b", "key": "a"}], "text",
    [{"key": "a", "value": {"x": 1.10}}], ["a", {"x": 1.10}], [None, "a"],
]  # fmt: skip


def random_line(chance: random.Random) -> str:
    members = record(chance.choice([0, 1, -1, 2**63 - 1, 2**63, 10**30]))
    changes = {
        "topic": ["t", "", None, 5],
        "partition": [0, 7, -1, 2**31, "3", None],
        "timestamp": TIMES,
        "timestampType": [None, 0, 1, -1, "CreateTime", "create", 5, ""],
        "key": TEXTS + OTHER,
        "value": TEXTS + OTHER,
        "headers": HEADERS,
    }
    for name in chance.sample(sorted(changes), chance.randint(0, 3)):
        members[name] = chance.choice(changes[name])
    if chance.random() < 0.2:
        members["payload"] = members.pop("value")
        members["ts"] = members.pop("timestamp")
    for name in list(members):
        if chance.random() < 0.04:
            del members[name]
    if chance.random() < 0.05:
        members[chance.choice(["Value", "message", "broker", "OFFSET", "payload_error"])] = "z"
    names = list(members)
    chance.shuffle(names)
    separators = chance.choice([(",", ":"), (", ", ": "), (" ,\t", " : ")])
    text = json.dumps(
        {name: members[name] for name in names},
        separators=separators,
        ensure_ascii=chance.random() < 0.5 or "\ud83d" in map(str, members.values()),
    )
    if chance.random() < 0.1:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(["", "}", '"', ",", "]", "\\", "1", "{"]) + text[at + 1 :]
    if chance.random() < 0.05:
        again = chance.choice(['"offset": 3', '"value": null', '"key": "x"', '"headers": []'])
        text = f"{text[:-1]}, {again}}}"
    if chance.random() < 0.05:
        text += chance.choice([" ", "\r", "}", "]", text, ",", '],"end":1}', ',"line":[]'])
    return text


def decided(spark: SparkSession, path: Path, lines: list[bytes]) -> int:
    """Return how many lines the fast way decides, after comparing each with the careful way."""
    path.write_bytes(b"\n".join(lines) + b"\n")

    # `seq` counts the lines of one block, and the file is a single one.
    found = read_lines(spark, [str(path)])
    found = found.withColumn("us", F.unix_micros("timestamp")).orderBy("seq")
    rows = found.drop("line", "timestamp", "path").collect()

    assert len(rows) == len(lines)
    count, wrong = 0, []
    for line, row in zip(lines, rows, strict=True):
        if row.state == LINE:
            continue
        count += 1
        headers = None if row.headers is None else [(one.key, one.value) for one in row.headers]
        fast = Record(
            row.topic, row.partition, row.offset, row.us, row.timestampType, row.key, row.value,
            headers,
        ) if row.state == RECORD else None  # fmt: skip
        assert row.state in (RECORD, BLANK)
        if fast != _careful(line):
            wrong.append((line, fast, _careful(line)))
    assert not wrong, f"{len(wrong)} lines, the first: {wrong[0]}"
    return count


def test_what_the_fast_way_decides_the_careful_way_decides_alike(
    spark: SparkSession, tmp_path: Path
) -> None:
    chance = random.Random(SEED)
    lines = [random_line(chance).encode("utf-8", "surrogatepass") for _ in range(LINES)]

    count = decided(spark, tmp_path / "lines.jsonl", lines)
    assert count > LINES / 10, "the fast way must take a fair share of these lines"


def test_damaged_records_are_decided_alike(spark: SparkSession, tmp_path: Path) -> None:
    lines = [one.line for one in mutants(SEED, MUTANTS)]

    assert decided(spark, tmp_path / "mutants.jsonl", lines) > MUTANTS / 10


def test_common_lines_go_the_fast_way(spark: SparkSession, tmp_path: Path) -> None:
    kcat = {
        "topic": "t", "partition": 0, "offset": 1, "tstype": "create", "ts": 1_795_000_000_000,
        "broker": 0, "headers": ["__debezium.context.taskId", "0"], "key": None, "payload": None,
    }  # fmt: skip
    moment = (datetime(2026, 11, 18, tzinfo=UTC) + timedelta(milliseconds=5)).isoformat()
    common = [
        record(0),
        record(0, value=None),
        record(0, headers=None, key=None),
        record(0, headers=[]),
        record(0, timestamp=moment),
        kcat,
    ]
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in common) + "\n")

    rows = read_lines(spark, [str(path)]).orderBy("seq").select("state").collect()

    assert [row.state for row in rows] == [RECORD] * len(common) + [BLANK]


def _careful(line: bytes) -> Record | str | None:
    try:
        return read_line(line)
    except LineError as error:
        return str(error)
