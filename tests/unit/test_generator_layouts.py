"""`init` recognises the layout of a sink's files, and reads the topic prefix from them."""

from __future__ import annotations

import json
import tracemalloc
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from typer.testing import CliRunner

from dbt_debezium_spark.cli import app
from dbt_debezium_spark.config import load_sources
from dbt_debezium_spark.generator import file_beginnings
from dbt_debezium_spark.generator.file_beginnings import BLOCKS, STREAMS
from dbt_debezium_spark.generator.topic_prefix import TopicPrefixError, look_into_files
from dbt_debezium_spark.landing.listing import COMPRESSED_SUFFIXES
from tests.support import avro_writer, parquet_writer
from tests.support.examples import example_lines
from tests.support.sink_writer import compressed, write_aiven, write_connect, write_lenses

PREFIX = "PostgreSQL_server"


def records() -> list[dict[str, Any]]:
    (one,) = example_lines("postgres_2.1.4_create_with_schema")
    told = {"partition": 0, "timestamp": 1_795_000_000_123, **one}
    told["headers"] = [{"key": "h", "value": "v"}]
    for side in ("key", "value"):
        if not isinstance(told[side], str):
            told[side] = json.dumps(told[side])
    return [{**told, "offset": offset} for offset in (4, 5)]


FIELDS = ["key", "value", "offset", "timestamp", "headers"]
TOPIC = records()[0]["topic"]


def record_lines(folder: Path, ours: list[dict[str, Any]]) -> None:
    (folder / "a.jsonl").write_text("".join(json.dumps(one) + "\n" for one in ours))


def kcat_lines(folder: Path, ours: list[dict[str, Any]]) -> None:
    lines = [
        {"topic": one["topic"], "partition": 0, "offset": one["offset"], "tstype": "create"}
        | {"ts": one["timestamp"], "key": one["key"], "payload": one["value"]}
        for one in ours
    ]
    record_lines(folder, lines)


def record_parquet(folder: Path, ours: list[dict[str, Any]]) -> None:
    names = ("topic", "partition", "offset", "key", "value")
    rows = [{name: one[name] for name in names} for one in ours]
    pq.write_table(pa.Table.from_pylist(rows), folder / "a.parquet")


PLACE = parquet_writer.record("Place", topic="string", offset="long")


def lenses_avro(folder: Path, ours: list[dict[str, Any]]) -> None:
    schema = parquet_writer.record(value="string", metadata=PLACE)
    rows = [
        avro_writer.written_bytes(one["value"].encode())
        + avro_writer.written_bytes(one["topic"].encode())
        + avro_writer.written_long(one["offset"])
        for one in ours
    ]
    (folder / "4.avro").write_bytes(avro_writer.container(schema, [rows], "snappy"))


def aiven_avro(folder: Path, ours: list[dict[str, Any]]) -> None:
    (folder / f"{TOPIC}-0-4").write_bytes(
        avro_writer.values_container([one["value"] for one in ours], codec="zstandard")
    )


CONNECT = {"layout": "connect"}
AIVEN = {"layout": "aiven"}
# By form: what writes the files, the layout, how they are named in the report, and whether landing
# decompresses them.
FORMS: dict[str, tuple[Any, dict[str, Any], str, bool]] = {
    "records": (record_lines, {}, "JSON lines", True),
    "kcat": (kcat_lines, {}, "JSON lines", True),
    "parquet": (record_parquet, {}, "Parquet", False),
    "connect": (write_connect, CONNECT, "JSON lines", True),
    "connect_keys": (
        partial(write_connect, keys="json", headers="json", flush=1), CONNECT, "JSON lines", True,
    ),
    "connect_strings": (partial(write_connect, form="string.json"), CONNECT, "JSON lines", True),
    "connect_bytes": (partial(write_connect, form="bin"), CONNECT, "lines of", True),
    "connect_avro": (partial(write_connect, form="avro"), CONNECT, "Avro", False),
    "connect_parquet": (partial(write_connect, form="parquet"), CONNECT, "Parquet", False),
    "aiven_csv": (write_aiven, {**AIVEN, "fields": FIELDS}, "CSV", True),
    "aiven_csv_without_headers": (
        lambda folder, ours: write_aiven(folder, [{**one, "headers": None} for one in ours]),
        {**AIVEN, "fields": FIELDS}, "CSV", True,
    ),
    "aiven_value": (partial(write_aiven, fields=["value"]), AIVEN, "CSV", True),
    "aiven_other_order": (
        partial(write_aiven, fields=["offset", "value", "key"]),
        {**AIVEN, "fields": ["offset", "value", "key"]}, "CSV", True,
    ),
    "aiven_jsonl": (
        partial(write_aiven, form="jsonl"), {**AIVEN, "format": "jsonl"}, "JSON lines", True,
    ),
    "aiven_json": (
        partial(write_aiven, form="json"), {**AIVEN, "format": "json"}, "JSON lines", True,
    ),
    "aiven_json_values": (
        partial(write_aiven, form="jsonl", envelope=False),
        {**AIVEN, "format": "jsonl", "envelope": False}, "JSON lines", True,
    ),
    "aiven_avro": (aiven_avro, {**AIVEN, "format": "avro", "envelope": False}, "Avro", False),
    "lenses": (write_lenses, {"layout": "lenses"}, "JSON lines", True),
    "lenses_avro": (lenses_avro, {"layout": "lenses"}, "Avro", False),
}  # fmt: skip


