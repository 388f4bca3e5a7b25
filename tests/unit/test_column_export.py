"""An export of a database's own catalog: the file, its rows, and what the catalog makes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from dbt_debezium_spark.catalog.column_export.rows import (
    csv_export,
    csv_rows,
    export_of_rows,
    read_export,
)
from dbt_debezium_spark.catalog.column_export.tables import ExportedTables, exported_tables
from dbt_debezium_spark.config import ConfigError
from dbt_debezium_spark.config.for_macros import load_source
from dbt_debezium_spark.generator.evidence_messages import export_messages
from tests.support.blocks import source_options
from tests.support.evidence_rows import Evidence, change, events, key_schema, node, statement
from tests.support.said import rows_of
from tests.type_cases import encoded

HEADER = "table_schema,table_name,column_name,data_type"


def config(connector: str = "postgresql", **options: Any) -> dict[str, Any]:
    return load_source("s", {"s": source_options(connector, **options)})


def tables(text: str, connector: str = "postgresql", **options: Any) -> ExportedTables:
    export = csv_export("columns.csv", text.encode())
    return exported_tables(config(connector, **options), export.name, export.rows)


# -- the file -------------------------------------------------------------------------------------


def test_quoted_fields_may_have_several_lines_and_rows_keep_their_line() -> None:
    text = 'a,b\r\n1,"two\nlines, ""quoted"""\n\n3,4\n'
    first, second = csv_rows(text.encode(), "f.csv")
    assert (first.place, first.values) == ("line 2", {"a": "1", "b": 'two\nlines, "quoted"'})
    assert (second.place, second.values) == ("line 5", {"a": "3", "b": "4"})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_what_clients_write_is_read(encoding: str, delimiter: str) -> None:
    text = delimiter.join(['"Table_Name"', "COLUMN_NAME"]) + "\n" + delimiter.join(["ü", "x"])
    (row,) = csv_rows(text.encode(encoding), "f.csv")
    assert row.values == {"table_name": "ü", "column_name": "x"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "f.csv is empty"),
        (b"a,b\n1,\xff\n", "f.csv is not UTF-8: line 2"),
        (b'a,b\n1,2\n3,"x\n', "f.csv is no CSV from line 3 on"),
    ],
)
def test_a_file_that_is_no_csv_is_refused_with_its_line(content: bytes, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        csv_rows(content, "f.csv")


def test_a_missing_file_names_the_option_and_the_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"`x\.csv` cannot be read: No such file.*relative to"):
        read_export("x.csv", str(tmp_path), lambda sql: [])


def test_what_spark_reads_is_asked_for_with_quoted_names(tmp_path: Path) -> None:
    asked: list[str] = []
    row = json.dumps({"TABLE_SCHEMA": "s", "table_name": "t", "ordinal_position": 3, "x": None})

    def texts(sql: str) -> list[str]:
        asked.append(sql)
        return [row]

    for place in ("table:bronze.my`table", "columns.parquet", "s3a://b/a`b.parquet"):
        export = read_export(place, str(tmp_path), texts)
        (found,) = export.rows
        assert found.values == {
            "table_schema": "s", "table_name": "t", "ordinal_position": "3", "x": None,
        }  # fmt: skip
        assert found.place == "row of s.t"
    assert [sql.split(" from ")[1] for sql in asked] == [
        "`bronze`.`my``table`", f"parquet.`{tmp_path}/columns.parquet`", "parquet.`s3a://b/a``b.parquet`",
    ]  # fmt: skip


def test_the_digest_of_a_table_does_not_depend_on_the_order_of_its_rows() -> None:
    rows = ['{"a":1}', '{"a":2}']
    assert export_of_rows("x", rows).digest == export_of_rows("x", rows[::-1]).digest
    assert export_of_rows("x", rows).digest != export_of_rows("x", rows[:1]).digest


# -- rows -----------------------------------------------------------------------------------------


