"""What cannot land: told with file and line, and forgotten once it is put right."""

from __future__ import annotations

import gzip
import json

import pytest
from pyspark.sql import SparkSession

from dbt_debezium_spark.landing import exact_lines
from tests.support.landing_lake import Lake, line, record

MISSING = json.dumps({k: v for k, v in record(1).items() if k != "offset"}) + "\n"

# file name, content, expected (line, code) of each rejection; every file also holds offset 0
# of a topic of its own when its content says `{good}`
FAILURES: dict[str, tuple[str, str | bytes, list[tuple[int | None, str]]]] = {
    "not_json": ("a.jsonl", "{good}no json\n{good}\n", [(2, "malformed_line")]),
    "after_blank_lines": ("a.jsonl", "\n\n{good}\n[1]\n", [(5, "malformed_line")]),
    "two_records_on_a_line": (
        "a.jsonl",
        "{good}" + line(1).strip() + line(2),
        [(2, "malformed_line")],
    ),
    "junk_after_the_record": (
        "a.jsonl",
        "{good}" + line(1).strip() + "}\n",
        [(2, "malformed_line")],
    ),
    "two_records_in_a_list": (
        "a.jsonl",
        "{good}" + line(1).strip() + "," + line(2),
        [(2, "malformed_line")],
    ),
    "single_quotes": ("a.jsonl", "{good}{'topic': 't'}\n", [(2, "malformed_line")]),
    "not_utf8": ("a.jsonl", b'{good}{"topic":"\xff"}\n', [(2, "malformed_line")]),
    "nul_byte": ("a.jsonl", b"{good}\x00\n", [(2, "malformed_line")]),
    "half_surrogate": (
        "a.jsonl",
        "{good}" + line(1, value="X").replace("X", "\\ud83d"),
        [(2, "bad_value")],
    ),
    "no_offset": ("a.jsonl", "{good}" + MISSING, [(2, "missing_column")]),
    "null_topic": ("a.jsonl", "{good}" + line(1, topic=None), [(2, "missing_column")]),
    "value_under_another_name": (
        "a.jsonl",
        "{good}" + line(1).replace('"value": "{', '"message": "{'),
        [(2, "missing_column")],
    ),
    "negative_offset": ("a.jsonl", "{good}" + line(-1), [(2, "bad_value")]),
    "fractional_offset": ("a.jsonl", "{good}" + line(1, offset=1.5), [(2, "bad_value")]),
    "huge_partition": ("a.jsonl", "{good}" + line(1, partition=2**31), [(2, "bad_value")]),
    "timestamp_word": ("a.jsonl", "{good}" + line(1, timestamp="yesterday"), [(2, "bad_value")]),
    "time_without_day": ("a.jsonl", "{good}" + line(1, timestamp="12:00"), [(2, "bad_value")]),
    "kcat_could_not_decode": (
        "a.jsonl",
        "{good}" + line(1, value=None, payload_error="no schema"),
        [(2, "bad_value")],
    ),
    "headers_odd": ("a.jsonl", "{good}" + line(1, headers=["a"]), [(2, "bad_value")]),
    "cut_at_the_end": ("a.jsonl", "{good}" + line(1)[:50], [(2, "truncated_line")]),
    "cut_inside_a_letter": ("a.jsonl", b'{good}{"topic":"\xc3', [(2, "truncated_line")]),
    "cut_but_ended": ("a.jsonl", "{good}" + line(1)[:50] + "\n", [(2, "malformed_line")]),
    "cut_with_byte_order_mark": (
        "a.jsonl",
        b"\xef\xbb\xbf{good}" + line(1)[:50].encode(),
        [(2, "truncated_line")],
    ),
    "cut_gzip_content": (
        "a.jsonl.gz",
        gzip.compress(line(1)[:50].encode()),
        [(1, "truncated_line")],
    ),
    "broken_gzip": ("a.jsonl.gz", gzip.compress(b"x" * 5000)[:-9], [(None, "foreign_file")]),
    "table_of_commas": ("a.csv", "a,b\n1,2\n", [(None, "foreign_file")]),
    "picture": ("a.png", b"\x89PNG\r\n\x1a\n\x00\x00\xff" * 20, [(None, "foreign_file")]),
    "notes": ("readme.txt", "hello", [(None, "foreign_file")]),
    "parquet_in_name_only": ("a.parquet", b"no parquet", [(None, "foreign_file")]),
    "hidden": (".a.jsonl", "x", []),
    "marker": ("_SUCCESS", "", []),
    "checksum": (".a.jsonl.crc", b"crc\0\1", []),
    "empty": ("a.jsonl", "", []),
}


def fill(case: str, content: str | bytes) -> bytes:
    good = line(0, topic=case).encode()
    raw = content.encode() if isinstance(content, str) else content
    return raw.replace(b"{good}", good)