@pytest.mark.parametrize(
    ("form", "extension"),
    [
        (form, extension)
        for form, (*_, is_compressed) in FORMS.items()
        for extension in ("", *(COMPRESSED_SUFFIXES if is_compressed else (".gz",)))
        # landing opens containers by their content, and no Parquet that is compressed as a whole
        if not (extension and "parquet" in form)
    ],
)
def test_each_form_that_landing_reads_is_looked_into(
    tmp_path: Path, form: str, extension: str
) -> None:
    write, layout, shown, is_compressed = FORMS[form]
    write(tmp_path, records())
    for file in [one for one in tmp_path.rglob("*") if one.is_file()]:
        file.write_bytes(compressed(file.read_bytes(), extension))
        if is_compressed:
            file.rename(f"{file}{extension}")

    found = look_into_files(str(tmp_path))
    assert found.layout == layout
    assert found.unread == []
    assert (found.records, len(found.tables), found.flattened) == (2, 1, 0)
    assert found.topic_prefix("postgresql") == PREFIX
    assert shown in found.looked and (extension[1:] in found.looked or not is_compressed)
    with pytest.raises(TopicPrefixError, match=r"from `postgresql`, not from `mysql`\. Correct"):
        found.topic_prefix("mysql", PREFIX)


def test_every_extension_of_a_compression_is_known() -> None:
    assert {*STREAMS, *BLOCKS} == set(COMPRESSED_SUFFIXES)


def test_a_bad_file_is_named_and_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record_lines(tmp_path, records())
    line = (tmp_path / "a.jsonl").read_bytes()
    deep = b"[" * 10_000 + b"]" * 10_000
    bad = {
        "cut.jsonl.gz": compressed(line * 50, ".gz")[:-9],
        "garbage.jsonl.bz2": bytes(range(256)) * 10,
        "garbage.jsonl.lz4": bytes(range(256)) * 10,
        "garbage.jsonl.snappy": b"\x82SNAPPY\x00" * 10,  # framed, which Spark does not read
        "cut.jsonl.lz4": compressed(line * 9, ".lz4")[:-3],
        "cut.parquet": b"PAR1" + bytes(50),
        f"{PREFIX}.avro": avro_writer.values_container([one["value"] for one in records()]),
        "deep.jsonl": b'{"topic":"a","partition":0,"offset":1,"value":' + deep + b"}",
        "deep.text.jsonl": json.dumps({**records()[0], "value": deep.decode()}).encode(),
        "README.md": b"# Hello\n\nworld\n",
        "nonsense.jsonl": b'{"topic": "cut\nnonsense\n[]\n\n',
    }
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)

    found = look_into_files(str(tmp_path))
    assert found.topic_prefix("postgresql") == PREFIX
    assert found.records == 3
    by_name = {
        Path(name).name: why for name, _, why in (one.partition(": ") for one in found.unread)
    }
    assert set(by_name) == set(bad) - {"deep.text.jsonl"}
    assert by_name["README.md"] == (
        "line 1 and 1 more are no records: malformed_line: not JSON: Expecting an object at"
        " character 1"
    )
    assert "Truncated" in by_name["cut.jsonl.gz"]
    assert "first offset" in by_name[f"{PREFIX}.avro"]
    (line_1, line_2) = found.report()
    assert line_1 == (
        f"Looked into 12 files (JSON lines): 3 records, 1 table, topic prefix {PREFIX}, connector"
        " postgresql"
    )
    assert line_2.startswith("Not read: ") and line_2.endswith("; 7 more")