def test_bad_rows_are_named_and_refuse_their_table_alone() -> None:
    found = tables(
        f"{HEADER},numeric_precision,is_nullable\n"
        "public,fine,id,integer,,NO\n"
        "public,bad,id,numeric,ten,NO\n"
        "public,bad,name,text,,maybe\n"
        "public,other,id,integer,,\n"
        "public,other,id,text,,\n"
        ",lost,id,text,,\n"
        "public,short,id\n"
        "(5 rows),,,,,\n"
    )
    assert [name for _, _, name in found.tables] == ["fine"]
    assert [text for _, text in found.problems] == [
        "columns.csv, line 3 (table 'public.bad'): numeric_precision is 'ten', not a whole number.",
        "columns.csv, line 4 (table 'public.bad'): is_nullable is 'maybe', not YES or NO.",
        "columns.csv, line 6 (table 'public.other'): column_name is 'id', which the table has"
        " already.",
        "columns.csv, line 7: table_schema is empty.",
        "columns.csv, line 8: it has 3 fields, and the header has 6 columns.",
        "columns.csv, line 9: table_name is empty.",
    ]


@pytest.mark.parametrize(
    ("connector", "header", "missing"),
    [
        ("postgresql", "table_schema,table_name,column_name", "`data_type`"),
        ("mysql", HEADER, "`column_type`"),
        ("oracle", "owner,table_name,data_type", "`column_name`"),
    ],
)
def test_a_file_without_a_needed_column_is_refused(
    connector: str, header: str, missing: str
) -> None:
    with pytest.raises(ConfigError, match=f"columns.csv has no column {missing}, only"):
        tables(f"{header}\n{','.join('x' for _ in header.split(','))}\n", connector)


def test_null_is_a_value_of_names_only() -> None:
    text = f"{HEADER},numeric_precision,column_comment\npublic,null,NULL,integer,NULL,\\N\n"
    (table,) = tables(text).tables.values()
    (column,) = table.definition
    assert (column.name, column.comment) == ("NULL", None)


def test_the_key_has_the_order_of_its_positions_and_is_not_null() -> None:
    text = (
        f"{HEADER},ordinal_position,key_position\np,t,b,text,1,2\np,t,a,text,2,1\np,t,c,text,3,\n"
    )
    (table,) = tables(text).tables.values()
    assert table.key == ("a", "b")
    assert [column.is_optional for column in table.definition] == [False, False, True]


# -- types ----------------------------------------------------------------------------------------

HEADERS = {
    "postgresql": f"{HEADER},column_type",
    "mysql": f"{HEADER},column_type",
    "sqlserver": f"{HEADER},character_maximum_length,numeric_precision,numeric_scale,"
    "datetime_precision",
    "oracle": "OWNER,TABLE_NAME,COLUMN_NAME,DATA_TYPE,DATA_PRECISION,DATA_SCALE,CHAR_LENGTH",
}


@pytest.mark.parametrize(("written", "read"), rows_of(__file__, "exported_types.txt"))
def test_types_are_read_as_each_database_writes_them(written: str, read: str) -> None:
    connector, _, row = written.partition(": ")
    encoding, _, database_type = read.partition(": ")
    (table,) = tables(f"{HEADERS[connector]}\ns,t,c,{row}\n", connector).tables.values()
    (column,) = table.definition
    node, expected = json.loads(column.node.text), {} if encoding == "none" else encoded(encoding)
    assert node.get("type") == expected.get("type")
    assert node.get("name") == expected.get("semantic")
    assert node.get("parameters") == expected.get("parameters")
    assert node.get("items", {}).get("type") == expected.get("items", {}).get("type")
    assert database_type in ("", column.database_type)
    assert column.is_optional


