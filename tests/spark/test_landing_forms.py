"""Every form in which records come as files, landed in one run."""

from __future__ import annotations

import gzip
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from pyspark.sql import Row, SparkSession

from tests.support.landing_lake import EARLY, Lake, line, record

WHEN = datetime.fromtimestamp(EARLY / 1000, UTC).replace(tzinfo=None)
HEADERS = [Row(key="h", value="v")]


def changed(**members: Any) -> str:
    return line(0, **members)


def without(*names: str, **members: Any) -> str:
    return json.dumps({k: v for k, v in record(0, **members).items() if k not in names}) + "\n"


def kcat(**members: Any) -> str:
    # The order and spelling of kcat's JSON output; headers are one flat list.
    return json.dumps(
        {
            "topic": "t",
            "partition": 0,
            "offset": 0,
            "tstype": "create",
            "ts": EARLY,
            "broker": 1,
            "headers": ["a", "1", "a", None],
            "key": "k",
            "payload": '{"op":"c"}',
            **members,
        }
    )


# name of the case → file name, content, what differs from `record(0)` in the landed row
FORMS: dict[str, tuple[str, str | bytes, dict[str, Any]]] = {
    "columns": ("a.jsonl", line(0), {}),
    "no_newline_at_the_end": ("a.jsonl", line(0).strip(), {}),
    "carriage_returns": ("a.jsonl", line(0).replace("\n", "\r\n"), {}),
    "byte_order_mark": ("a.jsonl", b"\xef\xbb\xbf" + line(0).encode(), {}),
    "blank_lines": ("a.jsonl", "\n \n" + line(0) + "\n\t\r\n", {}),
    "any_extension": ("part-00000", line(0), {}),
    "gzip": ("a.jsonl.gz", gzip.compress(line(0).encode()), {}),
    "wildcards_and_spaces_in_the_name": ("a b[1]{x}%20*.jsonl", line(0), {}),
    "in_a_folder_named_like_a_partition": ("date=2026-01-01/topic=x/a.jsonl", line(0), {}),
    "other_case": (
        "a.jsonl",
        json.dumps({name.upper(): value for name, value in record(0).items()}) + "\n",
        {},
    ),
    "spaces_in_the_json": ("a.jsonl", json.dumps(record(0), separators=(" , ", " : ")), {}),
    "tombstone": ("a.jsonl", changed(value=None), {"value": None}),
    "tombstone_left_out": ("a.jsonl", without("value"), {"value": None}),
    "empty_value": ("a.jsonl", changed(value=""), {"value": ""}),
    "no_key": ("a.jsonl", changed(key=None), {"key": None}),
    "key_left_out": ("a.jsonl", without("key"), {"key": None}),
    "not_ascii": ("a.jsonl", changed(value="é€😀\u2028"), {"value": "é€😀\u2028"}),
    "not_ascii_unescaped": (
        "a.jsonl",
        json.dumps(record(0, value="é€😀\u2028"), ensure_ascii=False) + "\n",
        {"value": "é€😀\u2028"},
    ),
    "nul_in_text": ("a.jsonl", changed(value="a\0b"), {"value": "a\0b"}),
    "braces_in_text": ("a.jsonl", changed(value='}]},"end":1}{"'), {"value": '}]},"end":1}{"'}),
    "a_value_that_spells_a_member": (
        "a.jsonl",
        changed(value='{"value":1.10,"key": 2}'),
        {"value": '{"value":1.10,"key": 2}'},
    ),
    "value_object": (
        "a.jsonl",
        without("value")[:-2]
        + ', "value": {"a": 1.10, "b": 123456789012345678901234567890, "c": "x  \\"y\\u00e9", '
        '"d": [1e2, -0.0, null], "e": 1.2345678901234567890}}\n',
        {
            "value": '{"a":1.10,"b":123456789012345678901234567890,"c":"x  \\"y\\u00e9",'
            '"d":[1e2,-0.0,null],"e":1.2345678901234567890}'
        },
    ),
    "key_object": ("a.jsonl", changed(key={"id": 1, "x": [True]}), {"key": '{"id":1,"x":[true]}'}),
    "key_number": (
        "a.jsonl",
        changed(key=12345678901234567890123),
        {"key": str(12345678901234567890123)},
    ),
    "timestamp_absent": ("a.jsonl", without("timestamp"), {"timestamp": None}),
    "timestamp_minus_one": ("a.jsonl", changed(timestamp=-1), {"timestamp": None}),
    "timestamp_iso": (
        "a.jsonl",
        changed(timestamp="2026-11-18T12:00:00.123456+01:00"),
        {"timestamp": datetime(2026, 11, 18, 11, 0, 0, 123456)},
    ),
    "timestamp_as_spark_prints": (
        "a.jsonl",
        changed(timestamp="2026-11-18 11:00:00.5"),
        {"timestamp": datetime(2026, 11, 18, 11, 0, 0, 500000)},
    ),
    "timestamp_digits": ("a.jsonl", changed(timestamp=str(EARLY)), {}),
    "timestamp_day": (
        "a.jsonl",
        changed(timestamp="2026-11-18"),
        {"timestamp": datetime(2026, 11, 18)},
    ),
    "timestamp_ts": ("a.jsonl", without("timestamp")[:-2] + f', "ts": {EARLY}}}\n', {}),
    "timestamp_type_word": (
        "a.jsonl",
        changed(timestampType="LogAppendTime"),
        {"timestampType": 1},
    ),
    "offset_as_text": ("a.jsonl", changed(offset="0"), {}),
    "headers_absent": ("a.jsonl", without("headers"), {"headers": None}),
    "headers_null": ("a.jsonl", changed(headers=None), {"headers": None}),
    "headers_empty": ("a.jsonl", changed(headers=[]), {"headers": []}),
    "headers_object": ("a.jsonl", changed(headers={"h": "v"}), {}),
    "headers_object_of_lists": (
        "a.jsonl",
        changed(headers={"h": ["v", None]}),
        {"headers": [Row(key="h", value="v"), Row(key="h", value=None)]},
    ),
    "headers_pairs": ("a.jsonl", changed(headers=[["h", "v"]]), {}),
    "headers_single_members": ("a.jsonl", changed(headers=[{"h": "v"}]), {}),
    "headers_flat": ("a.jsonl", changed(headers=["h", "v"]), {}),
    "headers_flat_with_json": (
        "a.jsonl",
        changed(headers=["h", '{"a":1,"b":[2]}']),
        {"headers": [Row(key="h", value='{"a":1,"b":[2]}')]},
    ),
    "headers_null_value": (
        "a.jsonl",
        changed(headers=[{"key": "h", "value": None}]),
        {"headers": [Row(key="h", value=None)]},
    ),
    "headers_number": (
        "a.jsonl",
        changed(headers=[{"key": "h", "value": 7}]),
        {"headers": [Row(key="h", value="7")]},
    ),
    "kcat": (
        "a.json",
        kcat() + "\n",
        {
            "key": "k",
            "value": '{"op":"c"}',
            "headers": [Row(key="a", value="1"), Row(key="a", value=None)],
        },
    ),
    "kcat_tombstone": (
        "a.json",
        kcat(payload=None) + "\n",
        {"key": "k", "value": None, "headers": [Row(key="a", value="1"), Row(key="a", value=None)]},
    ),
    "kcat_with_avro_decoded": (
        "a.json",
        kcat(payload={"x": 1.50}, value_schema_id=3) + "\n",
        {
            "key": "k",
            "value": '{"x":1.5}',
            "headers": [Row(key="a", value="1"), Row(key="a", value=None)],
        },
    ),
}

