"""`init` recognises the layout of a sink's files, and reads the topic prefix from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from dbt_debezium_spark import generator
from dbt_debezium_spark.cli import app
from dbt_debezium_spark.config import load_sources
from dbt_debezium_spark.generator import infer_topic_prefix
from dbt_debezium_spark.generator.recognised_layout import recognised_layout
from dbt_debezium_spark.generator.topic_prefix import has_flattened_records
from tests.support import avro_writer, parquet_writer
from tests.support.examples import example_lines
from tests.support.sink_writer import write_aiven, write_connect, write_lenses

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
WRITERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "connect": (write_connect, {"layout": "connect"}),
    "connect_gz": (
        lambda folder, ours: write_connect(folder, ours, form="json.gz", keys="json"),
        {"layout": "connect"},
    ),
    "connect_strings": (
        lambda folder, ours: write_connect(folder, ours, form="string.json"),
        {"layout": "connect"},
    ),
    "connect_parquet": (
        lambda folder, ours: write_connect(folder, ours, form="parquet"),
        {"layout": "connect"},
    ),
    "aiven_csv": (write_aiven, {"layout": "aiven", "fields": FIELDS}),
    "aiven_csv_without_headers": (
        lambda folder, ours: write_aiven(folder, [{**one, "headers": None} for one in ours]),
        {"layout": "aiven", "fields": FIELDS},
    ),
    "aiven_value": (
        lambda folder, ours: write_aiven(folder, ours, fields=["value"]),
        {"layout": "aiven"},
    ),
    "aiven_other_order": (
        lambda folder, ours: write_aiven(
            folder, ours, fields=["offset", "value", "key"], compression=".gz"
        ),
        {"layout": "aiven", "fields": ["offset", "value", "key"]},
    ),
    "aiven_jsonl": (
        lambda folder, ours: write_aiven(folder, ours, form="jsonl", compression=".gz"),
        {"layout": "aiven", "format": "jsonl"},
    ),
    "aiven_json": (
        lambda folder, ours: write_aiven(folder, ours, form="json"),
        {"layout": "aiven", "format": "json"},
    ),
    "aiven_json_values": (
        lambda folder, ours: write_aiven(folder, ours, form="jsonl", envelope=False),
        {"layout": "aiven", "format": "jsonl", "envelope": False},
    ),
    "lenses": (write_lenses, {"layout": "lenses"}),
}


@pytest.mark.parametrize("case", WRITERS)
def test_a_layout_and_the_topic_prefix_are_read_from_files(tmp_path: Path, case: str) -> None:
    write, expected = WRITERS[case]
    write(tmp_path, records())

    found = recognised_layout(str(tmp_path))
    assert found == expected
    assert infer_topic_prefix(str(tmp_path), "postgresql", found) == PREFIX


def test_fields_that_are_empty_at_first_are_told_by_other_lines(tmp_path: Path) -> None:
    first, second = records()
    ours = [{**first, "headers": None, "key": None}, {**second, "headers": None}]
    write_aiven(tmp_path, ours, fields=["headers", "key", "value", "offset"])
    fields = ["headers", "key", "value", "offset"]
    assert recognised_layout(str(tmp_path)) == {"layout": "aiven", "fields": fields}


def test_files_with_kafkas_columns_have_no_layout(tmp_path: Path) -> None:
    line = json.dumps(records()[0])
    for name in ("a.jsonl", "t+0+0000000004.json", "t-0-4"):
        (tmp_path / name).write_text(line + "\n")

    assert recognised_layout(str(tmp_path)) == {}
    assert recognised_layout(str(tmp_path / "missing")) == {}


def test_containers_are_recognised(tmp_path: Path) -> None:
    for name, fields, expected in (
        ("a/t+0+0.avro", ["op"], {"layout": "connect"}),
        ("b/t-0-4.avro", ["value"], {"layout": "aiven", "format": "avro"}),
        ("c/000000000004.avro", ["value", "metadata"], {"layout": "lenses"}),
    ):
        schema = {
            "type": "record",
            "name": "R",
            "fields": [{"name": one, "type": "string"} for one in fields],
        }
        path = tmp_path / name
        path.parent.mkdir()
        path.write_bytes(avro_writer.container(schema, []))
        assert recognised_layout(str(path.parent)) == expected


@pytest.mark.parametrize(
    ("name", "columns", "expected"),
    [
        (f"{PREFIX}.a.t-0-4", {"value": "string"}, {"layout": "aiven", "format": "parquet"}),
        ("any.parquet", {"value": "string", "metadata": "place"}, {"layout": "lenses"}),
        (f"{PREFIX}.a.t+0+0000000004.parquet", {"topic": "string", "partition": "int"}, {}),
    ],
)
def test_parquet_is_recognised_by_name_and_columns(
    tmp_path: Path, name: str, columns: dict[str, str], expected: dict[str, Any]
) -> None:
    place = parquet_writer.record(topic="string", offset="long")
    kinds = {one: place if kind == "place" else kind for one, kind in columns.items()}
    if expected == {}:
        kinds["offset"] = "long"
    row = {"metadata": {"topic": f"{PREFIX}.a.t", "offset": 1}} | {
        "value": json.dumps({"op": "c", "source": {"name": PREFIX, "connector": "postgresql"}})
    }
    content = parquet_writer.written(parquet_writer.record(**kinds), [row])
    (tmp_path / name).write_bytes(content)

    assert recognised_layout(str(tmp_path)) == expected
    if expected:
        assert infer_topic_prefix(str(tmp_path), "postgresql", expected) == PREFIX


def test_flattened_rows_in_columns_are_recognised(tmp_path: Path) -> None:
    schema = parquet_writer.record(id="long", source="string", __op="string", __name="string")
    row = {"id": 1, "source": "x", "__op": "c", "__name": PREFIX}
    path = tmp_path / f"{PREFIX}.a.t+0+0000000004.parquet"
    path.write_bytes(parquet_writer.written(schema, [row]))
    layout = recognised_layout(str(tmp_path))
    assert layout == {"layout": "connect"}
    assert has_flattened_records(str(tmp_path), layout)
    assert infer_topic_prefix(str(tmp_path), "postgresql", layout) == PREFIX


@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"\xff\xfe", b"[\n", b'{"metadata":7}', b"Obj\x01"]
)
def test_strange_files_are_no_obstacle(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    (tmp_path / "t-0-1").write_bytes(content)

    assert isinstance(recognised_layout(str(tmp_path)), dict)


def test_init_writes_the_layout_into_the_project(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(generator.DbtProject, "install_packages", lambda self: None)
    write_aiven(tmp_path / "in", records())
    result = CliRunner().invoke(
        app,
        ["init", "shop", "--source", "s", "--connector", "postgresql", "--input", "in"],
    )

    assert result.exit_code == 0, result.output
    assert "layout: aiven, fields: ['key', 'value'" in result.output
    project = yaml.safe_load((tmp_path / "shop" / "dbt_project.yml").read_text())
    sources = project["vars"]["debezium_sources"]
    assert sources["s"]["input"] == {
        "type": "files",
        "path": "../in",
        "layout": "aiven",
        "fields": FIELDS,
    }
    assert load_sources(sources)["s"].topic_prefix == PREFIX