def test_types_of_postgresql_are_read_from_information_schema_alone() -> None:
    rows = [
        "n,numeric,numeric,,10,2,",
        "s,character varying,varchar,20,,,",
        "a,ARRAY,_int4,,,,",
        "u,USER-DEFINED,citext,,,,",
        "t,timestamp without time zone,timestamp,,,,3",
        "d,date,date,,,,0",
    ]
    header = (
        "TABLE_SCHEMA,TABLE_NAME,COLUMN_NAME,DATA_TYPE,UDT_NAME,CHARACTER_MAXIMUM_LENGTH,"
        "NUMERIC_PRECISION,NUMERIC_SCALE,DATETIME_PRECISION"
    )
    found = tables("\n".join([header, *(f"p,t,{row}" for row in rows)]))
    assert found.problems == []
    (table,) = found.tables.values()
    nodes = {column.name: json.loads(column.node.text) for column in table.definition}
    assert nodes["n"]["parameters"] == {"scale": "2", "connect.decimal.precision": "10"}
    assert (nodes["a"]["type"], nodes["a"]["items"]["type"]) == ("array", "int32")
    assert nodes["u"]["type"] == "string"
    assert nodes["t"]["name"] == "io.debezium.time.Timestamp"


def test_labels_of_an_enum_stand_on_lines_of_their_own() -> None:
    text = f'{HEADER},column_type,enum_values\np,t,c,x,mood,"a, b\nc\'d"\np,t,l,x,mood[],"a\nb"\n'
    (table,) = tables(text).tables.values()
    one, many = table.definition
    assert (one.node.name, one.enum_values) == ("io.debezium.data.Enum", ("a, b", "c'd"))
    assert json.loads(many.node.text)["items"]["name"] == "io.debezium.data.Enum"


def test_labels_of_mysql_keep_quotes_commas_and_backslashes() -> None:
    text = f"{HEADER},column_type\nd,t,c,enum,\"enum('a''b','C,d',')','\\\\x')\"\n"
    (table,) = tables(text, "mysql").tables.values()
    assert table.definition[0].enum_values == ("a'b", "C,d", ")", "\\x")
    unreadable = tables(f"{HEADER},column_type\nd,t,c,int,int(x)\n", "mysql")
    assert "column_type is 'int(x)', whose size cannot be read" in unreadable.problems[0][1]


# -- the catalog ----------------------------------------------------------------------------------

EXPORT = (
    "table_catalog,table_schema,table_name,column_name,ordinal_position,data_type,is_nullable,"
    "key_position,is_generated\n"
    "testDB,dbo,t,id,1,int,NO,1,NEVER\n"
    "testDB,dbo,t,name,2,varchar,YES,,NEVER\n"
    "testDB,dbo,t,sum,3,int,YES,,ALWAYS\n"
    "other,dbo,t,wrong,1,int,YES,,NEVER\n"
    "testDB,dbo,unseen,id,1,int,NO,1,NEVER\n"
)


def plain(*names: str, **more: Any) -> dict[str, Any]:
    """Return evidence of records without schemas."""
    return events(None, value_fields=[*names], **more)