def test_no_file_decompresses_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record_lines(tmp_path, records())
    monkeypatch.setattr(file_beginnings, "FIRST_BYTES", 100_000)
    monkeypatch.setattr(file_beginnings, "MAX_LINE_BYTES", 300_000)
    zeros = bytes(20_000_000)
    for extension in COMPRESSED_SUFFIXES:
        content = compressed(zeros, extension) if extension != ".lz4" else b""
        (tmp_path / f"bomb.jsonl{extension}").write_bytes(content)
    (tmp_path / "t+0+0.avro").write_bytes(avro_writer.container("null", [[zeros]], "deflate"))

    tracemalloc.start()
    found = look_into_files(str(tmp_path))
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()
    assert found.topic_prefix("postgresql") == PREFIX
    assert sum("first line has more than" in one for one in found.unread) == 5


def test_files_are_taken_from_the_whole_input(tmp_path: Path) -> None:
    for number in range(120):
        (tmp_path / f"{number:03d}.jsonl").write_text("")
    for one in records()[:1]:
        (tmp_path / "099.jsonl").write_text(json.dumps(one))

    found = look_into_files(str(tmp_path))
    assert found.looked == "40 of 120 files (JSON lines)"
    assert found.topic_prefix("postgresql") == PREFIX


def test_fields_that_are_empty_at_first_are_told_by_other_lines(tmp_path: Path) -> None:
    first, second = records()
    ours = [{**first, "headers": None, "key": None}, {**second, "headers": None}]
    write_aiven(tmp_path, ours, fields=["headers", "key", "value", "offset"])
    fields = ["headers", "key", "value", "offset"]
    assert look_into_files(str(tmp_path)).layout == {"layout": "aiven", "fields": fields}


def test_files_with_kafkas_columns_have_no_layout(tmp_path: Path) -> None:
    line = json.dumps(records()[0])
    for name in ("a.jsonl", "t+0+0000000004.json", "t-0-4"):
        (tmp_path / name).write_text(line + "\n")

    assert look_into_files(str(tmp_path)).layout == {}
    assert look_into_files(str(tmp_path / "missing")).layout == {}


EVENT = json.dumps({"op": "c", "source": {"name": PREFIX, "connector": "postgresql"}})
FLATTENED = {"id": 1, "source": "x", "__op": "c", "__name": PREFIX}


@pytest.mark.parametrize(
    ("name", "types", "row", "layout", "flattened"),
    [
        (f"{PREFIX}.a.t-0-4", {"value": "string"}, {"value": EVENT},
         {"layout": "aiven", "format": "parquet"}, 0),
        ("any.parquet", {"value": "string", "metadata": PLACE},
         {"value": EVENT, "metadata": {"topic": f"{PREFIX}.a.t", "offset": 1}},
         {"layout": "lenses"}, 0),
        (f"{PREFIX}.a.t+0+0000000004.parquet",
         {"topic": "string", "partition": "int", "offset": "long", "value": "string"},
         {"topic": f"{PREFIX}.a.t", "partition": 0, "offset": 1, "value": EVENT}, {}, 0),
        (f"{PREFIX}.a.t+0+0000000004.parquet",
         {"id": "long", "source": "string", "__op": "string", "__name": "string"}, FLATTENED,
         {"layout": "connect"}, 1),
    ],
)  # fmt: skip
def test_parquet_is_recognised_by_name_and_columns(
    tmp_path: Path, name: str, types: Any, row: Any, layout: Any, flattened: int
) -> None:
    content = parquet_writer.written(parquet_writer.record(**types), [row])
    (tmp_path / name).write_bytes(content)

    found = look_into_files(str(tmp_path))
    assert (found.layout, found.flattened) == (layout, flattened)
    assert found.topic_prefix("postgresql") == PREFIX


@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"\xff\xfe", b"[\n", b'{"metadata":7}', b"Obj\x01", b"5", b"5,,,x,y"]
)
def test_strange_files_are_no_obstacle(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    (tmp_path / "t-0-1").write_bytes(content)

    assert isinstance(look_into_files(str(tmp_path)).layout, dict)


def test_init_writes_the_layout_into_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_aiven(tmp_path / "in", records())
    options = ["--source", "s", "--connector", "postgresql", "--input", "in"]
    result = CliRunner().invoke(app, ["init", "shop", *options])

    assert result.exit_code == 0, result.output
    assert "layout: aiven, fields: ['key', 'value'" in result.output
    project = yaml.safe_load((tmp_path / "shop" / "dbt_project.yml").read_text())
    sources = project["vars"]["debezium_sources"]
    layout = {"layout": "aiven", "fields": FIELDS}
    assert sources["s"]["input"] == {"type": "files", "path": "../in", **layout}
    assert load_sources(sources)["s"].topic_prefix == PREFIX