PARQUET: dict[str, tuple[str, dict[str, Any]]] = {
    "as_kafka_source": (
        "select {topic} as topic, 0 as partition, 0L as offset, timestamp_millis({when}) as "
        "timestamp, 0 as timestampType, cast('{{\"id\":0}}' as binary) as key, "
        "cast('x' as binary) as value, array(struct('h' as key, cast('v' as binary) as value)) "
        "as headers",
        {"value": "x"},
    ),
    "text_and_milliseconds": (
        "select {topic} as topic, 0L as Partition, 0 as OFFSET, {when} as timestamp, "
        "'{{\"id\":0}}' as key, cast(null as string) as value",
        {"value": None, "timestampType": None, "headers": None},
    ),
    "timestamp_without_zone": (
        "select {topic} as topic, 0 as partition, 0 as offset, "
        "cast('2026-11-18 11:00:00' as timestamp_ntz) as timestamp, 'k' as key, '' as value, "
        "map('h', 'v') as headers",
        {
            "key": "k",
            "value": "",
            "timestampType": None,
            "timestamp": datetime(2026, 11, 18, 11),
        },
    ),
}


@pytest.fixture(scope="module")
def landed(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Row]]:
    """All forms in one folder, a topic each, landed by one run: rows by case."""
    lake = Lake(spark, tmp_path_factory.mktemp("forms"))
    for case, (name, content, _) in FORMS.items():
        for topic in ("p.shop.orders", '"t"'):
            new = f'"{case}"' if topic.startswith('"') else case
            if isinstance(content, str):
                content = content.replace(topic, new)
            elif name.endswith(".gz"):
                content = gzip.compress(
                    gzip.decompress(content).replace(topic.encode(), new.encode())
                )
            else:
                content = content.replace(topic.encode(), new.encode())
        lake.write(f"{case}/{name}", content)
    for case, (sql, _) in PARQUET.items():
        query = sql.format(topic=f"'{case}'", when=EARLY)
        spark.sql(query).coalesce(1).write.parquet(str(lake.folder / case))
    lake.run()
    assert lake.rejected() == []
    rows: dict[str, list[Row]] = {}
    for row in lake.rows():
        rows.setdefault(row.topic, []).append(row)
    return rows


@pytest.mark.covers(
    "form JSON, JSON compressed, kcat -J, strings in JSON, Parquet with texts: files",
    "form keys, headers, tombstones: files",
)
@pytest.mark.parametrize("case", [*FORMS, *PARQUET])
def test_a_record_lands_whatever_its_form(landed: dict[str, list[Row]], case: str) -> None:
    differs = FORMS[case][2] if case in FORMS else PARQUET[case][1]
    expected = record(0) | {"topic": case, "timestamp": WHEN, "headers": HEADERS} | differs

    assert [row.asDict() for row in landed.get(case, [])] == [expected]


def test_a_single_file_and_a_glob_are_inputs_too(lake: Lake) -> None:
    lake.write("a.jsonl", line(1))
    lake.write("b.jsonl", line(2))
    lake.write("c.other", line(3))

    lake.run(path="data/a.jsonl")
    assert lake.offsets() == [1]
    lake.run(path="data/*.jsonl")
    assert lake.offsets() == [1, 2]


@pytest.mark.parametrize("path", ["data", "data/*.jsonl", "data/none/*"])
def test_no_files_yet_is_no_error(lake: Lake, path: str) -> None:
    run = lake.start(path=path)

    assert run.frame is None
    assert lake.rejected() == []