LABELS = "p,t,state,enum,\"enum('a','b')\",of the order\n"
OF_MYSQL = json.dumps({"name": "p", "db": "p", "table": "t"})
TYPED = [{"name": "name", "type": "boolean"}, {"name": "more", "type": "int64"}]
# columns of the catalog => what they show, of which records; and the export and options
SHOWN: dict[str, tuple[tuple[str, ...], list[tuple[Any, ...]], dict[str, Any], dict[str, Any]]] = {
    "labels, comments and database types": (
        ("enum_values", "comment", "database_type"), [(["a", "b"], "of the order", "ENUM")],
        {**plain("state", topic="p.p.t"), "source_block": OF_MYSQL},
        {"export": f"{HEADER},column_type,column_comment\n{LABELS}", "connector": "mysql"},
    ),
    "rows may be older than a column that is not null now": (
        ("is_optional", "is_never_null"), [(False, False)], plain("id"),
        {"export": f"{HEADER},is_nullable\ndbo,t,id,int,NO\n"},
    ),
    "a computed column stays where records have it, and the key is that of the export": (
        ("column_name", "is_key"), [("id", True), ("name", False), ("sum", False)],
        plain("id", "name", "sum"), {},
    ),
    "a key schema beside rows without one is the key": (
        ("column_name", "is_key"), [("id", True), ("name", False)],
        plain("id", "name", key_schema=key_schema("id")), {},
    ),
    "a configured column replaces that of the export": (
        ("column_name", "connect_type"), [("id", "int32"), ("name", "boolean"), ("more", "int64")],
        plain("id", "name", "more"), {"tables": {"dbo.t": {"columns": TYPED}}},
    ),
    "definitions win": (
        ("evidence",), [("schema_change_topic",)], statement(change("CREATE", ["id"])), {},
    ),
}  # fmt: skip
DIFFERENCE = ("column_name", "matter", "chosen", "chosen_from", "other", "other_from")
DIFFERENCES: dict[str, tuple[dict[str, Any], list[tuple[Any, ...]]]] = {
    "schemas win, and the differences are listed": (
        events([node("id", "int64"), "name", "new"]),
        [
            ("id", "encoding", "int64", "embedded_schema", "int32", "column_export"),
            ("new", "presence", "column", "embedded_schema", "no such column", "column_export"),
            ("sum", "presence", "no such column", "embedded_schema", "column", "column_export"),
        ],
    ),
    "a key that differs": (
        plain("id", "name", key_fields=["name"]),
        [(None, "key", "name", "record_key", "id", "column_export")],
    ),
    "a column that the export lacks": (
        plain("id", "name", "later"),
        [("later", "presence", "no such column", "column_export", "column", "records")],
    ),
}


@pytest.mark.parametrize("case", SHOWN)
def test_the_catalog_shows_the_export(case: str) -> None:
    names, shown, row, options = SHOWN[case]
    text = options.get("export", EXPORT)
    options = {name: one for name, one in options.items() if name != "export"}
    assert Evidence(row, **options).with_export(text).columns(*names) == shown


@pytest.mark.parametrize("case", DIFFERENCES)
def test_what_differs_from_the_export_is_listed(case: str) -> None:
    row, listed = DIFFERENCES[case]
    assert Evidence(row).with_export(EXPORT).disagreements(*DIFFERENCE) == listed


# -- messages and configuration -------------------------------------------------------------------


def topic(table: str, **members: Any) -> dict[str, Any]:
    return {
        "topic": f"p.dbo.{table}", "kind": "data", "topic_prefix": "p", "database_name": "testDB",
        "schema_name": "dbo", "table_name": table, **members,
    }  # fmt: skip


def test_bad_rows_and_missing_tables_become_messages() -> None:
    export = csv_export("columns.csv", (EXPORT + "testDB,dbo,bad,id,x,int,,,\n").encode())
    topics = [topic("t"), topic("bad"), topic("lost"), topic("known"), topic("x", kind="other")]
    known = {"topics": [], **{name: topic("known")[name] for name in (
        "topic_prefix", "database_name", "schema_name", "table_name")}}  # fmt: skip
    found = export_messages(config("sqlserver"), export, [known], topics)
    assert [(one["kind"], one["table"]) for one in found] == [
        ("problem", "dbo.bad"), ("warning", "dbo.lost"),
    ]  # fmt: skip
    assert "columns.csv, line 7 (table 'dbo.bad'): ordinal_position is 'x'" in found[0]["message"]
    assert "table 'dbo.lost' has records, but columns.csv does not list it" in found[1]["message"]
    assert export_messages(config("sqlserver"), None, [], topics) == []


def test_many_bad_rows_do_not_hide_everything_else() -> None:
    rows = "".join(f"testDB,dbo,t{place},id,x,int,,,\n" for place in range(30))
    export = csv_export("columns.csv", (EXPORT + rows).encode())
    found = export_messages(config("sqlserver"), export, [], [])
    assert len(found) == 21 and "10 more rows" in found[-1]["message"]
