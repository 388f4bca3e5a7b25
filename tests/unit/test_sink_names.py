"""Names of files that sinks wrote: topic, partition, first offset, and their options."""

from __future__ import annotations

import re

import pytest

from dbt_debezium_spark.config.sink_layouts import FILE_NAME
from dbt_debezium_spark.inputs.sinks.names import (
    CONNECT_PATH,
    SPREAD,
    TOMBSTONES,
    NameProblem,
    SinkName,
    aiven_name,
    connect_name,
    suffix_of,
)

FOLDER = "topics/p.public.orders/partition=3"
NAME = "p.public.orders+3+0000000042"


@pytest.mark.parametrize(
    ("path", "part", "suffix"),
    [
        (f"{NAME}.json", "values", ".json"),
        (f"{NAME}.json.gz", "values", ".json"),
        (f"{NAME}.avro", "values", ".avro"),
        (f"{NAME}.snappy.parquet", "values", ".snappy.parquet"),
        (f"{NAME}.bin", "values", ".bin"),
        (NAME, "values", ""),
        (f"{NAME}.keys.avro", "keys", ".avro"),
        (f"{NAME}.keys.json.gz", "keys", ".json"),
        (f"{NAME}.headers.snappy.parquet", "headers", ".snappy.parquet"),
        (f"{NAME}+0000000057.avro", "values", ".avro"),
        # an escaped plus is a plus
        (f"{NAME.replace('+', '%2B')}.keys.json", "keys", ".json"),
    ],
)
def test_a_name_of_confluents_sinks_tells_the_place_of_its_records(path, part, suffix):
    name = connect_name(f"{FOLDER}/{path}")

    assert (name.topic, name.partition, name.first_offset) == ("p.public.orders", 3, 42)
    assert (name.part, name.suffix, name.base_offset) == (part, suffix, 42)
    # the files of one set have one base
    assert name.base.removesuffix("+0000000057") == f"{FOLDER}/{NAME}"


@pytest.mark.parametrize(
    "folder",
    [
        "topics/p.public.orders/year=2026/month=01/day=31/hour=12",
        "topics/p.public.orders/2026-01-31",
        "lake/year=2026",
        "topics/p.public.orders/op=c",
    ],
)
def test_records_that_a_partitioner_spread_are_numbered_apart(folder):
    name = connect_name(f"{folder}/{NAME}.json")

    assert name.is_spread
    assert name.base_offset == 42 * SPREAD


@pytest.mark.parametrize("folder", ["", "data", "topics/p.public.orders", FOLDER])
def test_records_that_no_partitioner_spread_keep_their_offsets(folder):
    assert connect_name(f"{folder}/{NAME}.json").base_offset == 42


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (f"{FOLDER}/part-00000.json", "its name is not"),
        (f"{FOLDER}/p.public.orders-3-42.json", "its name is not"),
        (f"{FOLDER}/p.public.orders+x+1.json", "its name is not"),
        (f"{FOLDER}/p public+3+1.json", "its name is not"),
        (f"topics/p.public.items/partition=3/{NAME}.json", "topic `p.public.orders`, partition 3"),
        (f"topics/p.public.orders/partition=4/{NAME}.json", "its folder `p.public.orders/part"),
        (f"{FOLDER}/t+99999999999+1.json", "which Kafka does not have"),
        (f"{FOLDER}/t+3+{'9' * 30}.json", "which Kafka does not have"),
        (f"data/t+3+{2**63}.json", "too large"),
        (f"topics/t/hour=1/t+0+{2**60}.json", "too large"),
    ],
)
def test_a_name_that_does_not_tell_the_place_is_refused_with_the_reason(path, why):
    with pytest.raises(NameProblem, match=re.escape(why)):
        connect_name(path)


def test_spark_reads_names_like_python():
    for path in (
        f"{FOLDER}/{NAME}.keys.avro",
        f"{FOLDER}/{NAME}.json.gz",
        f"{NAME}+0000000057.snappy.parquet",
        f"x y/{NAME.replace('+', '%2B')}.headers.json",
    ):
        name = connect_name(path)
        base, topic, partition, first, part = re.fullmatch(CONNECT_PATH, path).groups()
        assert base.replace("%2B", "+") == name.base
        assert (topic, int(partition), int(first)) == (name.topic, 3, 42)
        assert (part or "values") == name.part


def test_only_keys_and_headers_of_tombstones_are_left_out():
    folder = "topics/p.public.orders/tombstone"

    assert re.search(TOMBSTONES, f"{folder}/{NAME}.keys.avro")
    assert re.search(TOMBSTONES, f"{folder}/{NAME}.headers.json.gz")
    assert not re.search(TOMBSTONES, f"{folder}/{NAME}.json")
    assert not re.search(TOMBSTONES, f"{FOLDER}/{NAME}.keys.avro")


@pytest.mark.parametrize(
    ("path", "template", "expected"),
    [
        ("in/p.public.orders-3-42", FILE_NAME, ("p.public.orders", 3, 42)),
        ("in/p.public.orders-3-42.gz", FILE_NAME, ("p.public.orders", 3, 42)),
        ("in/p-x-3-00000000000000000042.gz", FILE_NAME, ("p-x", 3, 42)),
        ("orders-0000000003-1", FILE_NAME, ("orders", 3, 1)),
        ("in/o/3/42.gz", "{{topic}}/{{partition}}/{{start_offset}}", ("o", 3, 42)),
        (
            "in/o-part3-off42-20260131.gz",
            "{{topic}}-part{{ partition }}-off{{start_offset:padding=true}}-{{timestamp:unit=yyyy}}"
            "{{timestamp:unit=MM}}{{timestamp:unit=dd}}",
            ("o", 3, 42),
        ),
    ],
)
def test_a_name_of_aivens_sinks_is_read_by_its_template(path, template, expected):
    name = aiven_name(path, template)

    assert (name.topic, name.partition, name.first_offset) == expected
    assert not name.is_spread


@pytest.mark.parametrize("path", ["in/orders.jsonl", "in/orders-3", "in/3-4", "in/orders-a-4.gz"])
def test_a_name_that_is_not_like_the_template_is_refused(path):
    with pytest.raises(NameProblem, match="input.file_name"):
        aiven_name(path, FILE_NAME)


def test_an_extension_is_that_of_the_content():
    assert suffix_of("a/b.c/x.avro") == ".avro"
    assert suffix_of("a/b.c/x.JSON.gz") == ".json"
    assert suffix_of("a.b/c") == ""
    assert SinkName("t", 0, 1).part == "values"
