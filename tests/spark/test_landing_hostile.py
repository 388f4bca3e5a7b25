"""What one bad value, line, name or link can do to the landing of its source: nothing."""

from __future__ import annotations

import gzip
import json
import os
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from pyspark.sql import SparkSession

from tests.support.landing_lake import Lake, line

LIMIT = 2_000
HALF = r"half of a surrogate pair: \ud800"
LEAVES = "foreign_file: it is a link that leaves the input folder; put the file itself there"
TOO_LONG = f"bytes; at most {LIMIT} are read (`max_line_bytes`)"
PASSED_OVER = (
    f"oversized_line: at least {10 * LIMIT - 2} bytes of the file are lines of more than"
    f" {2 * LIMIT} bytes, and were not read; at most {LIMIT} bytes of a line are"
    " (`max_line_bytes`)"
)

# Folder of a case: the offsets that land, and the reasons by file and line.
EXPECTED: dict[str, tuple[list[int], dict[tuple[str, int | None], str]]] = {
    "exponent": ([0, 2], {("a.jsonl", 2): "bad_value: timestamp: 1e99999999999999999999"}),
    "parquet_times": (
        [0],
        {
            ("a.parquet", 2): f"bad_value: timestamp: {2**63 - 1}",
            ("a.parquet", 3): f"bad_value: timestamp: {-(2**63)}",
            ("a.parquet", 4): f"bad_value: timestampType: {2**32}",
        },
    ),
    "parquet_topic": ([0], {("a.parquet", 2): "bad_value: topic: not UTF-8"}),
    "half_pairs": (
        [2, 11, 12],
        {
            ("a.jsonl", 1): f"bad_value: value: {HALF}",
            ("a.jsonl", 2): f"bad_value: key: {HALF}",
            ("b.parquet", 1): f"bad_value: value: {HALF}",
            ("b.parquet", 4): f"bad_value: key: {HALF}",
        },
    ),
    "long_lines": (
        [0, 1, 4, 5],
        {
            ("a.jsonl", 3): f"oversized_line: {LIMIT + 1} {TOO_LONG}",
            ("a.jsonl", 4): f"oversized_line: {LIMIT + 2} {TOO_LONG}",
            ("b.jsonl.gz", 2): f"oversized_line: {9 * LIMIT} {TOO_LONG}",
        },
    ),
    # Lines that would take several times their length of Spark's memory are not even held.
    "lines_passed_over": ([0, 2], {("a.jsonl", None): PASSED_OVER, ("b.jsonl", None): PASSED_OVER}),
    "links": ([0, 1], {("passwd.jsonl", None): LEAVES, ("etc", None): LEAVES}),
    "names": (
        [0],
        {
            ("b\\xff.jsonl", None): "foreign_file: its name is not UTF-8; rename it",
            ("pipe.jsonl", None): "foreign_file: it is neither a file nor a folder",
        },
    ),
}


def long_line(offset: int, size: int, topic: str) -> str:
    """A record of so many bytes without its newline."""
    empty = line(offset, topic=topic, value="")
    return line(offset, topic=topic, value="x" * (size - len(empty) + 1))


def rows(named: str, count: int, **columns: Any) -> dict[str, Any]:
    return {
        "topic": [named] * count,
        "partition": [0] * count,
        "offset": list(range(count)),
        "key": ["k"] * count,
        "value": ["v"] * count,
        **columns,
    }


