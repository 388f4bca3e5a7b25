"""The queries of docs/generate.md in real servers, and their results as exports."""

from __future__ import annotations

import csv
import io
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dbt_debezium_spark.catalog.column_export.rows import csv_export
from dbt_debezium_spark.catalog.column_export.tables import ExportedTable, exported_tables
from dbt_debezium_spark.config.for_macros import load_source
from dev.recorder import tables as recorded
from dev.servers.mariadb import Server as MariaDb
from dev.servers.postgres import Server as PostgreSql
from tests.support.paths import REPOSITORY
from tests.support.stripped_demo import EXPORTS

STRANGE = '''
create domain positive as numeric(8, 2) not null check (value > 0);
create domain price as positive;
create type mood as enum ('a, b', 'it''s', 'c');
create schema "My Schema";
create type "My Schema"."Level" as enum ('low', 'high');
create table "My Schema"."T,1" (
    "select" bigint generated always as identity,
    "the ""price""" price,
    moods mood[],
    level "My Schema"."Level" not null,
    total numeric generated always as ("select" * 2) stored,
    at timestamp(3),
    ranges int4range,
    primary key (level, "select")
);
comment on column "My Schema"."T,1".at is 'two
lines, "quoted"'
'''
WEB = """
create table accounts (
    login varchar(40) primary key,
    id bigint unsigned not null,
    role enum('reader', 'it''s, so', 'a\\\\b') not null,
    marks set('x', 'y'),
    price decimal(10, 2) unsigned,
    bits bit(9),
    small tinyint(1),
    total int as (id + 1) persistent,
    note text comment 'two\nlines, "quoted"',
    at datetime(6)
)
"""


def query_of(heading: str) -> str:
    """Return a query of the page."""
    page = (REPOSITORY / "docs" / "generate.md").read_text(encoding="utf-8")
    found = re.search(rf"^#### {heading}$.*?```sql\n(.*?)```", page, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def as_csv(names: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(["" if value is None else value for value in row] for row in rows)
    return text.getvalue()


def tables_of(connector: str, text: str) -> dict[str, ExportedTable]:
    files = {"type": "files", "path": "records"}
    source = {"connector": connector, "topic_prefix": "p", "input": files}
    export = csv_export("columns.csv", text.encode())
    found = exported_tables(load_source("s", {"s": source}), export.name, export.rows)
    assert found.problems == []
    return {name: table for (_, _, name), table in found.tables.items()}


def columns_of(table: ExportedTable) -> dict[str, tuple[Any, ...]]:
    return {
        column.name: (column.node.encoding, column.is_optional, column.database_type)
        for column in table.definition
    }


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Return a folder that the servers' own user can reach, unlike those of pytest."""
    with tempfile.TemporaryDirectory(prefix="columns-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="module")
def of_postgresql(folder: Path) -> tuple[str, str]:
    """Return the export of the demo's database, and that of tables with strange columns."""
    (folder / "postgresql").mkdir()
    demo = (
        recorded.SCHEMA_SQL, recorded.ADD_COLUMNS_SQL, recorded.DROP_AND_WIDEN_SQL,
        recorded.RENAME_AND_FILL_SQL,
    )  # fmt: skip
    exports = []
    with PostgreSql(folder / "postgresql") as server:
        connection = server.connect()
        for script in (demo, (STRANGE,)):
            for statement in (part for text in script for part in text.split(";")):
                if statement.strip():
                    connection.run(statement)
            rows = connection.run(query_of("PostgreSQL"))
            exports.append(as_csv([one["name"] for one in connection.columns], rows))
    return exports[0], exports[1]


def test_the_export_of_the_demo_is_what_a_real_postgresql_answers(
    of_postgresql: tuple[str, str],
) -> None:
    kept = (REPOSITORY / EXPORTS / "postgresql.csv").read_text(encoding="utf-8")
    assert of_postgresql[0] == kept


def test_domains_enums_and_names_of_postgresql(of_postgresql: tuple[str, str]) -> None:
    table = tables_of("postgresql", of_postgresql[1])["T,1"]
    decimal = "bytes org.apache.kafka.connect.data.Decimal scale 2"
    variable = "struct io.debezium.data.VariableScaleDecimal"
    assert columns_of(table) == {
        "select": ("int64", False, "bigint"),
        'the "price"': (decimal, False, "numeric(8,2)"),
        "moods": ("array", True, "mood[]"),
        "level": ("string io.debezium.data.Enum", False, "Level"),
        "total": (variable, True, "numeric"),
        "at": ("int64 io.debezium.time.Timestamp", True, "timestamp(3) without time zone"),
        "ranges": ("string", True, "int4range"),
    }
    assert table.key == ("level", "select") and table.generated == {"total"}
    by_name = {column.name: column for column in table.definition}
    assert by_name["moods"].enum_values == ("a, b", "it's", "c")
    assert by_name["level"].enum_values == ("low", "high")
    assert by_name["at"].comment == 'two\nlines, "quoted"'


def test_the_query_of_mariadb(folder: Path) -> None:
    (folder / "mariadb").mkdir()
    with MariaDb(folder / "mariadb") as server:
        connection = server.connect()
        with connection.cursor() as cursor:
            cursor.execute(WEB)
            cursor.execute(query_of("MySQL and MariaDB"))
            names = [one[0] for one in cursor.description]
            text = as_csv(names, cursor.fetchall())
    table = tables_of("mariadb", text)["accounts"]
    found = {name: encoding for name, (encoding, _, _) in columns_of(table).items()}
    assert found == {
        "login": "string",
        "id": "int64",
        "role": "string io.debezium.data.Enum",
        "marks": "string io.debezium.data.EnumSet",
        "price": "bytes org.apache.kafka.connect.data.Decimal scale 2",
        "bits": "bytes io.debezium.data.Bits",
        "small": "int16",
        "total": "int32",
        "note": "string",
        "at": "int64 io.debezium.time.MicroTimestamp",
    }
    assert table.key == ("login",) and table.generated == {"total"}
    by_name = {column.name: column for column in table.definition}
    assert by_name["role"].enum_values == ("reader", "it's, so", "a\\b")
    assert by_name["note"].comment == 'two\nlines, "quoted"'
