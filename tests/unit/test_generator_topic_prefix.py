"""The topic prefix, found in records."""

from __future__ import annotations

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dbt_debezium_spark.generator import file_beginnings
from dbt_debezium_spark.generator.topic_prefix import TopicPrefixError, look_into_files
from tests.support.examples import example_lines

SQLSERVER = ("sqlserver_2.1.4_update_payload_only",)
POSTGRESQL = ("postgres_2.1.4_create_with_schema", "postgres_2.1.4_tombstone")


def infer_topic_prefix(path, connector):
    return look_into_files(path).topic_prefix(connector)


@pytest.fixture
def write(tmp_path):
    def write(*records, name="records.jsonl"):
        text = "".join(json.dumps(one) + "\n" for one in records)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path)

    return write


@pytest.mark.parametrize(
    ("connector", "examples", "prefix"),
    [
        ("postgresql", POSTGRESQL, "PostgreSQL_server"),
        ("sqlserver", SQLSERVER, "server1"),
        ("mysql", ("mysql_3.6_update_payload_only",), "mysql-server-1"),
        ("mariadb", ("mariadb_3.6_create_payload_only",), "mariadb-server-1"),
    ],
)
def test_the_source_block_names_the_prefix(write, connector, examples, prefix):
    folder = write(*example_lines(*examples))

    assert infer_topic_prefix(folder, connector) == prefix
    assert infer_topic_prefix(f"{folder}/*.jsonl", connector) == prefix


(UPDATED,) = example_lines(*SQLSERVER)
OF_ANOTHER = json.loads(json.dumps(UPDATED).replace("server1", "server2"))
RENAMED = [
    {**UPDATED, "topic": one} for one in ("routed", "server1_routed", "server10.dbo.customers")
]


@pytest.mark.parametrize(
    ("records", "connector", "why"),
    [
        ([UPDATED, OF_ANOTHER], "sqlserver", r"`server1` \(1 records\), `server2` \(1 records\)"),
        ([UPDATED], "postgresql", "from `sqlserver`, not from `postgresql`"),
        *(([one], "sqlserver", "--topic-prefix") for one in RENAMED),
        ([], "postgresql", "--topic-prefix"),
    ],
)
def test_records_that_name_no_prefix_say_why(write, records, connector, why):
    with pytest.raises(TopicPrefixError, match=why):
        infer_topic_prefix(write(*records), connector)


def test_a_writer_of_the_format_of_a_connector_has_its_prefix(write):
    block = {"name": "default", "connector": "TiCDC", "file": "", "pos": 0}
    value = {"op": "c", "source": block}
    folder = write({"topic": "default.shop.a", "partition": 0, "offset": 0, "value": value})

    assert infer_topic_prefix(folder, "mysql") == "default"
    assert look_into_files(folder).topic_prefix("mysql", "default") == "default"


@pytest.mark.covers("case init-deep-line")
def test_a_line_that_is_nested_too_deeply_is_named_and_the_others_are_read(write, tmp_path):
    deep = tmp_path / "a_first.jsonl"
    deep.write_text('{"topic":"a.b","value":' + "[" * 100_000 + "]" * 100_000 + "}\n")

    with pytest.raises(
        TopicPrefixError,
        match=r"Not read: .*a_first\.jsonl: line 1 is no record: malformed_line: nested too deeply",
    ):
        infer_topic_prefix(str(tmp_path), "postgresql")

    inside = json.dumps("[" * 100_000 + "]" * 100_000)
    deep.write_text(deep.read_text() + '{"topic":"a.b","value":' + inside + "}\n")
    folder = write(*example_lines(*POSTGRESQL))
    assert infer_topic_prefix(folder, "postgresql") == "PostgreSQL_server"


def test_a_link_out_of_the_folder_is_not_read(write, tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    write(*example_lines(*POSTGRESQL), name="outside/records.jsonl")
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link.jsonl").symlink_to(outside / "records.jsonl")
    (tmp_path / "in" / "round").symlink_to(".")

    with pytest.raises(TopicPrefixError, match=r"link\.jsonl: it is a link that leaves the input"):
        infer_topic_prefix(str(tmp_path / "in"), "postgresql")


def test_a_line_without_end_is_not_read_into_memory(write, tmp_path, monkeypatch):
    monkeypatch.setattr(file_beginnings, "MAX_LINE_BYTES", 10_000)
    (tmp_path / "a_first.jsonl").write_text("x" * 10_001)

    with pytest.raises(TopicPrefixError, match=r"a_first\.jsonl: its first line has more than"):
        infer_topic_prefix(str(tmp_path), "postgresql")
    assert infer_topic_prefix(write(*example_lines(*SQLSERVER)), "sqlserver") == "server1"


PLACE = {"topic": "shop.public.orders", "partition": 0, "offset": 1}


@pytest.mark.parametrize("name", ["__name", "__source_name", "__deleted"])
def test_flattened_records_name_the_prefix_if_it_was_added(write, name):
    row = {"id": 1, "__op": "c", name: "shop"}
    found = look_into_files(write(PLACE | {"value": row}, PLACE | {"value": json.dumps(row)}))

    assert found.flattened == 2
    if name == "__deleted":
        with pytest.raises(TopicPrefixError, match="2 flattened records without the name"):
            found.topic_prefix("postgresql")
    else:
        assert found.topic_prefix("postgresql") == "shop"


@pytest.mark.parametrize("form", ["text", "bytes", "struct", "columns"])
def test_parquet_files_are_read_in_every_form(tmp_path, form):
    source = {"name": "shop", "connector": "postgresql", "lsn": 5}
    event = {"op": "c", "source": source, "after": {"at": 2**62}}
    text = json.dumps(event)
    columns = {
        "text": {"value": text},
        "bytes": {"value": text.encode()},
        "struct": {"value": event},
        "columns": event,
    }[form]
    rows = [PLACE | {"other": 1} | columns]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    assert infer_topic_prefix(str(tmp_path), "postgresql") == "shop"


def test_parquet_files_that_tell_nothing_are_told(tmp_path):
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 no")
    pq.write_table(pa.table({"x": [1]}), tmp_path / "other.parquet")
    with pytest.raises(
        TopicPrefixError,
        match=r"no record in.*Not read: .*bad\.parquet: .*other\.parquet: it has no column `topic`",
    ):
        infer_topic_prefix(str(tmp_path), "postgresql")