def write(lake: Lake) -> None:
    def parquet(name: str, columns: dict[str, Any]) -> None:
        lake.write(name, b"")
        pyarrow.parquet.write_table(pa.table(columns), lake.folder / name)

    huge = json.dumps({"topic": "exponent", "partition": 0, "offset": 1, "value": "v", "ts": 7})
    lake.write(
        "exponent/a.jsonl",
        line(0, topic="exponent")
        + huge.replace("7}", "1e99999999999999999999}\n")
        + line(2, topic="exponent"),
    )
    times = pa.array([1_795_000_000_000, 2**63 - 1, -(2**63), None], pa.int64())
    kinds = [0, 0, 0, 2**32]
    parquet(
        "parquet_times/a.parquet", rows("parquet_times", 4, timestamp=times, timestampType=kinds)
    )
    topics = pa.array([b"parquet_topic", b"\xff"], pa.binary())
    parquet("parquet_topic/a.parquet", rows("", 2, topic=topics))

    half, whole, plain = r'{"a":"\ud800"}', r'{"a":"\ud83d\ude00 \\ud800"}', r"C:\ud800"
    topic = "half_pairs"
    lake.write(
        "half_pairs/a.jsonl",
        line(0, topic=topic, value=half)
        + line(1, topic=topic, key=half)
        + line(2, topic=topic, value=whole),
    )
    parquet(
        "half_pairs/b.parquet",
        rows(
            topic,
            4,
            offset=[10, 11, 12, 13],
            key=pa.array([None, None, None, half.encode()], pa.binary()),
            value=pa.array([half.encode(), whole.encode(), plain.encode(), b"v"], pa.binary()),
        ),
    )

    topic = "long_lines"
    lake.write(
        "long_lines/a.jsonl",
        (
            line(0, topic=topic) + long_line(1, LIMIT, topic) + long_line(2, LIMIT + 1, topic)
        ).encode()
        + b"\xff" * (LIMIT + 2)
        + f"\n{line(4, topic=topic)}".encode(),
    )
    packed = line(5, topic=topic) + long_line(6, 9 * LIMIT, topic)
    lake.write("long_lines/b.jsonl.gz", gzip.compress(packed.encode()))

    topic = "lines_passed_over"
    long = long_line(1, 10 * LIMIT, topic)
    lake.write(f"{topic}/a.jsonl", line(0, topic=topic) + long + line(2, topic=topic))
    lake.write(f"{topic}/b.jsonl", long)

    outside = lake.project / "etc" / "passwd"
    outside.parent.mkdir()
    outside.write_text("root:x:0:0:root:/root:/bin/bash\n")
    lake.write("links/a.jsonl", line(0, topic="links"))
    lake.write("links/deep/b.jsonl", line(1, topic="links"))
    links = {
        "passwd.jsonl": outside,
        "etc": outside.parent,
        "again.jsonl": "deep/b.jsonl",
        "deep/round": "..",
        "deep/and_round": "../deep",
    }
    for name, target in links.items():
        (lake.folder / "links" / name).symlink_to(target)

    lake.write("names/a b[1]{x}%20*.jsonl", line(0, topic="names"))
    (lake.folder / "names" / os.fsdecode(b"b\xff.jsonl")).write_text(line(1, topic="names"))
    os.mkfifo(lake.folder / "names" / "pipe.jsonl")


def reasons(lake: Lake, folder: str) -> dict[tuple[str, int | None], str]:
    start = f"data/{folder}/"
    return {
        (row.file.removeprefix(start), row.line): row.reason
        for row in lake.rejections()
        if row.file.startswith(start)
    }


@pytest.fixture(scope="module")
def landed(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    lake = Lake(spark, tmp_path_factory.mktemp("hostile"))
    lake.input["max_line_bytes"] = LIMIT
    write(lake)
    lake.run()
    return lake


@pytest.mark.covers(
    "case timestamp-exponent-stops-landing", "case parquet-timestamp-overflow-stops-landing"
)
@pytest.mark.parametrize("case", EXPECTED)
def test_what_is_bad_is_told_and_the_rest_lands(landed: Lake, case: str) -> None:
    offsets, told = EXPECTED[case]

    assert [row.offset for row in landed.rows("topic", "offset") if row.topic == case] == offsets
    assert reasons(landed, case) == told


@pytest.mark.covers("case symlink-in-input-folder")
def test_no_line_of_a_file_outside_is_shown(landed: Lake) -> None:
    assert not any("root:" in (row.content or "") for row in landed.rejections())


@pytest.mark.covers("case 100MB-line-kills-jvm")
def test_the_beginning_of_a_long_line_is_kept(landed: Lake) -> None:
    contents = {row.content for row in landed.rejections() if row.reason.startswith("oversized")}

    assert long_line(2, LIMIT + 1, "long_lines").strip() in contents


def test_what_was_told_is_not_told_again_and_ends_when_it_is_repaired(landed: Lake) -> None:
    before = landed.versions()
    landed.run()
    assert landed.versions() == before

    (landed.folder / "links" / "etc").unlink()
    (landed.folder / "links" / "passwd.jsonl").unlink()
    landed.write("links/passwd.jsonl", line(2, topic="links"))
    landed.write("lines_passed_over/b.jsonl", line(3, topic="lines_passed_over"))
    landed.run()
    assert reasons(landed, "links") == {}
    assert reasons(landed, "lines_passed_over") == {("a.jsonl", None): PASSED_OVER}


def test_a_file_of_parquet_that_spark_cannot_read_is_set_aside(lake: Lake) -> None:
    # Spark's own reader of Parquet fails, before any expression of ours.
    columns = rows("t", 1, timestamp=pa.array([2**63 - 1], pa.timestamp("ms")))
    pyarrow.parquet.write_table(pa.table(columns), lake.folder / "a.parquet")
    lake.write("b.jsonl", line(0))
    (lake.folder / "b.txt").symlink_to("/etc/hostname")

    lake.run(path="data/[ab].{parquet,jsonl}")

    assert lake.offsets() == [0]
    assert lake.rejected() == [("a.parquet", None, "foreign_file")]