@pytest.fixture(scope="module")
def landed(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Lake:
    lake = Lake(spark, tmp_path_factory.mktemp("failures"))
    for case, (name, content, _) in FAILURES.items():
        lake.write(f"{case}/{name}", fill(case, content))
    lake.run()
    return lake


@pytest.fixture(scope="module")
def rejected(landed: Lake) -> list[tuple[str, int | None, str]]:
    return landed.rejected()


@pytest.mark.parametrize("case", FAILURES)
def test_what_cannot_land_is_told_with_its_place(
    rejected: list[tuple[str, int | None, str]], case: str
) -> None:
    name, _, expected = FAILURES[case]
    found = [entry for entry in rejected if entry[0] == f"{case}/{name}"]

    assert found == [(f"{case}/{name}", number, code) for number, code in expected]


def test_the_rest_of_such_files_lands(landed: Lake) -> None:
    good = {
        case
        for case, (_, content, _) in FAILURES.items()
        if b"{good}" in fill("", content) or ("{good}" in str(content))
    }

    assert {row.topic for row in landed.rows("topic")} == good
    assert {row.offset for row in landed.rows("offset")} == {0}


def test_the_content_of_a_bad_line_is_kept(landed: Lake) -> None:
    rows = [row for row in landed.rejections() if "not_json/" in row.file]

    assert [row.content for row in rows] == ["no json"]


def test_a_bad_parquet_row_is_rejected_and_the_others_land(lake: Lake) -> None:
    lake.session.sql(
        "select 't' as topic, 0 as partition, offset, cast('v' as binary) as value "
        "from values (1L), (null), (2L) as offsets(offset)"
    ).coalesce(1).write.parquet(str(lake.folder / "good"))
    lake.session.sql("select 1 as a").coalesce(1).write.parquet(str(lake.folder / "other"))
    lake.session.sql("select 't' as topic, 0 as partition, 7L as offset").coalesce(1).write.parquet(
        str(lake.folder / "no_value")
    )

    lake.run()

    assert lake.offsets() == [1, 2]
    assert sorted((number or 0, code) for _, number, code in lake.rejected()) == [
        (0, "foreign_file"),
        (0, "foreign_file"),
        (2, "missing_column"),
    ]


@pytest.mark.full
def test_a_completed_line_lands_and_leaves_quarantine(lake: Lake) -> None:
    lake.write("a.jsonl", line(0) + line(1)[:40])
    lake.run()
    assert (lake.offsets(), lake.rejected()) == ([0], [("a.jsonl", 2, "truncated_line")])

    lake.write("a.jsonl", line(0) + line(1))
    lake.run()
    assert (lake.offsets(), lake.rejected()) == ([0, 1], [])


@pytest.mark.full
def test_a_repaired_line_leaves_quarantine_and_others_stay(lake: Lake) -> None:
    lake.write("a.jsonl", "broken\n" + line(0) + "wrong\n")
    lake.write("b.jsonl", "bad\n")
    lake.write("c.csv", "a\n")
    lake.run()
    assert len(lake.rejected()) == 4
    (first,) = [row for row in lake.rejections() if row.line == 3]

    lake.write("a.jsonl", line(1) + line(0) + "wrong\n")
    (lake.folder / "c.csv").unlink()
    lake.run()

    assert lake.rejected() == [("a.jsonl", 3, "malformed_line"), ("b.jsonl", 1, "malformed_line")]
    assert lake.offsets() == [0, 1]
    assert first in lake.rejections(), "what was known is not written anew"


def test_line_numbers_hold_across_blocks_of_a_file(lake: Lake) -> None:
    lines = ["bad\n" if number % 7 == 0 else line(number) for number in range(1, 61)]
    lake.write("a.jsonl", "".join(lines) + line(99)[:30])
    setting = "spark.sql.files.maxPartitionBytes"
    before = lake.session.conf.get(setting)
    lake.session.conf.set(setting, "2000")
    try:
        lake.run()
    finally:
        lake.session.conf.set(setting, before)

    numbers = [number for _, number, _ in lake.rejected()]
    assert numbers == [*range(7, 61, 7), 61]
    assert lake.rejected()[-1] == ("a.jsonl", 61, "truncated_line")
    assert len(lake.offsets()) == 60 - 8


@pytest.mark.full
def test_many_careful_lines_are_read_on_the_workers(
    lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exact_lines, "MAX_DRIVER_LINES", 2)
    value = '"value": {"a": 1.10, "n": null, "t": "\\u00e9"}'
    objects = [line(offset, value=0).replace('"value": 0', value) for offset in range(5)]
    lake.write("a.jsonl", "".join(objects) + "bad\n" + line(9)[:40])

    lake.run()

    assert lake.offsets() == [0, 1, 2, 3, 4]
    assert {row.value for row in lake.rows("value")} == {'{"a":1.10,"n":null,"t":"\\u00e9"}'}
    assert lake.rejected() == [("a.jsonl", 6, "malformed_line"), ("a.jsonl", 7, "truncated_line")]
